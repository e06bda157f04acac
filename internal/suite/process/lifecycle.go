package process

import (
	"errors"
	"os"
	"runtime"
	"time"
)

// afterKill limits the wait for killed processes, and for the output of a
// command without processes.
const afterKill = time.Second

// startCommand starts the command and the goroutines that clean up after it.
// After an error there are none, and the caller removes the certificate.
func (p *Process) startCommand(stopTimeout time.Duration) error {
	out, err := p.output.stream()
	if err != nil {
		return err
	}
	errout, err := p.output.stream()
	if err == nil {
		p.command.Stdout, p.command.Stderr = out, errout
		started := make(chan error)
		go p.run(started)
		err = <-started
		_ = errout.Close()
	}
	_ = out.Close() // the command has a copy
	if err != nil {
		p.output.finish(afterKill)
		return err
	}
	go p.cleanUp(stopTimeout)
	return nil
}

// run starts the command, reports to started, and waits for the command.
//
// On Linux a command is killed with the thread that started it, so that it does
// not outlive gatehouse. The thread is therefore locked as long as the command
// runs.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.command.Start()
	started <- err
	if err != nil {
		return
	}
	p.status = p.command.Wait()
	if p.status == nil {
		p.status = errors.New("exit status 0")
	}
	close(p.ended)
}

// cleanUp stops the command's group when Stop is called or the command ends.
// After the end it must not wait: the group ID may be reused once the group is
// empty.
func (p *Process) cleanUp(stopTimeout time.Duration) {
	defer close(p.cleanedUp)
	select {
	case <-p.ended:
	case <-p.stopping:
	}
	// p.ended may not be closed yet.
	p.endedEarly = isClosed(p.ended) || group{p.command.Process}.ended()
	p.cleanupErr = p.endGroup(time.Now().Add(stopTimeout))
	p.output.finish(afterKill)
	p.cleanupErr = joinErrors(p.cleanupErr, p.remove())
}

// endGroup ends the group: with SIGTERM, and with SIGKILL after the deadline.
func (p *Process) endGroup(deadline time.Time) error {
	all := group{p.command.Process}
	all.terminate()
	select {
	case <-p.ended:
	case <-time.After(time.Until(deadline)):
		all.kill()
		<-p.ended
	}
	if isEmpty(all, deadline) {
		return nil
	}
	all.kill()
	if isEmpty(all, time.Now().Add(afterKill)) {
		return nil
	}
	return errors.New("a process that it started cannot be killed")
}

// isEmpty polls until no process of the group runs, and reports whether that
// was before the deadline. These are not child processes, so there is no
// notification.
func isEmpty(g group, deadline time.Time) bool {
	for pause := shortestPause; g.runs(); pause = min(2*pause, longestPause) {
		if !time.Now().Before(deadline) {
			return false
		}
		time.Sleep(min(pause, time.Until(deadline)))
	}
	return true
}

// group is a command with its child processes.
type group struct{ leader *os.Process }
