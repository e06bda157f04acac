package probe

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

// Gate holds requests back before the last byte of their bodies and lets them
// go together, so that a webhook is busy with all of them at the same time.
type Gate struct {
	// Confirm has the webhook confirm that it reads a request before the body is
	// sent, with 100 Continue. The client decides how long to wait for that.
	Confirm bool

	held   chan struct{}
	open   chan struct{}
	opened time.Time
}

// NewGate returns a gate for n requests.
func NewGate(n int) *Gate {
	return &Gate{held: make(chan struct{}, n), open: make(chan struct{})}
}

// maxHeld limits the time that requests are held: some may never get as far,
// because the webhook accepts no more connections.
const maxHeld = time.Second

// Open lets the requests go once all of them are held. The caller must call it
// once, after the requests are on their way.
func (g *Gate) Open() {
	g.Await(maxHeld)
	g.Release()
}

// Await waits until all requests are held, and reports whether that was within
// the limit. Like Open, it is called once.
func (g *Gate) Await(limit time.Duration) bool {
	late := time.NewTimer(limit)
	defer late.Stop()
	for range cap(g.held) {
		select {
		case <-g.held:
		case <-late.C:
			return false
		}
	}
	return true
}

// Release lets the requests go after Await.
func (g *Gate) Release() {
	g.opened = time.Now()
	close(g.open)
}

// hold makes a request wait for the gate.
func (g *Gate) hold(r *http.Request, body []byte) {
	last := max(len(body)-1, 0)
	r.Body = io.NopCloser(io.MultiReader(
		bytes.NewReader(body[:last]), &gated{g, bytes.NewReader(body[last:])}))
	if g.Confirm {
		r.Header.Set("Expect", "100-continue")
	}
}

// gated is a part of a body that waits for a gate.
type gated struct {
	*Gate
	io.Reader
}

func (b *gated) Read(p []byte) (int, error) {
	select {
	case <-b.open:
	default:
		b.held <- struct{}{}
		<-b.open
	}
	return b.Reader.Read(p)
}
