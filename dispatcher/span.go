package dispatcher

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"k8s.io/klog/v2"
	utiltrace "k8s.io/utils/trace"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
)

// slowCall is how long a call may take before its trace is logged (S-350).
const slowCall = 500 * time.Millisecond

// instrumentation is the name under which kube-apiserver's tracing runs, so that
// filters written for it keep working.
const instrumentation = "k8s.io/component-base/tracing"

// span is the trace of one call: an OpenTelemetry span if the request has one to
// be a child of, and a step in the log of slow requests, nil if there is none.
type span struct {
	otel trace.Span
	util *utiltrace.Trace
}

// startSpan begins the span of a call (S-350). What nobody is going to look at is
// not made: attributes if the request has no span, the text of the log line if the
// call is not slow.
func startSpan(ctx context.Context, c *call) (context.Context, *span) {
	name := callOfMutating
	if c.pass.phase == admission.Validating {
		name = callOfValidating
	}
	s := &c.span
	s.otel = trace.SpanFromContext(ctx)
	if s.otel.SpanContext().IsValid() || s.otel.IsRecording() {
		ctx, s.otel = s.otel.TracerProvider().Tracer(instrumentation).Start(ctx, name, trace.WithAttributes(c.attributes()...))
	}
	above := utiltrace.FromContext(ctx)
	if above == nil && !klog.V(traceVerbosity).Enabled() {
		return ctx, s
	}
	// All fields are the value of the first one, which is written in front.
	s.util = above.Nest(name, utiltrace.Field{Key: configurationKey, Value: (*fields)(c)})
	return utiltrace.ContextWithTrace(ctx, s.util), s
}

// traceVerbosity is from which verbosity on traces are logged at all.
const traceVerbosity = 2

const (
	callOfMutating   = "Call mutating webhook"
	callOfValidating = "Call validating webhook"
	configurationKey = "configuration"
)

// attributes are those of the span.
func (c *call) attributes() []attribute.KeyValue {
	a := c.pass.attributes
	return []attribute.KeyValue{
		attribute.String(configurationKey, c.webhook.Configuration),
		attribute.String("webhook", c.webhook.Name),
		attribute.Stringer("resource", a.GetResource()),
		attribute.String("subresource", a.GetSubresource()),
		attribute.String("operation", string(a.GetOperation())),
		attribute.String("UID", string(c.record.UID)),
	}
}

// fields is a call that is written as the attributes of its span, but for the name
// of the first.
type fields call

// String implements fmt.Stringer.
func (f *fields) String() string {
	var list []string
	for _, kv := range (*call)(f).attributes() {
		list = append(list, fmt.Sprintf("%s:%v", kv.Key, kv.Value.AsInterface()))
	}
	return strings.TrimPrefix(strings.Join(list, ","), configurationKey+":")
}

// event and end are contained, because by then the outcome of the call is known
// and must not become another one.
func (s *span) event(name string) {
	_ = guard.Do(func() {
		s.otel.AddEvent(name)
		if s.util != nil {
			s.util.Step(name)
		}
	})
}

func (s *span) end() {
	_ = guard.Do(func() {
		s.otel.End()
		if s.util != nil {
			s.util.LogIfLong(slowCall)
		}
	})
}
