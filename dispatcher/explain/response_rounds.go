package explain

import (
	"crypto/tls"
	"encoding/json"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
)

// rounds groups matches and calls by phase and round.
func (b *builder) rounds() {
	r := b.response
	for i := range r.Matches {
		m := &r.Matches[i]
		if m.Webhook == nil {
			b.addProblem("match %d names no webhook", i)
			continue
		}
		w := newWebhook(m.Webhook, m.Index)
		w.Stage, w.Match = m.Stage.String(), newMatch(m)
		if m.Err != nil {
			w.Error = m.Err.Error()
		}
		at := b.round(m.Webhook.Phase, m.Round)
		at.Webhooks = append(at.Webhooks, w)
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.Webhook == nil {
			b.addProblem("call %d names no webhook", i)
			continue
		}
		w := b.webhook(c)
		w.Called, w.Call = true, b.call(c)
	}
}

// round returns a round, adding it if it is new.
func (b *builder) round(phase admission.Phase, round int) *Round {
	for i := range b.Rounds {
		if r := &b.Rounds[i]; r.Phase == phase.String() && r.Round == round {
			return r
		}
	}
	b.Rounds = append(b.Rounds, Round{Phase: phase.String(), Round: round})
	return &b.Rounds[len(b.Rounds)-1]
}

// webhook returns the webhook of a call, adding it if its match was not
// recorded.
func (b *builder) webhook(c *admission.Call) *Webhook {
	r := b.round(c.Webhook.Phase, c.Round)
	for i := range r.Webhooks {
		if w := &r.Webhooks[i]; w.UID == c.Webhook.UID {
			return w
		}
	}
	w := newWebhook(c.Webhook, c.Index)
	w.Stage, w.Match = admission.StagePassed.String(), Match{Rule: -1}
	r.Webhooks = append(r.Webhooks, w)
	return &r.Webhooks[len(r.Webhooks)-1]
}

func newWebhook(w *admission.Webhook, position int) Webhook {
	spec := Spec{
		Rules:             w.Rules,
		NamespaceSelector: w.NamespaceSelector,
		ObjectSelector:    w.ObjectSelector,
		MatchConditions:   w.MatchConditions,
		MatchPolicy: stringOf(
			w.MatchPolicy,
		),
		FailurePolicy:      stringOf(w.FailurePolicy),
		SideEffects:        stringOf(w.SideEffects),
		ReinvocationPolicy: stringOf(w.ReinvocationPolicy),
	}
	if w.TimeoutSeconds != nil {
		spec.TimeoutSeconds = *w.TimeoutSeconds
	}
	return Webhook{
		Configuration: w.Configuration,
		Name:          w.Name,
		UID:           w.UID,
		Static:        w.Static,
		Position:      position,
		Spec:          spec,
	}
}

func stringOf[T ~string](value *T) string {
	if value == nil {
		return ""
	}
	return string(*value)
}

func newMatch(m *admission.Match) Match {
	e := Match{Rule: m.Rule}
	if m.Target != (admission.Target{}) {
		e.Target = &Target{
			Resource: metav1.GroupVersionResource(
				m.Target.Resource,
			),
			Subresource: m.Target.Subresource,
			Kind:        metav1.GroupVersionKind(m.Target.Kind),
		}
	}
	if m.Conditions.Err != nil {
		e.ConditionsError = m.Conditions.Err.Error()
	}
	for _, c := range m.Conditions.Results {
		e.Conditions = append(e.Conditions, newCondition(c))
	}
	if m.Seen == nil {
		return e
	}
	e.NamespaceLabels = m.Seen.NamespaceLabels
	e.ObjectLabels, e.OldObjectLabels = m.Seen.ObjectLabels, m.Seen.OldObjectLabels
	for _, part := range m.Seen.RuleMisses {
		e.RuleMisses = append(e.RuleMisses, part.String())
	}
	for _, r := range m.Seen.Equivalents {
		e.Equivalents = append(e.Equivalents, metav1.GroupVersionResource(r))
	}
	e.Equivalent = m.Rule >= 0 &&
		(m.Rule >= len(m.Seen.RuleMisses) || m.Seen.RuleMisses[m.Rule] != admission.RuleMatched)
	return e
}

func newCondition(c admission.ConditionResult) Condition {
	e := Condition{Name: c.Name, Expression: c.Expression, Cost: c.Cost}
	if c.Err != nil {
		e.Error = c.Err.Error()
	} else {
		e.Value = &c.Value
	}
	return e
}

func (b *builder) call(c *admission.Call) *Call {
	e := &Call{
		Index: c.Index, UID: string(c.UID), ReviewVersion: c.ReviewVersion, URL: c.URL,
		Seconds: c.Duration.Seconds(), Outcome: c.Outcome.String(), Code: c.Code, Policy: b.policy(c),
		Mutated: c.Changed, Warnings: c.Warnings, AuditAnnotations: c.AuditAnnotations,
		Dropped: c.Dropped.Warnings + c.Dropped.AuditAnnotations,
	}
	if c.Err != nil {
		e.Error = c.Err.Error()
		b.addFailure(e, c)
	}
	if err := json.Unmarshal(c.Patch, &e.Patch); c.Patch != nil && err != nil {
		b.addProblem("the patch of %s cannot be shown: %v", c.Webhook.Name, err)
	}
	if c.Trace != nil {
		b.addTrace(e, c.Trace)
	}
	return e
}

// addFailure adds what is known about a failed call beyond its error. An
// injected fault needs no hint.
func (b *builder) addFailure(e *Call, c *admission.Call) {
	if is := b.options.notReached; is != nil && is(c.Err) {
		e.Outcome = OutcomeNotReached
	}
	if in := b.options.faultOf; in != nil && in(c.Webhook.Configuration, c.Webhook.Name) != "" {
		return
	}
	if of := b.options.callHint; of != nil {
		e.Hint = of(c)
	}
	if e.Hint == "" {
		e.Hint = CallHint(c)
	}
}

// addTrace adds the data of a trace to a call.
func (b *builder) addTrace(e *Call, t *admission.Trace) {
	if began := b.response.Began; !began.IsZero() {
		e.Begin = t.Began.Sub(began).Seconds()
	}
	e.StatusCode, e.Protocol = t.StatusCode, t.Connection.Proto
	e.Address, e.Reused = t.Connection.Address, t.Connection.Reused
	e.Timing = &Timing{
		Connect: t.Timing.Connect.Seconds(),
		TLS:     t.Timing.TLS.Seconds(),
		Wait:    t.Timing.Wait.Seconds(),
		Read:    t.Timing.Read.Seconds(),
	}
	if s := t.Connection.TLS; s != nil {
		e.TLS = tls.VersionName(s.Version) + ", " + tls.CipherSuiteName(s.CipherSuite)
		if s.ServerName != "" {
			e.TLS += ", for " + s.ServerName
		}
	}
	e.Response = Body(t.Response)
	if t.Request != nil {
		e.Request = Body(t.Request())
	}
}

// policy describes the effect of failurePolicy on a call that failed.
func (b *builder) policy(c *admission.Call) string {
	switch c.Outcome {
	case admission.FailedClosed, admission.FailedOpen, admission.Canceled, admission.Panicked:
		switch {
		case !c.Webhook.IgnoresFailures():
			return "failurePolicy Fail ends the request"
		case b.timedOut(c):
			return "failurePolicy Ignore has no effect: the deadline of the request is over"
		}
		return "failurePolicy Ignore lets the request go on"
	case admission.Internal:
		return "failurePolicy has no effect on this error: the request ends"
	case admission.Allowed, admission.Rejected:
		return ""
	}
	return ""
}

// timedOut reports whether the failed call ended the request because the
// request's deadline had passed.
func (b *builder) timedOut(c *admission.Call) bool {
	r := b.response
	if r.Status == nil || r.Status.Code != http.StatusGatewayTimeout {
		return false
	}
	return c.Webhook.Phase == admission.Validating || c == &r.Calls[len(r.Calls)-1]
}
