// Package process runs commands that serve webhooks, for the duration of a
// suite. Start takes these steps, in order:
//
//  1. It chooses the port (port.go): a free one, or the command's fixed port if
//     no process listens on it yet, because otherwise that process would be
//     tested.
//  2. It makes an authority and a certificate, and writes them to a new folder
//     that only the current user may enter (certificate.go).
//  3. It makes the environment and expands references in the command
//     (command.go): gatehouse's own environment, the variables of this package,
//     and those of the suite. Values may refer to earlier variables. The
//     program is looked up in gatehouse's own PATH.
//  4. It starts the command in a new process group (lifecycle.go), and reads
//     its output until the end, so that the command never blocks (output.go).
//  5. It waits until the command is ready, has ended, ctx ends, or the timeout
//     expires (ready.go).
//
// When Stop is called, when Start fails, or when the command ends by itself,
// the group gets SIGTERM, and SIGKILL if a process of it still runs after the
// timeout. The rest of the output is read, at most for a second, and the folder
// is removed.
//
// A Process has four goroutines, which end before Stop returns: one waits for
// the command, one cleans up, and two read the output.
//
// The package does not find or stop processes that left the group, such as
// daemons. If gatehouse is killed, Linux kills the command with it; elsewhere
// the command keeps running, as do its child processes everywhere, and the
// folder stays. On systems other than Unix there are neither groups nor
// SIGTERM: only the command itself is killed.
package process
