package lifecycle

import (
	"context"
	"net"
	"sync"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

const (
	// drained is the number of calls that are under way at SIGTERM.
	drained = 50
	// maxHeld limits the time for which the check keeps calls under way after
	// SIGTERM: servers limit the time to read a request, often to 10 s.
	maxHeld = 8 * time.Second
	// afterClose is the time for which the check keeps the calls under way after
	// the process has closed the port. A server that does not wait for calls ends
	// them, or the process, within that time.
	afterClose = 2 * time.Second
)

// drains sends SIGTERM while the webhook reads the bodies of reviews. It sends the
// last byte of each body when the process has closed its port.
func (l *Launcher) drains(ctx context.Context, c *probe.Collection, r *check.Record) {
	questions := questionsOf(c, r)
	if len(questions) == 0 {
		return
	}
	p := l.newInstance(ctx, questions, r, l.exec.Timeout)
	if p == nil {
		return
	}
	defer p.end()
	gate := probe.NewGate(drained)
	gate.Confirm = true
	client := newClient(p.Address(), nil)
	defer client.CloseIdleConnections()
	how := probe.RawRequest{Client: client, Gate: gate, Wait: 2 * l.exec.Timeout}
	replies := make([]reply, drained)
	var senders sync.WaitGroup
	for i := range replies {
		q := questions[i%len(questions)]
		senders.Go(func() { replies[i] = reply{q, q.ask(ctx, how)} })
	}
	begun, closed, limit := gate.Await(l.exec.Timeout), false, min(maxHeld, l.exec.Timeout/2)
	if begun {
		p.terminate()
		closed = p.awaitClosed(ctx, limit)
	}
	gate.Release()
	senders.Wait()
	if !begun {
		r.Missing("the webhook did not begin to read %d concurrent reviews within %s", drained, l.exec.Timeout)
		return
	}
	bad := failed(replies)
	switch {
	case len(bad) > 0:
		r.Add(bad[0].shown(), "%d of %d calls that the webhook had begun failed after SIGTERM; the first: %s",
			len(bad), drained, bad[0].wrong(bad[0].got))
	case closed:
		r.Checked()
	default:
		r.Missing("the webhook still accepts connections %s after SIGTERM", limit)
	}
}

// reply is the response to a question.
type reply struct {
	question
	got *probe.Exchange
}

// shown returns a finding without a sample, because the sample differs in each
// run.
func (a reply) shown() check.Finding {
	return check.Finding{Evidence: []*probe.Exchange{a.got}}
}

// failed returns the replies that are wrong.
func failed(replies []reply) []reply {
	var bad []reply
	for _, a := range replies {
		if a.wrong(a.got) != "" {
			bad = append(bad, a)
		}
	}
	return bad
}

// awaitClosed waits, after SIGTERM, until the process has ended or has closed its
// port, and for afterClose. It reports whether that was within the limit.
func (i *instance) awaitClosed(ctx context.Context, limit time.Duration) bool {
	select {
	case <-i.terminating:
	case <-ctx.Done():
		return false
	}
	for late := time.Now().Add(limit); accepts(ctx, i.Address()); {
		if time.Now().After(late) || ctx.Err() != nil {
			return false
		}
		pause(ctx, 50*time.Millisecond)
	}
	select {
	case <-i.over:
	case <-time.After(afterClose):
	case <-ctx.Done():
	}
	return true
}

// accepts reports whether a port accepts connections.
func accepts(ctx context.Context, address string) bool {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	_ = c.Close() // nothing was sent
	return true
}
