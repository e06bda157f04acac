package command

import (
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/gatehouse/internal/message"
)

const (
	// refreshInterval is the refresh interval of the line on a terminal, and
	// firstLineDelay the delay before the first line, because the command may
	// be over by then.
	refreshInterval = 200 * time.Millisecond
	firstLineDelay  = time.Second
	// noticeInterval is the interval of notices without a terminal.
	noticeInterval = 30 * time.Second
	// lineWidth is the width of the line: a line that wraps cannot be erased.
	lineWidth = 78
)

// Progress shows the progress of a command on standard error: on a terminal in a
// line that it rewrites, and otherwise in notices. All other output goes through
// Aside, which erases the line first. It is safe for concurrent use.
type Progress struct {
	// Terminal says that out is a terminal. It is set before use.
	Terminal bool

	out  io.Writer
	text func() string

	mu    sync.Mutex // guards the fields below, and all output
	since time.Time  // the start, or the last notice
	// line says that the terminal shows the line.
	line bool
}

// NewProgress returns the progress of a command that begins now. text returns
// what is to be shown, or "" for nothing. It is called from any goroutine, while
// no other output is printed: it must not wait for a goroutine that prints.
func NewProgress(out io.Writer, now time.Time, text func() string) *Progress {
	return &Progress{Terminal: IsTerminal(out), out: out, text: text, since: now}
}

// Watch refreshes the progress until the returned function is called.
func (p *Progress) Watch() (end func()) {
	clock := time.NewTicker(refreshInterval)
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case now := <-clock.C:
				p.Tick(now)
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

// Tick shows the progress if it is due.
func (p *Progress) Tick(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.text() // under the lock, so that it is not older than what End erased
	passed := now.Sub(p.since)
	switch {
	case text == "":
	case p.Terminal && passed >= firstLineDelay:
		p.line = true
		// A failed write to standard error cannot be reported.
		_, _ = fmt.Fprintf(p.out, "\r\x1b[K%s", message.Cut(text, lineWidth))
	case !p.Terminal && passed >= noticeInterval:
		p.since = now
		message.Notice(p.out, "%s", text)
	}
}

// Aside prints other output.
func (p *Progress) Aside(out io.Writer, text []byte) error {
	return Write(p.Writer(out), text)
}

// Writer returns a writer that prints to out with Aside.
func (p *Progress) Writer(out io.Writer) io.Writer { return &asideWriter{p, out} }

type asideWriter struct {
	progress *Progress
	out      io.Writer
}

func (w *asideWriter) Write(text []byte) (int, error) {
	w.progress.mu.Lock()
	defer w.progress.mu.Unlock()
	w.progress.erase()
	return w.out.Write(text)
}

// End erases the line. Later it comes back only if there is a text to show.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

func (p *Progress) erase() {
	if p.line {
		_, _ = io.WriteString(p.out, "\r\x1b[K") // as in Tick
	}
	p.line = false
}
