package policy

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	caching "k8s.io/apiserver/pkg/admission/plugin/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/matching"
)

// run is the run of one phase for one request.
type run struct {
	*Config
	phase      admission.Phase
	round      int
	attributes apiadmission.Attributes
	objects    apiadmission.ObjectInterfaces
	view       *matching.View
	// authorizer remembers its decisions.
	authorizer authorizer.UnconditionalAuthorizer
	// ns is the namespace of the request, once it was looked up.
	ns *corev1.Namespace
	// recorder is nil if nothing is recorded.
	recorder dispatcher.PolicyRecorder
	records  []*admission.PolicyRecord
}

func newRun(
	e *Evaluator, phase admission.Phase, a apiadmission.Attributes,
	o apiadmission.ObjectInterfaces, recorder dispatcher.PolicyRecorder,
) *run {
	r := &run{
		Config: &e.config, phase: phase, attributes: a, objects: o, recorder: recorder,
		view: matching.NewView(matching.Input{
			Attributes: a, Objects: o, Namespaces: namespaceLabels{e.config.Namespaces},
			Record: recorder != nil,
		}),
		authorizer: caching.NewCachingAuthorizer(e.config.Authorizer),
	}
	if phase == admission.Mutating && a.GetReinvocationContext().IsReinvoke() {
		r.round = 1
	}
	return r
}

// applied is a policy that applies to a request.
type applied struct {
	*policy
	// target is the resource and version that the policy asks for.
	target admission.Target
	// store has the policy's params; nil if it has none.
	store ParamStore
	// err is why the policy cannot be used.
	err error
	// bindings are those that match, or that cannot be used.
	bindings []appliedBinding
	// record is nil if nothing is recorded.
	record *admission.PolicyRecord
}

// appliedBinding is a binding that applies to a request.
type appliedBinding struct {
	*binding
	// params are those to evaluate; err is why the binding cannot be used.
	params []runtime.Object
	err    error
	// unmatched says that err is an error of matching.
	unmatched bool
	// record is the position in the bindings of the policy's record.
	record int
}

// match returns the policies that apply, by name. Policies without bindings do
// not.
func (r *run) match(ctx context.Context, set *Set) (all []*applied) {
	for _, position := range r.positions(set) {
		p := set.policies(r.phase)[position]
		m := p.match.matches(ctx, r.view, r.attributes)
		a := &applied{policy: p, target: m.Target, err: m.Err}
		applies := m.Stage == admission.StagePassed || m.Err != nil
		if applies && a.err == nil {
			a.store, a.err = p.paramStore(ctx, set.params)
		}
		if r.recorder != nil {
			m.Round, m.Index = r.round, int(position)
			a.record = &admission.PolicyRecord{
				Phase: r.phase, Name: p.name, ParamKind: p.kindOfParams(), Match: m, Err: a.err,
			}
			r.records = append(r.records, a.record)
		}
		if !applies || len(p.bindings) == 0 {
			continue
		}
		if a.err == nil {
			a.bind(ctx, r)
		}
		if len(a.bindings) > 0 || a.err != nil {
			all = append(all, a)
		}
	}
	return all
}

// positions returns the positions of the policies to match: those that the index
// finds, or all if they are recorded.
func (r *run) positions(set *Set) []int32 {
	if r.recorder == nil {
		return set.index.Candidates(r.phase, r.view)
	}
	all := make([]int32, len(set.policies(r.phase)))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// bind adds the bindings that match, with their params.
func (a *applied) bind(ctx context.Context, r *run) {
	for _, b := range a.policy.bindings {
		m := b.match.matches(ctx, r.view, r.attributes)
		bound := appliedBinding{binding: b, err: m.Err, unmatched: m.Err != nil}
		applies := m.Stage == admission.StagePassed || m.Err != nil
		if applies && m.Err == nil {
			bound.params, bound.err = b.paramsFrom(ctx, a.store, r.attributes.GetNamespace())
		}
		if a.record != nil {
			m.Round, m.Index = r.round, len(a.record.Bindings)
			bound.record = len(a.record.Bindings)
			a.record.Bindings = append(a.record.Bindings, bound.recordOf(m))
		}
		if applies {
			a.bindings = append(a.bindings, bound)
		}
	}
}

func (b *appliedBinding) recordOf(m admission.Match) admission.BindingRecord {
	record := admission.BindingRecord{Name: b.name, Match: m, Err: b.err}
	for _, action := range b.actions {
		record.Actions = append(record.Actions, string(action))
	}
	for _, p := range b.params {
		record.Params = append(record.Params, nameOf(p))
	}
	return record
}

// nameOf returns NAMESPACE/NAME or NAME of a param; "" without one.
func nameOf(param runtime.Object) string {
	if param == nil {
		return ""
	}
	m, err := meta.Accessor(param)
	switch {
	case err != nil:
		return ""
	case m.GetNamespace() == "":
		return m.GetName()
	}
	return m.GetNamespace() + "/" + m.GetName()
}

// begin begins the record of an evaluation. It returns a context in which
// programs record their results, and nil if nothing is recorded.
func (a *applied) begin(
	ctx context.Context, b *appliedBinding, param runtime.Object,
) (context.Context, *admission.PolicyEvaluation) {
	if a.record == nil {
		return ctx, nil
	}
	e := &admission.PolicyEvaluation{Param: nameOf(param)}
	binding := &a.record.Bindings[b.record]
	binding.Evaluations = append(binding.Evaluations, e)
	return context.WithValue(ctx, evaluationKey{}, e), e
}

// report reports the records. A panic of the recorder changes nothing else.
func (r *run) report(ctx context.Context) {
	for _, record := range r.records {
		_ = guard.Do(func() { r.recorder.RecordPolicy(ctx, record) })
	}
}

// namespace returns the namespace of the request; nil if it has none.
func (r *run) namespace(ctx context.Context) (*corev1.Namespace, error) {
	name := r.attributes.GetNamespace()
	// A Namespace has its own name for a namespace.
	if kind := r.attributes.GetKind(); name == "" || kind == corev1.SchemeGroupVersion.WithKind("Namespace") {
		return nil, nil
	}
	var err error
	if r.ns == nil {
		r.ns, err = r.Namespaces.Namespace(ctx, name)
	}
	return r.ns, err
}
