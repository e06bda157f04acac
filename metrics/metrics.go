package metrics

import (
	"context"
	"errors"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"example.com/gatehouse/admission"
)

// Metrics counts the engine's records. Make one with New; the zero value does
// not work.
type Metrics struct {
	families
}

// New returns a Metrics that counts in reg, which is required and stays the
// caller's. Every Metrics made with the same reg counts in the same families.
//
// It fails when reg is nil and when one of the names belongs in reg to
// something else, be it a metric of another type or one with other labels or
// another help text.
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

// RecordMatch counts what the matchConditions of a webhook gave: the time they
// took and the errors among them, and whether they kept the webhook from being
// called (S-132, S-335).
//
// Compat: S-153: conditions that are all true leave no trace, not even of the
// time they took.
func (m *Metrics) RecordMatch(_ context.Context, match *admission.Match) {
	conditions := &match.Conditions
	if conditions.Verdict == 0 || conditions.Verdict == admission.ConditionsTrue {
		return
	}
	name, phase, operation := match.Webhook.Name, callType(match.Webhook), string(match.Operation)
	const kind = "webhook" // policies, the other kind, have no place here

	m.evaluationSeconds.WithLabelValues(name, kind, phase, operation).Observe(conditions.Elapsed.Seconds())
	if conditions.Errors > 0 {
		m.evaluationErrors.WithLabelValues(name, kind, phase, operation).Add(float64(conditions.Errors))
	}
	if excluded(match) {
		m.exclusions.WithLabelValues(name, kind, exclusionType(match.Webhook), operation).Inc()
	}
}

// excluded reports whether the conditions made the engine skip the webhook.
// Under failurePolicy Ignore a failure does that as much as a false condition
// (S-151); under Fail it ends the request, which is no exclusion.
func excluded(match *admission.Match) bool {
	return match.Stage == admission.StageConditions && match.Err == nil
}

// RecordCall counts a finished call by its outcome; the table in the package
// comment says as what. A call whose outcome is not set counts as nothing.
//
// Compat: S-255, S-256: a call that failed because the caller went away is
// neither a rejection nor a fail-open, although it may reject the request.
//
// Compat: S-193: a call that panicked is not a request.
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
