package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/trace"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/audit"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/component-base/metrics/legacyregistry"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/parity/webhookserver"
)

// run is one request in progress on one side.
type run struct {
	environment *environment
	host        *host
	server      *webhookserver.Server
	request     *Request
	// mark, if not empty, distinguishes the run's reviews from those of others,
	// see marked.
	mark string
	// asked is the request to explain, on the side Explained.
	asked *admission.Request
	// trace is the trace that the run's spans belong to.
	trace trace.TraceID
	clock ticking
	// deadline is the request's, which a late answer has pass.
	deadline *deadline

	// records are the attributes of the phases: a server makes new ones after
	// the mutating phase, except for connections.
	records  []apiadmission.Attributes
	warnings warnings
	// mutatingCalls is how many requests webhooks had got when the mutating
	// phase was over.
	mutatingCalls int
	validated     bool
	// entered is the object as the mutating plugin got it last, saw what
	// in-tree plugins saw.
	entered Held
	saw     []string
	// matches and calls are an observer's.
	matches []admission.Match
	calls   []admission.Call
}

type runKey struct{}

// runOf returns the run that a context belongs to.
func runOf(ctx context.Context) *run { return ctx.Value(runKey{}).(*run) }

// observe sends one request through one side, alone.
func (p *environment) observe(
	ctx context.Context, h *host, server *webhookserver.Server, r *Request,
) (Observation, error) {
	if err := server.Script(p.spec.Answers); err != nil {
		return Observation{}, err
	}
	x := p.newRun(h, server, r)
	server.Watch(func(webhookserver.Request) { x.clock.advance() })
	server.WatchLate(func(webhookserver.Request) { x.deadline.pass() })
	legacyregistry.Reset()
	h.spans.Reset()
	p.callLog.take()
	o := x.take(ctx)
	o.HostCalls = p.callLog.take().with(r.callLog.take())
	var err error
	if o.Metrics, err = Metrics(); err != nil {
		return Observation{}, err
	}
	return o, nil
}

func (p *environment) newRun(h *host, server *webhookserver.Server, r *Request) *run {
	x := &run{environment: p, host: h, server: server, request: r, mark: markOfUser(r.user),
		deadline: newDeadline()}
	if h.side == Explained {
		x.asked = r.asked()
	}
	return x
}

// take takes the request through the chain, and returns all that is the run's
// own.
func (x *run) take(ctx context.Context) Observation {
	r := x.request
	oldObject, options := hold(r.oldObject), hold(r.options)
	bare := ctx
	ctx = x.prepare(ctx)
	ctx, root := x.host.traces.Tracer("world").Start(ctx, "request")
	x.trace = root.SpanContext().TraceID()
	x.deadline.Context = ctx
	limited, cancel := within(x.deadline, r.Deadline.Duration)
	panicked, err := x.serve(limited)
	over := limited.Err() != nil
	cancel()
	root.End()

	o := Observation{
		Error:     failure(panicked, err),
		Object:    hold(r.object),
		OldObject: changed(oldObject, hold(r.oldObject)),
		Options:   changed(options, hold(r.options)),
		Request:   audit.AuditContextFrom(ctx).GetEventAnnotations(),
		Metadata:  x.metadata(bare),
		InTree:    x.saw,
		validated: x.validated,
		over:      over,
		entered:   x.entered,
		versioned: r.versioned,
	}
	x.collect(ctx, &o)
	if x.host.side == Explained {
		x.explain(&o)
	}
	return o
}

// prepare puts into the context what a server's handlers put there.
func (x *run) prepare(ctx context.Context) context.Context {
	ctx = context.WithValue(ctx, runKey{}, x)
	ctx = endpointsrequest.WithLatencyTrackersAndCustomClock(audit.WithAuditContext(ctx), &x.clock)
	// The context is new, so there is nothing that could be initialized
	// already.
	_ = audit.AuditContextFrom(
		ctx).Init(audit.RequestAuditConfig{Level: auditinternal.LevelRequest}, nil)
	return warning.WithWarningRecorder(ctx, &x.warnings)
}

// within gives a request its deadline; a negative one is over.
func within(ctx context.Context, deadline time.Duration) (context.Context, context.CancelFunc) {
	if deadline == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, deadline)
}

// serve does what a server's handlers do with an admission chain.
func (x *run) serve(ctx context.Context) (panicked any, err error) {
	defer func() {
		panicked = recover()
		if x.warnings.phases == nil {
			x.endMutating()
		}
	}()
	operation := apiadmission.Operation(x.request.Operation)
	attributes := x.request.Attributes()
	x.records = append(x.records, attributes)
	chain := x.environment.chains[x.host.side]
	if mutating, ok := chain.(apiadmission.MutationInterface); ok && chain.Handles(operation) {
		err = mutating.Admit(ctx, attributes, x.request.Interfaces)
	}
	x.endMutating()
	if err != nil {
		return nil, err
	}
	x.validated = true
	if operation != apiadmission.Connect {
		attributes = x.request.Attributes()
		x.records = append(x.records, attributes)
	}
	if validating, ok := chain.(apiadmission.ValidationInterface); ok && chain.Handles(operation) {
		err = validating.Validate(ctx, attributes, x.request.Interfaces)
	}
	return nil, err
}

// endMutating draws the line between what the phases leave.
func (x *run) endMutating() {
	x.mutatingCalls = len(x.requests())
	x.clock.abreast()
	x.warnings.nextPhase()
}

// metadata has the annotations written into another audit event, of the lower
// level. The context must not have one.
func (x *run) metadata(ctx context.Context) map[string]string {
	low := audit.WithAuditContext(ctx)
	event := audit.AuditContextFrom(low)
	_ = event.Init(audit.RequestAuditConfig{Level: auditinternal.LevelMetadata}, nil)
	for _, record := range x.records {
		WriteAnnotations(low, record, x.request.Interfaces)
	}
	return event.GetEventAnnotations()
}

// WriteAnnotations writes a record's annotations into the audit event of the
// context, as apiserver does after every plugin that did not panic.
func WriteAnnotations(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) {
	_ = apiadmission.WithAudit(nothing{}).(apiadmission.MutationInterface).Admit(ctx, a, o)
}

// nothing is a plugin after which annotations are written.
type nothing struct{}

// Handles implements apiadmission.Interface.
func (nothing) Handles(apiadmission.Operation) bool { return true }

// Admit implements apiadmission.MutationInterface.
func (nothing) Admit(
	context.Context, apiadmission.Attributes, apiadmission.ObjectInterfaces,
) error {
	return nil
}

// failure describes an error.
func failure(panicked any, err error) Failure {
	if panicked != nil {
		return Failure{Type: "panic", Text: fmt.Sprint(panicked)}
	}
	if err == nil {
		return Failure{}
	}
	f := Failure{Type: fmt.Sprintf("%T", err), Text: err.Error()}
	if s, ok := err.(apierrors.APIStatus); ok {
		status, marshalErr := json.Marshal(s.Status())
		if marshalErr != nil {
			status = []byte(marshalErr.Error())
		}
		f.Status = string(status)
	}
	return f
}

func changed(before, after Held) Held {
	after.Changed = before != after
	return after
}
