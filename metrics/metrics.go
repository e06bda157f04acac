package metrics

import (
	"context"
	"errors"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"example.com/gatehouse/admission"
)

// Metrics counts the engine's records. Use New to create one; the zero value does not
// work.
type Metrics struct {
	families
}

// New returns a Metrics whose families are registered with reg, which is required. All
// Metrics with the same reg share their families.
//
// It fails if reg is nil, or if reg has a different metric of the same name: one of
// another type, with other labels or with another help text.
func New(reg prometheus.Registerer) (*Metrics, error) {
	if reg == nil {
		return nil, errors.New("metrics: no registerer: pass the prometheus.Registry that is to hold the metrics")
	}
	f, err := register(reg)
	if err != nil {
		return nil, err
	}
	return &Metrics{families: f}, nil
}

// RecordMatch counts the evaluation of a webhook's matchConditions: its duration, its
// errors, and whether it excluded the webhook (S-132, S-335).
//
// Compat: S-153: if all conditions are true, nothing is counted, not even the duration.
func (m *Metrics) RecordMatch(_ context.Context, match *admission.Match) {
	conditions := &match.Conditions
	if conditions.Verdict == 0 || conditions.Verdict == admission.ConditionsTrue {
		return
	}
	name, phase, operation := match.Webhook.Name, callType(match.Webhook), string(match.Operation)
	const kind = "webhook" // the other kind is "policy"

	m.evaluationSeconds.WithLabelValues(name, kind, phase, operation).Observe(conditions.Elapsed.Seconds())
	if conditions.Errors > 0 {
		m.evaluationErrors.WithLabelValues(name, kind, phase, operation).Add(float64(conditions.Errors))
	}
	if excluded(match) {
		m.exclusions.WithLabelValues(name, kind, exclusionType(match.Webhook), operation).Inc()
	}
}

// excluded reports whether the conditions excluded the webhook. With failurePolicy
// Ignore, an error excludes it as a false condition does (S-151); with Fail, an error
// fails the request, which does not count as an exclusion.
func excluded(match *admission.Match) bool {
	return match.Stage == admission.StageConditions && match.Err == nil
}

// RecordCall counts a finished call by its outcome; see the table in the package comment.
// It ignores a call without an outcome.
//
// Compat: S-255, S-256: a call that failed because its request was canceled counts neither
// as a rejection nor as a fail-open, although it may reject the request.
//
// Compat: S-193: a call that panicked does not count as a request.
func (m *Metrics) RecordCall(_ context.Context, call *admission.Call) {
	switch call.Outcome {
	case admission.Allowed, admission.Canceled:
		m.request(call)
	case admission.Rejected:
		m.request(call)
		m.rejection(call, "no_error")
	case admission.FailedClosed:
		m.request(call)
		m.rejection(call, "calling_webhook_error")
	case admission.Internal:
		m.request(call)
		m.rejection(call, "apiserver_internal_error")
	case admission.FailedOpen:
		m.request(call)
		m.failOpen(call)
	case admission.Panicked:
		if call.Webhook.IgnoresFailures() {
			m.failOpen(call)
		}
	}
}

func (m *Metrics) request(call *admission.Call) {
	name, phase, operation := call.Webhook.Name, callType(call.Webhook), string(call.Operation)
	rejected := strconv.FormatBool(call.Rejects())
	m.requests.WithLabelValues(name, phase, operation, code(call), rejected).Inc()
	m.duration.WithLabelValues(name, phase, operation, rejected).Observe(call.Duration.Seconds())
}

func (m *Metrics) rejection(call *admission.Call, errorType string) {
	w := call.Webhook
	m.rejections.WithLabelValues(w.Name, callType(w), string(call.Operation), errorType, code(call)).Inc()
}

func (m *Metrics) failOpen(call *admission.Call) {
	m.failOpens.WithLabelValues(call.Webhook.Name, callType(call.Webhook)).Inc()
}
