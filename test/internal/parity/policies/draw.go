package policies

import (
	"fmt"
	"math/rand/v2"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// drawn draws a world. Everything in it has few names, so that it meets.
type drawn struct{ *rand.Rand }

// one returns one of several values.
func one[T any](d drawn, values ...T) T { return values[d.IntN(len(values))] }

// chance is true in so many of 100 cases.
func (d drawn) chance(percent int) bool { return d.IntN(100) < percent }

// some returns up to most different values, at least one.
func some[T any](d drawn, most int, values ...T) []T {
	d.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	return values[:1+d.IntN(min(most, len(values)))]
}

// DrawWorld draws a world.
func DrawWorld(random *rand.Rand) *World {
	d := drawn{random}
	w := &World{}
	for _, name := range []string{"default", "shop"} {
		w.Namespaces = append(w.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{"team": one(d, "a", "b"), corev1.LabelMetadataName: name},
		}})
		for _, param := range some(d, 3, "limits", "more", "third") {
			w.ConfigMaps = append(w.ConfigMaps, &corev1.ConfigMap{
				ObjectMeta: metav1.ObjectMeta{Name: param, Namespace: name,
					Labels: map[string]string{"tier": one(d, "x", "y")}},
				Data: map[string]string{"most": one(d, "1", "3", "none"), "label": one(d, "red", "blue")},
			})
		}
		if d.chance(50) {
			o := &unstructured.Unstructured{Object: map[string]any{
				"spec": map[string]any{"most": int64(d.IntN(4)), "label": one(d, "red", "blue")},
			}}
			o.SetGroupVersionKind(WidgetKind)
			o.SetName("limits")
			o.SetNamespace(name)
			w.Widgets = append(w.Widgets, o)
		}
	}
	for n := range 2 + d.IntN(5) {
		d.addPolicy(w, n)
	}
	d.addWebhooks(w)
	return w
}

// addPolicy adds a policy and its bindings.
func (d drawn) addPolicy(w *World, n int) {
	var params *registrationv1.ParamKind
	if d.chance(60) {
		configMap := &registrationv1.ParamKind{APIVersion: "v1", Kind: "ConfigMap"}
		params = one(d, configMap, configMap, configMap, configMap,
			&registrationv1.ParamKind{APIVersion: "example.com/v1", Kind: "Widget"},
			&registrationv1.ParamKind{APIVersion: "example.com/v1", Kind: "Missing"},
			&registrationv1.ParamKind{APIVersion: "v1", Kind: "Namespace"})
	}
	bindings := min(1, d.IntN(8)) + d.IntN(3)
	if d.chance(50) {
		name := fmt.Sprintf("validate-%d", n)
		w.Policies = append(w.Policies, d.validatingPolicy(name, params))
		for b := range bindings {
			w.Policies = append(w.Policies, d.validatingBinding(name, b))
		}
		return
	}
	name := fmt.Sprintf("mutate-%d", n)
	w.Policies = append(w.Policies, d.mutatingPolicy(name, params))
	for b := range bindings {
		w.Policies = append(w.Policies, d.mutatingBinding(name, b))
	}
}

func (d drawn) validatingPolicy(
	name string, params *registrationv1.ParamKind,
) *registrationv1.ValidatingAdmissionPolicy {
	p := &registrationv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: registrationv1.ValidatingAdmissionPolicySpec{
			ParamKind: params, MatchConstraints: d.constraints(), FailurePolicy: d.failurePolicy(),
			MatchConditions: d.conditions(), Variables: d.variables(),
		},
	}
	for range 1 + d.IntN(3) {
		v := registrationv1.Validation{Expression: one(d, validations...)}
		if d.IntN(300) == 0 {
			v.Expression = expensive
		}
		if d.chance(40) {
			v.Message = one(d, "no", " spaced ", "a message")
		}
		if d.chance(40) {
			v.MessageExpression = one(d, messages...)
		}
		if d.chance(40) {
			v.Reason = one(d, new(metav1.StatusReasonForbidden), new(metav1.StatusReasonUnauthorized),
				new(metav1.StatusReasonInvalid), new(metav1.StatusReasonRequestEntityTooLarge),
				new(metav1.StatusReasonConflict))
		}
		p.Spec.Validations = append(p.Spec.Validations, v)
	}
	if d.chance(70) {
		for i := range 1 + d.IntN(2) {
			p.Spec.AuditAnnotations = append(p.Spec.AuditAnnotations, registrationv1.AuditAnnotation{
				Key: fmt.Sprintf("key-%d", i), ValueExpression: one(d, annotations...),
			})
		}
	}
	return p
}

func (d drawn) validatingBinding(
	policy string, n int,
) *registrationv1.ValidatingAdmissionPolicyBinding {
	b := &registrationv1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-binding-%d", policy, n)},
		Spec: registrationv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: policy, ParamRef: d.paramRef(), MatchResources: d.resources(),
			ValidationActions: some(d, 3, registrationv1.Deny, registrationv1.Audit, registrationv1.Warn),
		},
	}
	if d.chance(5) {
		b.Spec.PolicyName = "missing"
	}
	return b
}

func (d drawn) mutatingPolicy(
	name string, params *registrationv1.ParamKind,
) *registrationv1.MutatingAdmissionPolicy {
	p := &registrationv1.MutatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: registrationv1.MutatingAdmissionPolicySpec{
			ParamKind: params, MatchConstraints: d.constraints(), FailurePolicy: d.failurePolicy(),
			MatchConditions: d.conditions(), Variables: d.variables(),
			ReinvocationPolicy: one(d, registrationv1.NeverReinvocationPolicy,
				registrationv1.IfNeededReinvocationPolicy),
		},
	}
	for range 1 + d.IntN(2) {
		m := registrationv1.Mutation{PatchType: registrationv1.PatchTypeJSONPatch,
			JSONPatch: &registrationv1.JSONPatch{Expression: one(d, jsonPatches...)}}
		if d.chance(50) {
			m = registrationv1.Mutation{PatchType: registrationv1.PatchTypeApplyConfiguration,
				ApplyConfiguration: &registrationv1.ApplyConfiguration{Expression: one(d, applied...)}}
		}
		if d.chance(2) {
			m.JSONPatch, m.ApplyConfiguration = nil, nil
		}
		p.Spec.Mutations = append(p.Spec.Mutations, m)
	}
	return p
}

func (d drawn) mutatingBinding(
	policy string, n int,
) *registrationv1.MutatingAdmissionPolicyBinding {
	return &registrationv1.MutatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-binding-%d", policy, n)},
		Spec: registrationv1.MutatingAdmissionPolicyBindingSpec{
			PolicyName: policy, ParamRef: d.paramRef(), MatchResources: d.resources(),
		},
	}
}

func (d drawn) failurePolicy() *registrationv1.FailurePolicyType {
	return one(d, nil, new(registrationv1.Fail), new(registrationv1.Ignore), new(registrationv1.Ignore))
}

// constraints are matchConstraints. A missing selector is an error.
func (d drawn) constraints() *registrationv1.MatchResources {
	if d.chance(1) {
		return nil
	}
	m := d.matchResources()
	if len(m.ResourceRules) == 0 || d.chance(80) {
		m.ResourceRules = append(m.ResourceRules, rule("*", "", "v1", "pods"), rule("*", "apps", "v1", "deployments"))
	}
	if d.chance(30) {
		version := one(d, "v1", "v2")
		m.ResourceRules = append(m.ResourceRules, rule("*", "autoscaling", version, "horizontalpodautoscalers"))
	}
	return m
}

// resources are the matchResources of a binding.
func (d drawn) resources() *registrationv1.MatchResources {
	if d.chance(60) {
		return nil
	}
	m := d.matchResources()
	if d.chance(50) {
		m.ResourceRules = nil
	}
	return m
}

func (d drawn) matchResources() *registrationv1.MatchResources {
	m := &registrationv1.MatchResources{
		NamespaceSelector: d.selector("team", "a", "b"), ObjectSelector: d.selector("app", "web", "db"),
		MatchPolicy: one(d, nil, new(registrationv1.Exact), new(registrationv1.Equivalent),
			new(registrationv1.Equivalent)),
	}
	for range d.IntN(3) {
		m.ResourceRules = append(m.ResourceRules, d.rule())
	}
	if d.chance(15) {
		m.ExcludeResourceRules = append(m.ExcludeResourceRules, d.rule())
	}
	if d.chance(2) {
		m.NamespaceSelector = nil
	}
	return m
}

func rule(operation registrationv1.OperationType, group, version, resource string) registrationv1.NamedRuleWithOperations {
	return registrationv1.NamedRuleWithOperations{RuleWithOperations: registrationv1.RuleWithOperations{
		Operations: []registrationv1.OperationType{operation},
		Rule: registrationv1.Rule{APIGroups: []string{group}, APIVersions: []string{version},
			Resources: []string{resource}, Scope: new(registrationv1.AllScopes)},
	}}
}

func (d drawn) rule() registrationv1.NamedRuleWithOperations {
	r := rule(one(d, "*", registrationv1.Create, registrationv1.Update, registrationv1.Delete, registrationv1.Connect),
		one(d, "", "*", "apps", "autoscaling"), one(d, "v1", "*", "v2"),
		one(d, "pods", "*", "*/*", "deployments", "horizontalpodautoscalers", "pods/exec", "namespaces"))
	if d.chance(20) {
		r.ResourceNames = some(d, 2, "web", "db", "shop")
	}
	if d.chance(20) {
		r.Scope = one(d, new(registrationv1.NamespacedScope), new(registrationv1.ClusterScope))
	}
	return r
}

func (d drawn) selector(key string, values ...string) *metav1.LabelSelector {
	switch n := d.IntN(100); {
	case n < 80:
		return &metav1.LabelSelector{}
	case n < 90:
		return &metav1.LabelSelector{MatchLabels: map[string]string{key: one(d, values...)}}
	case n < 98:
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key,
			Operator: one(d, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}}}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: "Wrong"}}}
}

func (d drawn) paramRef() *registrationv1.ParamRef {
	if d.chance(10) {
		return nil
	}
	r := &registrationv1.ParamRef{
		ParameterNotFoundAction: one(d, nil, new(registrationv1.AllowAction), new(registrationv1.AllowAction),
			new(registrationv1.DenyAction)),
	}
	if d.chance(60) {
		r.Name = one(d, "limits", "limits", "limits", "more", "default", "missing")
	} else {
		r.Selector = d.selector("tier", "x", "y")
	}
	if d.chance(30) {
		r.Namespace = one(d, "default", "shop", "default", "shop", "missing")
	}
	return r
}

func (d drawn) conditions() (all []registrationv1.MatchCondition) {
	if d.chance(75) {
		return nil
	}
	for i := range 1 + d.IntN(2) {
		all = append(all, registrationv1.MatchCondition{Name: fmt.Sprintf("c%d", i), Expression: one(d, conditions...)})
	}
	return all
}

func (d drawn) variables() (all []registrationv1.Variable) {
	for i := range d.IntN(3) {
		all = append(all, registrationv1.Variable{Name: fmt.Sprintf("v%d", i), Expression: one(d, variables...)})
	}
	return all
}
