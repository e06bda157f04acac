package test

import (
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/suite"
)

const (
	// often is how long a line on a terminal stays as it is, and quick how long nothing
	// is shown because the run may be over.
	often = 200 * time.Millisecond
	quick = time.Second
	// seldom is the time between two notices where there is no terminal.
	seldom = 30 * time.Second
	// wide is how many characters a line on a terminal has: one that is wrapped could
	// not be wiped.
	wide = 78
)

// progress tells people who wait how far it has come: on a terminal in a line that is
// rewritten, and otherwise in a notice now and then. All that is printed meanwhile goes
// through aside, so that the line is never amidst it.
type progress struct {
	out      io.Writer
	terminal bool

	mu    sync.Mutex // guards all below, and everything that is printed
	since time.Time  // of the run, or of the last notice
	// line says that there is one on the terminal.
	line                bool
	suite               string
	done, cases, failed int
}

// newProgress returns that of a run that begins now.
func newProgress(out io.Writer, now time.Time) *progress {
	return &progress{out: out, terminal: command.IsTerminal(out), since: now}
}

// watch looks at the clock until what is returned is called.
func (p *progress) watch() (end func()) {
	clock := time.NewTicker(often)
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case now := <-clock.C:
				p.tick(now)
			case <-stop:
				return
			}
		}
	})
	return sync.OnceFunc(func() {
		clock.Stop()
		close(stop)
		watching.Wait()
	})
}

// begin is told of a suite before its webhooks are started.
func (p *progress) begin(s *suite.Suite, cases int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.suite, p.done, p.cases, p.failed = s.Name, 0, cases, 0
}

// see is told of every case.
func (p *progress) see(r *suite.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if !r.Passed() {
		p.failed++
	}
}

// tick shows how far it has come, if it is time for that.
func (p *progress) tick(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	passed := now.Sub(p.since)
	switch {
	case p.suite == "":
	case p.terminal && passed >= quick:
		p.line = true
		// Nobody could be told that this does not work.
		_, _ = fmt.Fprintf(p.out, "\r\x1b[K%s", cut(p.text(), wide))
	case !p.terminal && passed >= seldom:
		p.since = now
		message.Notice(p.out, "%s", p.text())
	}
}

func (p *progress) text() string {
	text := fmt.Sprintf("%s: %d of %s", shown(p.suite), p.done, message.Count(p.cases, "case"))
	if p.failed > 0 {
		text += fmt.Sprintf(", %d failed", p.failed)
	}
	return text
}

// aside prints something else.
func (p *progress) aside(out io.Writer, text []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	return command.Write(out, text)
}

// end takes the line away: nothing more is to come.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	p.suite = ""
}

func (p *progress) wipe() {
	if p.line {
		_, _ = io.WriteString(p.out, "\r\x1b[K") // as in tick
	}
	p.line = false
}

// running returns the name of the suite that is run.
func (p *progress) running() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.suite
}

// cut returns the beginning of a text if it is too long.
func cut(text string, characters int) string {
	runes := []rune(text)
	if len(runes) <= characters {
		return text
	}
	return string(runes[:characters-1]) + "…"
}
