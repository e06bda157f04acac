package process

import (
	"errors"
	"os"
	"runtime"
	"time"
)

// afterKill is how long processes may exist that have been killed, and how long the output
// of a command is waited for when none of its processes exists any more.
const afterKill = time.Second

// begin starts the command, and the goroutines that are there until all is gone. On error
// there are none, but the certificate's folder stays.
func (p *Process) begin(patience time.Duration) error {
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
	_ = out.Close() // the command has its own
	if err != nil {
		p.output.finish(afterKill)
		return err
	}
	go p.keep(patience)
	return nil
}

// run starts the command, says so, and waits until it ends.
//
// On Linux a command is killed with the thread that has started it, so that it does not
// outlive gatehouse. The thread is therefore kept as long as the command runs.
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

// keep does away with everything as soon as the command is to be stopped, or has ended. In
// the second case there is no time to lose either: what the command has started has its
// number, which may be somebody else's when they are gone.
func (p *Process) keep(patience time.Duration) {
	defer close(p.gone)
	select {
	case <-p.ended:
	case <-p.stopping:
	}
	// The one who waits for it may not have been told yet.
	p.alone = isClosed(p.ended) || group{p.command.Process}.ended()
	p.left = p.clear(time.Now().Add(patience))
	p.output.finish(afterKill)
	p.left = also(p.left, p.remove())
}

// clear ends the command and what it has started: gently, and with force after the deadline.
func (p *Process) clear(deadline time.Time) error {
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
	return errors.New("something that it has started cannot be killed")
}

// isEmpty waits until nobody runs in a group, and reports whether that is so before the
// deadline. Nothing tells us: these are not our children.
func isEmpty(g group, deadline time.Time) bool {
	for pause := shortestPause; g.runs(); pause = min(2*pause, longestPause) {
		if !time.Now().Before(deadline) {
			return false
		}
		time.Sleep(min(pause, time.Until(deadline)))
	}
	return true
}

// group is a command and what it has started.
type group struct{ leader *os.Process }
