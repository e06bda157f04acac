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

// progress shows the progress of a run. All other output goes through Aside.
type progress struct {
	*command.Progress

	mu                  sync.Mutex // guards the fields below
	suite               string
	done, cases, failed int
}

// newProgress returns the progress of a run that begins now.
func newProgress(out io.Writer, now time.Time) *progress {
	p := &progress{}
	p.Progress = command.NewProgress(out, now, p.text)
	return p
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

func (p *progress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.suite == "" {
		return ""
	}
	text := fmt.Sprintf("%s: %d of %s", shown(p.suite), p.done, message.Count(p.cases, "case"))
	if p.failed > 0 {
		text += fmt.Sprintf(", %d failed", p.failed)
	}
	return text
}

// end erases the line for the last time.
func (p *progress) end() {
	p.mu.Lock()
	p.suite = ""
	p.mu.Unlock()
	p.End()
}

// running returns the name of the current suite.
func (p *progress) running() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.suite
}
