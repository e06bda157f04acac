package lifecycle

import (
	"context"
	"sync"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

const (
	// atOnce is the number of concurrent reviews.
	atOnce = 64
	// served is the number of requests that the backend accepts within the timeout
	// of a webhook: far fewer than atOnce.
	served = 8
	// lateness is the time that a response may exceed the timeout, for example
	// because of other load on this machine.
	lateness = 10 * time.Second
)

// bearsLoad sends many concurrent reviews while the backend accepts few requests.
// The webhook may answer, or fail with any status.
func (l *Launcher) bearsLoad(ctx context.Context, c *probe.Collection, r *check.Record) {
	if l.backend == nil {
		r.Missing("no backend is set that the webhook calls")
		return
	}
	questions := questionsOf(c, r)
	if len(questions) == 0 {
		return
	}
	slowest := time.Duration(0)
	for _, q := range questions {
		slowest = max(slowest, q.of.Timeout())
	}
	seen := l.backend.requests.Load()
	l.backend.limit(slowest / served)
	defer l.backend.limit(0)
	replies := l.askAtOnce(ctx, questions)
	if l.backend.requests.Load() == seen {
		r.Missing("the webhook did not call the backend")
		return
	}
	r.Checked()
	var bad []reply
	for _, a := range replies {
		if a.got.Err != nil {
			bad = append(bad, a)
		}
	}
	if len(bad) > 0 {
		r.Add(bad[0].shown(), "%d of %d concurrent reviews have no response while the backend accepts a request every %s; the first: %s",
			len(bad), atOnce, slowest/served, bad[0].got.Outcome())
	}
}

// askAtOnce sends the questions in turn.
func (l *Launcher) askAtOnce(ctx context.Context, questions []question) []reply {
	client := newClient(l.first.Address(), nil)
	defer client.CloseIdleConnections()
	replies := make([]reply, atOnce)
	var senders sync.WaitGroup
	for i := range replies {
		q := questions[i%len(questions)]
		how := probe.RawRequest{Client: client, Wait: q.of.Timeout() + lateness}
		senders.Go(func() { replies[i] = reply{q, q.ask(ctx, how)} })
	}
	senders.Wait()
	return replies
}
