package lifecycle

import (
	"context"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// before is the number of calls that each client makes before and after each
// step of a replacement.
const before = 10

// rolls replaces one process by another under load, as a rolling update does:
// when the second process is ready, the first one gets SIGTERM, and a little
// later new connections go to the second one.
func (l *Launcher) rolls(ctx context.Context, c *probe.Collection, r *check.Record) {
	questions := questionsOf(c, r)
	if len(questions) == 0 {
		return
	}
	old := l.newInstance(ctx, questions, r, l.exec.Timeout)
	if old == nil {
		return
	}
	defer old.end()
	s, err := newService(ctx, old.Address())
	if err != nil {
		r.Missing("%v", err)
		return
	}
	defer s.close()
	t := newTraffic(ctx, s.address(), questions, l.exec.Timeout)
	defer t.stop()
	t.advance(ctx, before)
	next := l.newInstance(ctx, questions, r, 0)
	if next == nil {
		return
	}
	defer next.end()
	old.terminate()
	pause(ctx, l.exec.EndpointLag)
	endpoint := next.Address()
	s.endpoint.Store(&endpoint)
	<-old.over
	t.advance(ctx, before)
	t.stop()
	r.Checked()
	r.Note("%d calls while one process replaced another", t.total())
	if len(t.bad) > 0 {
		first := t.bad[0]
		r.Add(first.shown(), "%d of %d calls failed while one process replaced another; the first: %s",
			len(t.bad), t.total(), first.wrong(first.got))
	}
}
