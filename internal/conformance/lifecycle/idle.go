package lifecycle

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

const (
	// idle is the number of idle connections at SIGTERM.
	idle = 5
	// beforeKill is the time between the end of the wait for connections and
	// SIGKILL, which closes them.
	beforeKill = 2 * time.Second
)

// closesIdle sends SIGTERM while connections are idle, and waits until the process
// closes them.
func (l *Launcher) closesIdle(ctx context.Context, c *probe.Collection, r *check.Record) {
	questions := questionsOf(c, r)
	if len(questions) == 0 {
		return
	}
	p := l.newInstance(ctx, questions, r, l.exec.Timeout+beforeKill)
	if p == nil {
		return
	}
	defer p.end()
	lines := make([]*line, idle)
	for i := range lines {
		lines[i] = newLine(p.Address())
		defer lines[i].client.CloseIdleConnections()
		q := questions[i%len(questions)]
		_ = q.ask(ctx, probe.RawRequest{Client: lines[i].client, Wait: l.exec.Timeout})
		if lines[i].isOver(0) {
			r.Missing("the webhook keeps no connection open after an answer")
			return
		}
	}
	r.Checked()
	p.terminate()
	<-p.terminating
	late := time.Now().Add(l.exec.Timeout)
	open := 0
	for _, line := range lines {
		if !line.isOver(time.Until(late)) {
			open++
		}
	}
	if open > 0 {
		r.Add(check.Finding{}, "%d of %d idle connections are still open %s after SIGTERM",
			open, idle, l.exec.Timeout)
	}
}

// line is a client with one connection. over is closed with the connection.
type line struct {
	client *http.Client
	over   chan struct{}
}

func newLine(address string) *line {
	l := &line{over: make(chan struct{})}
	ended := sync.OnceFunc(func() { close(l.over) })
	l.client = newClient(address, func(c net.Conn) net.Conn { return noticed{c, ended} })
	return l
}

// isOver reports whether the connection ends within a time.
func (l *line) isOver(within time.Duration) bool {
	late := time.NewTimer(max(within, 0))
	defer late.Stop()
	select {
	case <-l.over:
		return true
	default:
	}
	select {
	case <-l.over:
		return true
	case <-late.C:
		return false
	}
}

// noticed is a connection that calls ended when the client closes it. The client
// reads idle connections, and closes those that the server has closed.
type noticed struct {
	net.Conn
	ended func()
}

// Close implements net.Conn.
func (n noticed) Close() error {
	n.ended()
	return n.Conn.Close()
}
