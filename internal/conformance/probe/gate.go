package probe

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

// Gate holds requests back before the last byte of their bodies, and then
// releases them together, so that a webhook processes all of them at the same
// time.
type Gate struct {
	// Confirm makes the client wait for 100 Continue before it sends a body, so
	// that the webhook is known to read the request. The client limits the
	// wait.
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

// Open releases the requests when all of them are held. The caller must call it
// once, after it has started the requests.
func (g *Gate) Open() {
	g.Await(maxHeld)
	g.Release()
}

// Await waits until all requests are held, and reports whether they were held
// within the limit. The caller must call it once.
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

// Release releases the requests after Await.
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
