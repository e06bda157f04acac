package conformance

import (
	"io"
	"sync"
	"sync/atomic"
	"time"

	"example.com/gatehouse/internal/message"
)

// progressInterval is the time between two notices.
const progressInterval = 10 * time.Second

// progress reports the running check, because slow webhooks take long.
type progress struct {
	what atomic.Pointer[string]
	stop chan struct{}
	over chan struct{}
}

// newProgress starts reporting to log. The caller calls end.
func newProgress(log io.Writer) *progress {
	p := &progress{stop: make(chan struct{}), over: make(chan struct{})}
	p.set("calling the webhooks")
	go p.report(log)
	return p
}

// set sets what to report.
func (p *progress) set(what string) { p.what.Store(&what) }

func (p *progress) report(log io.Writer) {
	defer close(p.over)
	ticker := time.NewTicker(progressInterval)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			message.Notice(log, "still at it: %s", *p.what.Load())
		}
	}
}

func (p *progress) end() {
	close(p.stop)
	<-p.over
}

// serialWriter serializes writes: the server of a handler logs as well.
type serialWriter struct {
	mu sync.Mutex
	io.Writer
}

func (s *serialWriter) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Writer.Write(text)
}
