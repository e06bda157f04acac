package dispatcher_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// panicRow is an extension of the host that panics while a webhook admits, with
// a warning, an annotation and, in the mutating phase, a patch. testdata/panic
// has the results.
type panicRow struct {
	row
	damage func(*testRequest)
}

// endPanics is a tracer whose spans panic in End.
type endPanics struct{ noop.TracerProvider }

func (endPanics) Tracer(string, ...trace.TracerOption) trace.Tracer { return endPanicsTracer{} }

type endPanicsTracer struct{ noop.Tracer }

func (endPanicsTracer) Start(ctx context.Context, _ string, _ ...trace.SpanStartOption) (context.Context, trace.Span) {
	return ctx, endPanicsSpan{}
}

// endPanicsSpan is a recording span, so that the engine starts spans in it.
type endPanicsSpan struct{ noop.Span }

func (endPanicsSpan) IsRecording() bool                    { return true }
func (endPanicsSpan) End(...trace.SpanEndOption)           { panic("boom") }
func (endPanicsSpan) TracerProvider() trace.TracerProvider { return endPanics{} }

// startPanicsSpan is a recording span whose tracer panics in Start.
type startPanicsSpan struct{ endPanicsSpan }

func (startPanicsSpan) TracerProvider() trace.TracerProvider { panic("boom") }

// TestTracerPanics: a panic of the host's tracer after a denial does not admit
// the request.
func TestTracerPanics(t *testing.T) {
	t.Parallel()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		for _, span := range []trace.Span{startPanicsSpan{}, endPanicsSpan{}} {
			ctx := trace.ContextWithSpan(t.Context(), span)
			r := one(phase, deny(), ignoring).run(ctx, t, phase)
			if r.calls[0].Outcome != admission.Rejected || r.err == nil {
				t.Errorf("%v, %T: %v with error %v, want a rejection", phase, span, r.calls[0].Outcome, r.err)
			}
		}
	}
}

// TestMeterPanics: a panic of a client's meter changes nothing.
func TestMeterPanics(t *testing.T) {
	t.Parallel()
	meters := map[string]dispatcher.Meter{
		"start": func(context.Context, *url.URL, int) (context.Context, func(*http.Response, int)) { panic("boom") },
		"end": func(ctx context.Context, _ *url.URL, _ int) (context.Context, func(*http.Response, int)) {
			return ctx, func(*http.Response, int) { panic("boom") }
		},
	}
	for name, meter := range meters {
		r := one(admission.Validating, deny(), ignoring)
		r.config = func(c *dispatcher.Config) {
			c.Client = clientFunc(func(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
				e, err := r.backends.Endpoint(ctx, w)
				e.Meter = meter
				return e, err
			})
		}
		if got := r.run(t.Context(), t, admission.Validating); got.calls[0].Outcome != admission.Rejected {
			t.Errorf("%s: %v with error %v, want a rejection", name, got.calls[0].Outcome, got.calls[0].Err)
		}
	}
}

// TestPanicsOfClients: those that a client returns as errors are panics
// nevertheless.
func TestPanicsOfClients(t *testing.T) {
	t.Parallel()
	broken := func(*http.Request) (*http.Response, error) {
		return nil, &admission.PanicError{Value: "boom", Stack: []byte("where it happened")}
	}
	call := one(admission.Validating, broken).run(t.Context(), t, admission.Validating).calls[0]
	var panicked *admission.PanicError
	if call.Outcome != admission.Panicked || !errors.As(call.Err, &panicked) || string(panicked.Stack) != "where it happened" {
		t.Errorf("%v with error %v, want a panic and its own stack", call.Outcome, call.Err)
	}
}

// TestPanics: kube-apiserver contains those of validating calls only (S-185).
func TestPanics(t *testing.T) {
	t.Parallel()
	testtable.Run(t, append(hostPanicRows(), reportPanicRows()...), func(t *testing.T, tc panicRow) {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n", tc.Why())
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			fmt.Fprintf(&b, "\n---- %v\n%s", phase, tc.run(t, phase))
		}
		matchFile(t, b.String(), "panic", strings.ReplaceAll(tc.Name(), " ", "_")+".txt")
	})
}

func (tc *panicRow) run(t *testing.T, phase admission.Phase) string {
	t.Helper()
	members := `"allowed":true,"warnings":["careful"],"auditAnnotations":{"a":"1"}`
	if phase == admission.Mutating {
		members += "," + patchMembers(`[`+addLabel("by", "hook")+`]`)
	}
	s := one(phase, reply(members), ignoring)
	s.request.object = pod("app", "web")
	tc.damage(s)
	return s.run(t.Context(), t, phase).describe(t)
}

// hostPanicRows are panics in what the engine needs to come to a decision.
func hostPanicRows() []panicRow {
	objects := func(o faulty) func(*testRequest) {
		return func(s *testRequest) { o.ObjectInterfaces = s.interfaces(); s.objects = &o }
	}
	return []panicRow{{
		row:    row{"converter", "an error of the conversion, before any call"},
		damage: objects(faulty{convertor: panicking{}}),
	}, {
		row:    row{"creater", "an error of the conversion, before any call"},
		damage: objects(faulty{creater: panicking{}}),
	}, {
		row:    row{"defaulter", "an internal error, which no policy forgives; a validating webhook needs no defaults"},
		damage: objects(faulty{defaulter: panicking{}}),
	}, {
		row: row{"mapper", "an error of the matching, before any call"},
		damage: func(s *testRequest) {
			objects(faulty{mapper: panicking{}})(s)
			s.webhooks[0].MatchPolicy = new(registrationv1.Equivalent)
			s.webhooks[0].Rules[0].Resources = []string{"others"}
		},
	}, {
		row: row{"namespaces", "an error of the matching, before any call"},
		damage: func(s *testRequest) {
			s.webhooks[0].NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"env": "prod"}}
			s.config = func(c *dispatcher.Config) { c.Namespaces = panicking{} }
		},
	}, {
		row: row{"authorizer", "CEL contains it, so it is an error of the condition like any other (S-151)"},
		damage: func(s *testRequest) {
			s.webhooks[0].FailurePolicy = nil
			s.webhooks[0].MatchConditions = []registrationv1.MatchCondition{{
				Name: "allowed", Expression: "authorizer.requestResource.check('get').allowed()",
			}}
			s.config = func(c *dispatcher.Config) { c.Authorizer = panicking{} }
		},
	}}
}

// reportPanicRows are panics in recorders. They change nothing.
func reportPanicRows() []panicRow {
	return []panicRow{{
		row: row{"metrics", "a metrics recorder does not decide"},
		damage: func(s *testRequest) {
			s.config = func(c *dispatcher.Config) { c.Metrics = recorders{c.Metrics, panicking{}} }
		},
	}, {
		row:    row{"observer", "an observer does not decide"},
		damage: func(s *testRequest) { s.config = func(c *dispatcher.Config) { c.Observer = panicking{} } },
	}, {
		row: row{"annotations", "the audit event does not decide; the call records the panic"},
		damage: func(s *testRequest) {
			s.wrap = func(a apiadmission.Attributes) apiadmission.Attributes { return unannotated{a} }
		},
	}, {
		row:    row{"warnings", "a warning recorder does not decide"},
		damage: func(s *testRequest) { s.warnings = panicking{} },
	}}
}

// panicking is everything that the engine gets from its host, and it panics.
type panicking struct{}

func (panicking) Convert(_, _, _ any) error { panic("boom") }

func (panicking) ConvertToVersion(runtime.Object, runtime.GroupVersioner) (runtime.Object, error) {
	panic("boom")
}

func (panicking) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	panic("boom")
}

func (panicking) EquivalentResourcesFor(schema.GroupVersionResource, string) []schema.GroupVersionResource {
	panic("boom")
}
func (panicking) KindFor(schema.GroupVersionResource, string) schema.GroupVersionKind { panic("boom") }
func (panicking) New(schema.GroupVersionKind) (runtime.Object, error)                 { panic("boom") }
func (panicking) Default(runtime.Object)                                              { panic("boom") }
func (panicking) Labels(context.Context, string) (map[string]string, error)           { panic("boom") }
func (panicking) RecordMatch(context.Context, *admission.Match)                       { panic("boom") }
func (panicking) RecordCall(context.Context, *admission.Call)                         { panic("boom") }
func (panicking) AddWarning(_, _ string)                                              { panic("boom") }
func (panicking) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	panic("boom")
}

// unannotated are attributes that panic when they are annotated.
type unannotated struct{ apiadmission.Attributes }

func (unannotated) AddAnnotation(string, string) error { panic("boom") }

func (unannotated) AddAnnotationWithLevel(string, string, auditinternal.Level) error { panic("boom") }

// faulty are object interfaces of which some parts are replaced.
type faulty struct {
	apiadmission.ObjectInterfaces
	creater   runtime.ObjectCreater
	convertor runtime.ObjectConvertor
	defaulter runtime.ObjectDefaulter
	mapper    runtime.EquivalentResourceMapper
}

func (f *faulty) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper {
	if f.mapper != nil {
		return f.mapper
	}
	return f.ObjectInterfaces.GetEquivalentResourceMapper()
}

func (f *faulty) GetObjectCreater() runtime.ObjectCreater {
	if f.creater != nil {
		return f.creater
	}
	return f.ObjectInterfaces.GetObjectCreater()
}

func (f *faulty) GetObjectConvertor() runtime.ObjectConvertor {
	if f.convertor != nil {
		return f.convertor
	}
	return f.ObjectInterfaces.GetObjectConvertor()
}

func (f *faulty) GetObjectDefaulter() runtime.ObjectDefaulter {
	if f.defaulter != nil {
		return f.defaulter
	}
	return f.ObjectInterfaces.GetObjectDefaulter()
}
