// Package process runs commands that serve webhooks, for as long as a suite needs them.
//
//	p, err := process.Start(ctx, process.Config{Exec: webhook.Exec, Names: names})
//	if err != nil {
//		return err // errors.AsType[*process.Error](err) has what was printed
//	}
//	defer p.Stop()
//	// call https://NAME at p.Address(), and trust p.CABundle()
//
// # Steps
//
// Start goes through these, in order:
//
//  1. The port is chosen (port.go): a free one, or the one that the command always
//     listens on, if nobody does so yet. Somebody else would be tested otherwise.
//  2. An authority and a certificate are made, and written to a new folder, which only
//     the user may enter (certificate.go).
//  3. The environment is put together, and references to it are replaced in the command
//     (command.go): gatehouse's own environment, what the package adds, and what the
//     suite's author adds. All of these can be referred to, in values as far as they come
//     earlier. The program is looked for in gatehouse's own PATH.
//  4. The command starts, in a process group of its own (life.go). What it prints is read
//     until the end, whether anybody wants it or not, so that it is never held up
//     (output.go).
//  5. The sign is waited for that it is ready (ready.go). The wait is over at once when the
//     sign comes, the command ends or ctx ends, and when the time for it is up.
//
// Everything is done away with when Stop is called, when Start fails, or when the command
// ends by itself, in this order:
//
//  1. The group gets SIGTERM, once.
//  2. It gets SIGKILL if anybody in it still runs when the time to end is up. The command
//     may have ended long before what it has started.
//  3. The rest of the output is read. Whoever still holds it then is not of the group,
//     and is cut off after a second.
//  4. The folder is removed.
//
// # Concurrency
//
// There may be any number of commands at the same time. A Process has four goroutines, which
// are gone when Stop returns: one that waits for the command, one that does away with it,
// and two that read its output. Its methods may be called by several at once; all that call
// Stop wait for the same end. Config.Output is called by one goroutine at a time for each
// command.
//
// # Errors
//
// Each is an *Error, which is one line, says which command was to be started or stopped, and
// has the end of what the command has printed beside it. It wraps the cause of ctx, or an
// *exec.ExitError, if that was the reason.
//
// # What it does not do
//
// It does not look for processes that have left the group, such as daemons, and does not
// stop them. A command that ends is over, even if it goes on in the background.
//
// It does not survive gatehouse: on Linux the command is killed with it, however gatehouse
// ends. What the command has started is not killed then, nor is the command itself
// elsewhere, and the folder stays. A program that is started by another one, as by go run,
// belongs to this; it ends when it next prints something, if it minds broken pipes.
//
// On systems other than Unix there are neither groups nor SIGTERM: the command itself is
// killed.
//
// It does not restart a command, does not ask again whether one is still ready, and cannot
// tell whether it is the command that listens on a port.
package process
