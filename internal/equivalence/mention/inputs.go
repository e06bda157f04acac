package mention

import (
	"maps"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// Webhook adds what a webhook's conditions and selectors mention.
func (s *Set) Webhook(w *admission.Webhook) {
	s.selectors(w.NamespaceSelector, w.ObjectSelector)
	r := &reader{set: s}
	for _, c := range w.MatchConditions {
		r.expression(c.Expression)
	}
}

// Policies adds what policies and their bindings mention. params are the objects that
// policies may read.
func (s *Set) Policies(policies, params []runtime.Object) {
	constants := leaves(params)
	for _, p := range policies {
		r := &reader{set: s, params: constants, variables: map[string]value{}}
		switch p := p.(type) {
		case *registrationv1.ValidatingAdmissionPolicy:
			r.validating(&p.Spec)
		case *registrationv1.MutatingAdmissionPolicy:
			r.mutating(&p.Spec)
		case *registrationv1.ValidatingAdmissionPolicyBinding:
			r.resources(p.Spec.MatchResources)
		case *registrationv1.MutatingAdmissionPolicyBinding:
			r.resources(p.Spec.MatchResources)
		}
	}
}

func (r *reader) validating(p *registrationv1.ValidatingAdmissionPolicySpec) {
	r.resources(p.MatchConstraints)
	for _, v := range p.Variables {
		r.variables[v.Name] = r.expression(v.Expression)
	}
	for _, c := range p.MatchConditions {
		r.expression(c.Expression)
	}
	for _, v := range p.Validations {
		r.expression(v.Expression)
		r.expression(v.MessageExpression)
	}
	for _, a := range p.AuditAnnotations {
		r.expression(a.ValueExpression)
	}
}

func (r *reader) mutating(p *registrationv1.MutatingAdmissionPolicySpec) {
	r.resources(p.MatchConstraints)
	for _, v := range p.Variables {
		r.variables[v.Name] = r.expression(v.Expression)
	}
	for _, c := range p.MatchConditions {
		r.expression(c.Expression)
	}
	for _, m := range p.Mutations {
		if m.ApplyConfiguration != nil {
			r.expression(m.ApplyConfiguration.Expression)
		}
		if m.JSONPatch != nil {
			r.expression(m.JSONPatch.Expression)
		}
	}
}

// resources adds the selectors and the names of a policy or a binding.
func (r *reader) resources(m *registrationv1.MatchResources) {
	if m == nil {
		return
	}
	r.set.selectors(m.NamespaceSelector, m.ObjectSelector)
	for _, rules := range [][]registrationv1.NamedRuleWithOperations{
		m.ResourceRules, m.ExcludeResourceRules,
	} {
		for _, rule := range rules {
			for _, name := range rule.ResourceNames {
				r.set.Field(Request, []string{"name"}, name)
			}
		}
	}
}

// selectors adds the labels that selectors read. The label with the name of a namespace
// is that name.
func (s *Set) selectors(namespace, object *metav1.LabelSelector) {
	for _, r := range requirements(namespace) {
		if r.Key == corev1.LabelMetadataName {
			s.Field(Request, []string{"namespace"}, anys(r.Values)...)
		} else {
			s.Field(Namespace, []string{"metadata", "labels", r.Key}, anys(r.Values)...)
		}
	}
	for _, r := range requirements(object) {
		s.Field(Object, []string{"metadata", "labels", r.Key}, anys(r.Values)...)
	}
}

// requirements returns what a selector, which may be nil, requires.
func requirements(s *metav1.LabelSelector) []metav1.LabelSelectorRequirement {
	if s == nil {
		return nil
	}
	var all []metav1.LabelSelectorRequirement
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		all = append(all, metav1.LabelSelectorRequirement{Key: key, Values: []string{s.MatchLabels[key]}})
	}
	return append(all, s.MatchExpressions...)
}

func anys(words []string) []any {
	all := make([]any, len(words))
	for i, word := range words {
		all[i] = word
	}
	return all
}

// leaves returns the strings, numbers and bools in objects but Secrets, at most 100.
func leaves(objects []runtime.Object) []any {
	var all []any
	var add func(any)
	add = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				add(v[key])
			}
		case []any:
			for _, e := range v {
				add(e)
			}
		case string, int64, float64, bool:
			if len(all) < 100 {
				all = append(all, v)
			}
		}
	}
	for _, o := range objects {
		if _, secret := o.(*corev1.Secret); secret {
			continue // the values are printed
		}
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
		if err != nil {
			continue // a param that cannot be encoded is no source of constants
		}
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			delete(fields, name)
		}
		add(fields)
	}
	return all
}
