package world

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/audit"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/utils/clock"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/parity/hook"
)

// run is one request on its way through one side.
type run struct {
	host    *host
	server  *hook.Server
	chain   apiadmission.Interface
	request *Request
	// asked is for the explanation; nil if there is to be none.
	asked *admission.Request
	// records are the attributes of the phases: a server makes new ones after
	// the mutating phase, except for connections.
	records  []apiadmission.Attributes
	warnings warnings
	// mutatingCalls is how many requests webhooks had got when the mutating
	// phase was over.
	mutatingCalls int
	validated     bool
}

// observe takes a request through one side.
func (p *place) observe(ctx context.Context, h *host, server *hook.Server, r *Request) (Observation, error) {
	if err := server.Script(p.world.Answers); err != nil {
		return Observation{}, err
	}
	oldObject, options := hold(r.oldObject), hold(r.options)
	legacyregistry.Reset()
	p.journal.take()
	h.spans.Reset()
	h.entered, h.records = Held{}, h.records.forget()
	x := &run{host: h, server: server, chain: p.chains[h.side], request: r}
	if h.records != nil {
		x.asked = r.asked()
	}
	for _, t := range p.inTree[h.side] {
		t.saw = nil
	}

	bare := ctx
	ctx = x.prepare(ctx)
	ctx, root := h.traces.Tracer("world").Start(ctx, "request")
	limited, cancel := within(ctx, r.Deadline.Duration)
	panicked, err := x.serve(limited)
	over := limited.Err() != nil
	cancel()
	root.End()

	o := Observation{
		Error:     failure(panicked, err),
		Asked:     p.journal.take().with(r.journal.take()),
		Object:    hold(r.object),
		OldObject: changed(oldObject, hold(r.oldObject)),
		Options:   changed(options, hold(r.options)),
		Request:   audit.AuditContextFrom(ctx).GetEventAnnotations(),
		Metadata:  x.metadata(bare),
		validated: x.validated,
		over:      over,
		entered:   h.entered,
		versioned: r.versioned,
	}
	x.collect(ctx, &o)
	x.explain(&o)
	for _, t := range p.inTree[h.side] {
		o.InTree = append(o.InTree, t.saw...)
	}
	if o.Metrics, err = Metrics(); err != nil {
		return Observation{}, err
	}
	return o, nil
}

// prepare puts into the context what a server's handlers put there.
func (x *run) prepare(ctx context.Context) context.Context {
	ctx = endpointsrequest.WithLatencyTrackersAndCustomClock(audit.WithAuditContext(ctx), strict{})
	// The context is new, so there is nothing that could be initialized already.
	_ = audit.AuditContextFrom(ctx).Init(audit.RequestAuditConfig{Level: auditinternal.LevelRequest}, nil)
	return warning.WithWarningRecorder(ctx, &x.warnings)
}

// strict is a clock on which everything takes time, even what is over before the
// real one moves on: a call that is not made because the request is over.
type strict struct{ clock.RealClock }

// Since implements clock.PassiveClock.
func (s strict) Since(t time.Time) time.Duration { return s.RealClock.Since(t) + 1 }

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
	if mutating, ok := x.chain.(apiadmission.MutationInterface); ok && x.chain.Handles(operation) {
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
	if validating, ok := x.chain.(apiadmission.ValidationInterface); ok && x.chain.Handles(operation) {
		err = validating.Validate(ctx, attributes, x.request.Interfaces)
	}
	return nil, err
}

// endMutating draws the line between what the phases leave.
func (x *run) endMutating() {
	x.mutatingCalls = len(x.server.Requests())
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
func WriteAnnotations(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) {
	_ = apiadmission.WithAudit(nothing{}).(apiadmission.MutationInterface).Admit(ctx, a, o)
}

// nothing is a plugin after which annotations are written.
type nothing struct{}

// Handles implements apiadmission.Interface.
func (nothing) Handles(apiadmission.Operation) bool { return true }

// Admit implements apiadmission.MutationInterface.
func (nothing) Admit(context.Context, apiadmission.Attributes, apiadmission.ObjectInterfaces) error {
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
