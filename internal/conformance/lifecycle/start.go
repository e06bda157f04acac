package lifecycle

import (
	"context"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// startsReady sends a review to a new process as soon as its port accepts
// connections. The correct answer is that of the first process, which has run for
// some time.
func (l *Launcher) startsReady(ctx context.Context, c *probe.Collection, r *check.Record) {
	questions := questionsOf(c, r)
	if len(questions) == 0 {
		return
	}
	q := questions[0]
	if x := q.ask(ctx, probe.RawRequest{Wait: l.exec.Timeout}); x.Answer != nil {
		q.met = x
	}
	p, err := l.start(ctx, 0)
	if err != nil {
		r.Add(check.Finding{}, "another process of the webhook does not start: %v", err)
		return
	}
	defer func() { _ = p.Stop() }() // how the process ends is for other checks
	client := newClient(p.Address(), nil)
	defer client.CloseIdleConnections()
	r.Checked()
	x := q.ask(ctx, probe.RawRequest{Client: client, Wait: l.exec.Timeout})
	if wrong := q.wrong(x); wrong != "" {
		r.Fail(x, "the port accepts connections, and the first review fails: %s", wrong)
	}
}
