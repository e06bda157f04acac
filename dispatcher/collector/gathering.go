package collector

import (
	"context"
	"maps"
	"slices"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/audit"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/review"
)

// gathering is a request whose records are gathered.
type gathering struct {
	key key
	// stop stops waiting for the end of the context.
	stop func() bool

	// The lock of the Collector guards running, which is set during a phase, over,
	// which is set when the context has ended, and policies, which is set while
	// only the policies of a phase have run. The goroutine of the running phase
	// owns the rest.
	running, over, policies bool

	response *admission.Response
	// bytes is the size of the traces.
	bytes int
}

// called reports whether a webhook has received the request, a policy was evaluated
// for it, or it was denied.
func (g *gathering) called() bool {
	return len(g.response.Calls) > 0 || g.response.Status != nil ||
		slices.ContainsFunc(g.response.Policies, evaluated)
}

func evaluated(p admission.PolicyRecord) bool {
	return slices.ContainsFunc(p.Bindings, func(b admission.BindingRecord) bool {
		return len(b.Evaluations) > 0
	})
}

// complete fills in what follows from the records.
func (g *gathering) complete() {
	r := g.response
	r.Elapsed = time.Since(r.Began)
	for i := range r.Calls {
		r.AuditAnnotations = append(r.AuditAnnotations, audit.Annotations(&r.Calls[i])...)
		for _, text := range r.Calls[i].Warnings {
			if !slices.Contains(r.Warnings, text) {
				r.Warnings = append(r.Warnings, text)
			}
		}
	}
}

// phaseRecorder receives the records of one run of a phase.
type phaseRecorder struct {
	*gathering
	c          *Collector
	phase      admission.Phase
	policies   bool // only the policies of the phase run
	attributes apiadmission.Attributes
	objects    apiadmission.ObjectInterfaces
}

// RecordMatch implements dispatcher.Recorder.
func (p *phaseRecorder) RecordMatch(_ context.Context, m *admission.Match) {
	p.response.Matches = append(p.response.Matches, copyOf(*m))
}

// copyOf returns a match with labels of its own: those of a record are those of the
// object, which others may change later.
func copyOf(m admission.Match) admission.Match {
	if m.Seen != nil {
		seen := *m.Seen
		seen.NamespaceLabels = maps.Clone(seen.NamespaceLabels)
		seen.ObjectLabels = maps.Clone(seen.ObjectLabels)
		seen.OldObjectLabels = maps.Clone(seen.OldObjectLabels)
		m.Seen = &seen
	}
	return m
}

// RecordCall implements dispatcher.Recorder.
func (p *phaseRecorder) RecordCall(_ context.Context, call *admission.Call) {
	recorded := *call
	if t := call.Trace; t != nil {
		size := len(t.Response) + len(t.Before) + len(t.Patched) + len(t.After)
		if p.bytes+size > p.c.config.MaxBytes {
			recorded.Trace = nil
		} else {
			p.bytes += size
		}
	}
	p.response.Calls = append(p.response.Calls, recorded)
}

// RecordPolicy implements dispatcher.PolicyRecorder.
func (p *phaseRecorder) RecordPolicy(_ context.Context, r *admission.PolicyRecord) {
	recorded := *r
	recorded.Match = copyOf(r.Match)
	recorded.Bindings = slices.Clone(r.Bindings)
	for i := range recorded.Bindings {
		recorded.Bindings[i].Match = copyOf(r.Bindings[i].Match)
	}
	p.response.Policies = append(p.response.Policies, recorded)
}

// EndPhase implements dispatcher.PhaseRecorder.
func (p *phaseRecorder) EndPhase(err error) {
	r := p.response
	decided := err != nil || p.phase == admission.Validating && !p.policies
	// Also after a panic of the host's code.
	defer func() { p.c.endPhase(p.gathering, p.policies, decided) }()
	if err != nil {
		r.Status = admission.StatusOf(err)
	}
	if r.Request.Operation != admissionv1.Delete && (!p.c.config.OnlyCalled || p.called()) {
		r.Object = objectOf(p.attributes.GetObject(), p.attributes, p.objects)
	}
	r.Allowed = err == nil && decided
}

// newRequest returns the request that attributes describe, with copies of the
// objects.
func newRequest(a apiadmission.Attributes, o apiadmission.ObjectInterfaces) *admission.Request {
	r := &admission.Request{
		Operation:   admissionv1.Operation(a.GetOperation()),
		Kind:        a.GetKind(),
		Resource:    a.GetResource(),
		Subresource: a.GetSubresource(),
		Name:        a.GetName(),
		Namespace:   a.GetNamespace(),
		Object:      objectOf(a.GetObject(), a, o),
		OldObject:   objectOf(a.GetOldObject(), a, o),
		DryRun:      a.IsDryRun(),
		User:        userOf(a.GetUserInfo()),
	}
	if options := a.GetOperationOptions(); options != nil {
		r.Options = options.DeepCopyObject()
	}
	return r
}

// objectOf returns a copy of an object in the version of the request: a server
// may hold it in its internal version. It returns nil if that fails.
func objectOf(
	object runtime.Object, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) (versioned runtime.Object) {
	if object == nil {
		return nil
	}
	_ = guard.Do(func() {
		if converted, err := apiadmission.ConvertToGVK(object, a.GetKind(), o); err == nil {
			versioned = converted.DeepCopyObject()
		}
	})
	return versioned
}

func userOf(u user.Info) *authenticationv1.UserInfo {
	if u == nil {
		return nil
	}
	info := review.UserInfo(u)
	return info.DeepCopy()
}
