package run

import (
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/output"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

const (
	// manyObjects get a line of progress on a terminal.
	manyObjects = 200
	// someObjects get a summary.
	someObjects = 20
)

// progress counts results and shows them on a terminal while objects are
// admitted.
type progress struct {
	*command.Progress

	mu sync.Mutex // guards the fields below
	// total is 0 before the objects are admitted.
	total, done, denied int
	// unknown are those done whose verdict is not known; they are not denied.
	unknown int
	began   time.Time
}

func newProgress(stderr io.Writer) *progress {
	p := &progress{began: time.Now()}
	p.Progress = command.NewProgress(stderr, p.began, p.text)
	return p
}

// begin starts to show the progress, until the returned function is called.
func (p *progress) begin(total int) (end func()) {
	p.mu.Lock()
	p.total = total
	p.mu.Unlock()
	stop := p.Watch()
	return func() {
		stop()
		p.End()
	}
}

func (p *progress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.Terminal || p.total <= manyObjects {
		return ""
	}
	return fmt.Sprintf("%d of %d objects, %d denied", p.done, p.total, p.denied) + p.alsoUnknown()
}

// alsoUnknown counts the objects whose verdict is not known, if there are any.
func (p *progress) alsoUnknown() string {
	if p.unknown == 0 {
		return ""
	}
	return fmt.Sprintf(", %d unknown", p.unknown)
}

// counted counts the results that a printer prints or leaves out.
type counted struct {
	output.Printer
	*progress
}

func (c *counted) Print(v *session.Result) error {
	c.mu.Lock()
	c.done++
	switch {
	case v.Undecided():
		c.unknown++
	case !v.Response.Allowed:
		c.denied++
	}
	c.mu.Unlock()
	return c.Printer.Print(v)
}

// summary prints the counts.
func (p *progress) summary(stderr io.Writer) {
	message.Notice(stderr, "%s, in %s", p.counts(), time.Since(p.began).Round(100*time.Millisecond))
}

func (p *progress) counts() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%s: %d admitted, %d denied", message.Count(p.done, "object"),
		p.done-p.denied-p.unknown, p.denied) + p.alsoUnknown()
}
