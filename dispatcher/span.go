package dispatcher

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"k8s.io/klog/v2"
	utiltrace "k8s.io/utils/trace"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
)

// slowCall is the duration from which the trace of a call is logged (S-350).
const slowCall = 500 * time.Millisecond

// instrumentation is the name of kube-apiserver's tracer, so that filters for
// it keep working.
const instrumentation = "k8s.io/component-base/tracing"

// span is the trace of one call: an OpenTelemetry span, if the request has a
// span, and a step of the log of slow requests, if there is one.
type span struct {
	otel trace.Span
	util *utiltrace.Trace
}

// startSpan starts the span of a call (S-350). It computes the attributes only
// if the request has a span, and the text of the log line only if the call is
// slow.
func startSpan(ctx context.Context, c *call) (context.Context, *span) {
	name := callOfMutating
	if c.run.phase == admission.Validating {
		name = callOfValidating
	}
	s := &c.span
	s.otel = noop.Span{}
	if of := trace.SpanFromContext(ctx); of.SpanContext().IsValid() || of.IsRecording() {
		ctx = s.startIn(ctx, of, name, c)
	}
	above := utiltrace.FromContext(ctx)
	if above == nil && !klog.V(traceVerbosity).Enabled() {
		return ctx, s
	}
	// The log line prints all attributes as the value of the first field.
	s.util = above.Nest(name, utiltrace.Field{Key: configurationKey, Value: (*fields)(c)})
	return utiltrace.ContextWithTrace(ctx, s.util), s
}

// startIn starts the OpenTelemetry span in the span of the request. It returns ctx if the
// embedder's tracer panics.
func (s *span) startIn(ctx context.Context, of trace.Span, name string, c *call) context.Context {
	_ = guard.Do(func() {
		tracer := of.TracerProvider().Tracer(instrumentation)
		ctx, s.otel = tracer.Start(ctx, name, trace.WithAttributes(c.attributes()...))
	})
	return ctx
}

// traceVerbosity is the least verbosity at which traces are logged.
const traceVerbosity = 2

const (
	callOfMutating   = "Call mutating webhook"
	callOfValidating = "Call validating webhook"
	configurationKey = "configuration"
)

// attributes returns the attributes of the span.
func (c *call) attributes() []attribute.KeyValue {
	a := c.run.attributes
	return []attribute.KeyValue{
		attribute.String(configurationKey, c.webhook.Configuration),
		attribute.String("webhook", c.webhook.Name),
		attribute.Stringer("resource", a.GetResource()),
		attribute.String("subresource", a.GetSubresource()),
		attribute.String("operation", string(a.GetOperation())),
		attribute.String("UID", string(c.record.UID)),
	}
}

// fields prints the attributes of a call's span, without the name of the first.
type fields call

// String implements fmt.Stringer.
func (f *fields) String() string {
	var list []string
	for _, kv := range (*call)(f).attributes() {
		list = append(list, fmt.Sprintf("%s:%v", kv.Key, kv.Value.AsInterface()))
	}
	return strings.TrimPrefix(strings.Join(list, ","), configurationKey+":")
}

// event adds an event to the span. Like startIn and end, it recovers from a panic of the
// embedder's tracer, which must not change the outcome of the call.
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
