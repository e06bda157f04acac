package dispatcher

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	utiltrace "k8s.io/utils/trace"
)

// slowCall is how long a call may take before its trace is logged (S-350).
const slowCall = 500 * time.Millisecond

// instrumentation is the name under which kube-apiserver's tracing runs, so that
// filters written for it keep working.
const instrumentation = "k8s.io/component-base/tracing"

// span is the trace of one call: an OpenTelemetry span if the request has one to
// be a child of, and a step in the log of slow requests.
type span struct {
	otel trace.Span
	util *utiltrace.Trace
}

// startSpan begins the span of a call (S-350).
func startSpan(ctx context.Context, c *call) (context.Context, *span) {
	name := "Call " + c.pass.phase.String() + " webhook"
	a := c.pass.attributes
	attributes := []attribute.KeyValue{
		attribute.String("configuration", c.webhook.Configuration),
		attribute.String("webhook", c.webhook.Name),
		attribute.Stringer("resource", a.GetResource()),
		attribute.String("subresource", a.GetSubresource()),
		attribute.String("operation", string(a.GetOperation())),
		attribute.String("UID", string(c.record.UID)),
	}
	ctx, otel := trace.SpanFromContext(ctx).TracerProvider().Tracer(instrumentation).
		Start(ctx, name, trace.WithAttributes(attributes...))
	fields := make([]utiltrace.Field, len(attributes))
	for i, kv := range attributes {
		fields[i] = utiltrace.Field{Key: string(kv.Key), Value: kv.Value.AsInterface()}
	}
	util := utiltrace.FromContext(ctx).Nest(name, fields...)
	return utiltrace.ContextWithTrace(ctx, util), &span{otel: otel, util: util}
}

// event and end are contained, because by then the outcome of the call is known
// and must not become another one.
func (s *span) event(name string) {
	contain(func() {
		s.otel.AddEvent(name)
		s.util.Step(name)
	})
}

func (s *span) end() {
	contain(func() {
		s.otel.End()
		s.util.LogIfLong(slowCall)
	})
}
