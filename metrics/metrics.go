package metrics

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/metrics/internal/counts"
)

// Metrics counts the engine's records. Use New to create one; the zero value
// does not work.
type Metrics struct {
	families
}

// New returns a Metrics whose families are registered with reg, which is
// required. All Metrics with the same reg share their families.
//
// It fails if reg is nil, or if reg has a different metric of the same name:
// one of another type, with other labels or with another help text.
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

// RecordMatch counts the evaluation of a webhook's matchConditions: its
// duration, its errors, and whether it excluded the webhook (S-132, S-335).
func (m *Metrics) RecordMatch(ctx context.Context, match *admission.Match) {
	if !counts.Evaluated(match) {
		return
	}
	c := &match.Conditions
	name, operation := match.Webhook.Name, string(match.Operation)
	phase := counts.CallType(match.Webhook)
	observe(ctx, m.evaluationSeconds.WithLabelValues(name, counts.Kind, phase, operation), c.Elapsed)
	if c.Errors > 0 {
		m.evaluationErrors.WithLabelValues(name, counts.Kind, phase, operation).Add(float64(c.Errors))
	}
	if counts.Excluded(match) {
		m.exclusions.WithLabelValues(name, counts.Kind,
			counts.ExclusionType(match.Webhook), operation).Inc()
	}
}

// RecordCall counts a finished call by its outcome; see the table in the
// package comment. It ignores a call without an outcome.
func (m *Metrics) RecordCall(ctx context.Context, call *admission.Call) {
	counted := counts.OfCall(call)
	w, operation := call.Webhook, string(call.Operation)
	phase := counts.CallType(w)
	if counted.Request {
		rejected := strconv.FormatBool(call.Rejects())
		m.requests.WithLabelValues(w.Name, phase, operation, code(call), rejected).Inc()
		observe(ctx, m.duration.WithLabelValues(w.Name, phase, operation, rejected), call.Duration)
	}
	if counted.Rejection != "" {
		m.rejections.WithLabelValues(w.Name, phase, operation,
			string(counted.Rejection), code(call)).Inc()
	}
	if counted.FailOpen {
		m.failOpens.WithLabelValues(w.Name, phase).Inc()
	}
}

// observe observes a duration, with an exemplar if the trace of the context is sampled,
// as upstream does. Upstream's counters with labels have none.
func observe(ctx context.Context, h prometheus.Observer, elapsed time.Duration) {
	span := trace.SpanContextFromContext(ctx)
	if e, ok := h.(prometheus.ExemplarObserver); ok && span.IsValid() && span.IsSampled() {
		e.ObserveWithExemplar(elapsed.Seconds(), prometheus.Labels{
			"trace_id": span.TraceID().String(), "span_id": span.SpanID().String(),
		})
		return
	}
	h.Observe(elapsed.Seconds())
}

// maxCode stands for all codes above it: the webhook chooses the code, and
// every code is a new time series (S-331, S-332).
const maxCode = 600

// code returns the label for the status code of a call. Allowed and Internal
// have fixed codes.
func code(call *admission.Call) string {
	switch call.Outcome {
	case admission.Allowed:
		return "200"
	case admission.Internal:
		return "0"
	default:
		return strconv.Itoa(min(call.Code, maxCode))
	}
}
