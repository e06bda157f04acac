//go:build failpoints

package failpoints

import (
	"net/http"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
)

// model takes a run through the promises. Its clock begins with the request.
type model struct {
	*run
	now time.Duration
	// over is when the request's own context ends, and left that it was
	// cancelled.
	over time.Duration
	left bool
	want expected
}

// expected is the expected outcome of a run.
type expected struct {
	// code is that of the request's error, 0 for none.
	code int
	took time.Duration
	// calls are the recorded calls, in order.
	calls []called
}

// called is the expected outcome of a call.
type called struct {
	webhook int
	ends    time.Duration
	outcome admission.Outcome
	code    int
	// heard is true if the response was decoded.
	heard bool
	// unnoted is true if the first of its annotations is missing.
	unnoted bool
}

func (r *run) expect() expected {
	m := &model{run: r, over: patience}
	if r.phase == admission.Mutating {
		m.want.code = m.mutate()
	} else {
		m.want.code = m.validate()
	}
	m.want.took = m.now
	return m.want
}

// mutate returns the code of the request's error.
func (m *model) mutate() int {
	if !m.passes(0, failpoint.BeforeSnapshot, failpoint.AfterSnapshot) {
		return http.StatusInternalServerError
	}
	for i := range webhooks {
		if !m.passes(i, beforeCalls()...) {
			return http.StatusInternalServerError
		}
		c := m.call(i)
		m.now = c.ends
		if code, _ := m.hear(c); code != 0 {
			return code
		}
	}
	if !m.passes(0, failpoint.BeforeWriteBack, failpoint.AfterWriteBack) {
		return http.StatusInternalServerError
	}
	return 0
}

// validate returns the code of the request's error.
func (m *model) validate() int {
	if !m.passes(0, failpoint.BeforeSnapshot, failpoint.AfterSnapshot) {
		return http.StatusInternalServerError
	}
	for i := range webhooks {
		if !m.passes(i, beforeCalls()...) {
			return http.StatusInternalServerError
		}
	}
	if m.now >= m.over {
		return http.StatusGatewayTimeout // no webhook is called
	}
	// Where it happens comes first: if it ends the request, it does so for all.
	var calls [webhooks]called
	for _, i := range []int{m.webhook, webhooks - 1 - m.webhook} {
		calls[i] = m.call(i)
	}
	for _, c := range calls {
		m.now = max(m.now, c.ends)
	}
	first := 0
	for _, c := range calls {
		code, on := m.hear(c)
		if !on {
			return code // without a word about the others
		}
		if first == 0 {
			first = code
		}
	}
	return first
}

func beforeCalls() []failpoint.Point {
	return []failpoint.Point{
		failpoint.BeforeMatch, failpoint.AfterMatch, failpoint.BeforeConversion, failpoint.AfterConversion,
	}
}

// passes moves the request past failpoints outside of calls, and reports
// whether it goes on.
func (m *model) passes(webhook int, points ...failpoint.Point) bool {
	for _, p := range points {
		if p != m.point || webhook != m.webhook {
			continue
		}
		switch m.action {
		case cancels:
			m.over, m.left = m.now, true
		case panics:
			return false
		default:
			m.now += m.action.takes()
		}
	}
	return true
}

// call returns the outcome of a call that begins now.
func (m *model) call(webhook int) called {
	c := called{webhook: webhook, ends: m.now + answered.since(webhook), outcome: admission.Allowed, code: http.StatusOK, heard: true}
	if !m.at.ofCalls() || webhook != m.webhook {
		return m.within(c, min(m.now+timeout, m.over))
	}
	here := m.now + m.far().since(webhook)
	switch m.action {
	case panics:
		return m.broken(c, here)
	case cancels:
		m.over, m.left = min(m.over, here), true
	}
	limit, goes := min(m.now+timeout, m.over), here+m.action.takes()
	switch {
	case m.timed == fails && goes >= limit:
		return m.late(c, goes)
	case m.at == answering:
		c.ends = max(c.ends, goes) // the rest arrives meanwhile
	default:
		c.ends += m.action.takes()
	}
	if m.timed == isCutIfLong && !m.long {
		return c
	}
	return m.within(c, limit)
}

// within is the call if it may take until limit.
func (m *model) within(c called, limit time.Duration) called {
	limit = max(limit, m.now)
	if c.ends < limit {
		return c
	}
	return m.late(c, limit)
}

// late is the call after it was found that its time is up.
func (m *model) late(c called, found time.Duration) called {
	c.ends, c.code = found, http.StatusServiceUnavailable
	c.heard = m.panics == spoilsPatch && c.webhook == m.webhook
	c.outcome = m.failed()
	if m.left {
		c.outcome = admission.Canceled
	}
	return c
}

// broken is the call after a panic.
func (m *model) broken(c called, at time.Duration) called {
	c.ends, c.code, c.heard = at, http.StatusInternalServerError, m.panics == spoilsPatch
	switch {
	case m.phase == admission.Validating:
		c.outcome = admission.Panicked
	case m.panics == spoilsPatch:
		c.outcome = admission.Internal
	default:
		c.outcome = m.failed()
	}
	return c
}

func (m *model) failed() admission.Outcome {
	if m.ignore {
		return admission.FailedOpen
	}
	return admission.FailedClosed
}

// hear records a call, and returns the status code with which it ends the
// request. on is false if the recording fails.
func (m *model) hear(c called) (code int, on bool) {
	if !m.passes(c.webhook, failpoint.BeforeRecord) {
		return http.StatusInternalServerError, false
	}
	noted := m.passes(c.webhook, failpoint.BeforeAnnotation)
	m.passes(c.webhook, failpoint.AfterAnnotation)
	c.unnoted = !noted
	m.want.calls = append(m.want.calls, c)
	if !m.passes(c.webhook, failpoint.AfterRecord) {
		return http.StatusInternalServerError, false
	}
	return m.statusCode(c), true
}

// statusCode is the table of outcomes; 0 means that the request goes on.
func (m *model) statusCode(c called) int {
	switch {
	case c.outcome == admission.Allowed:
		return 0
	case c.outcome == admission.Internal:
		return http.StatusInternalServerError
	case m.now >= m.over:
		return http.StatusGatewayTimeout // whatever the policy
	case m.ignore:
		return 0
	}
	return http.StatusInternalServerError
}
