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
	// refreshInterval is the refresh interval of the line on a terminal, and
	// firstLineDelay the delay before the first line, because the run may be
	// over by then.
	refreshInterval = 200 * time.Millisecond
	firstLineDelay  = time.Second
	// noticeInterval is the interval of notices without a terminal.
	noticeInterval = 30 * time.Second
	// lineWidth is the width of the line: a line that wraps cannot be erased.
	lineWidth = 78
)

// progress shows the progress of a run: on a terminal in a line that it
// rewrites, and otherwise in notices. All other output goes through aside,
// which erases the line first.
type progress struct {
	out      io.Writer
	terminal bool

	mu    sync.Mutex // guards the fields below, and all output
	since time.Time  // the start of the run, or the last notice
	// line reports whether the terminal shows the line.
	line                bool
	suite               string
	done, cases, failed int
}

// newProgress returns the progress of a run that begins now.
func newProgress(out io.Writer, now time.Time) *progress {
	return &progress{out: out, terminal: command.IsTerminal(out), since: now}
}

// watch refreshes the progress until the returned function is called.
func (p *progress) watch() (end func()) {
	clock := time.NewTicker(refreshInterval)
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

// begin sets the current suite, before its webhooks start.
func (p *progress) begin(s *suite.Suite, cases int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.suite, p.done, p.cases, p.failed = s.Name, 0, cases, 0
}

// see counts a result.
func (p *progress) see(r *suite.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if !r.Passed() {
		p.failed++
	}
}

// tick shows the progress if it is due.
func (p *progress) tick(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	passed := now.Sub(p.since)
	switch {
	case p.suite == "":
	case p.terminal && passed >= firstLineDelay:
		p.line = true
		// A failed write to standard error cannot be reported.
		_, _ = fmt.Fprintf(p.out, "\r\x1b[K%s", cut(p.text(), lineWidth))
	case !p.terminal && passed >= noticeInterval:
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

// aside prints other output.
func (p *progress) aside(out io.Writer, text []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	return command.Write(out, text)
}

// end erases the line for the last time.
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

// running returns the name of the current suite.
func (p *progress) running() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.suite
}

// cut truncates a text.
func cut(text string, characters int) string {
	runes := []rune(text)
	if len(runes) <= characters {
		return text
	}
	return string(runes[:characters-1]) + "…"
}
