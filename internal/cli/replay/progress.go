package replay

import (
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/replay"
)

// progress counts results and shows them while requests are replayed.
type progress struct {
	*command.Progress

	mu           sync.Mutex // guards the fields below
	done, denied int
	began        time.Time
}

func newProgress(stderr io.Writer) *progress {
	p := &progress{began: time.Now()}
	p.Progress = command.NewProgress(stderr, p.began, p.text)
	return p
}

// begin starts to show the progress, until the returned function is called.
func (p *progress) begin() (end func()) {
	stop := p.Watch()
	return func() {
		stop()
		p.End()
	}
}

func (p *progress) add(r *replay.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if !r.Allowed && !r.Undecided && r.Error == "" {
		p.denied++
	}
}

func (p *progress) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done == 0 {
		return "reading the corpus"
	}
	return fmt.Sprintf("%s, %d denied, in %s", message.Count(p.done, "request"), p.denied,
		time.Since(p.began).Round(time.Second))
}
