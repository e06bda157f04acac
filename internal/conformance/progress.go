package conformance

import (
	"io"
	"sync"
	"sync/atomic"
	"time"

	"example.com/gatehouse/internal/message"
)

// every is how long people wait until they are told what for.
const every = 10 * time.Second

// progress says now and then what is being done: webhooks that answer late take a while.
type progress struct {
	what atomic.Pointer[string]
	stop chan struct{}
	over chan struct{}
}

// newProgress starts to tell. It has to be ended.
func newProgress(log io.Writer) *progress {
	p := &progress{stop: make(chan struct{}), over: make(chan struct{})}
	p.at("meeting the webhooks")
	go p.tell(log)
	return p
}

// at says what is being done from now on.
func (p *progress) at(what string) { p.what.Store(&what) }

func (p *progress) tell(log io.Writer) {
	defer close(p.over)
	ticker := time.NewTicker(every)
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

// serial lets one write at a time: the server of a handler has something to say as well.
type serial struct {
	mu sync.Mutex
	io.Writer
}

func (s *serial) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Writer.Write(text)
}
