package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// defaultCase is an object of v1 that has no defaults, and what becomes of it.
type defaultCase struct {
	row
	given, want Object
	// alpha is what becomes of it in v1alpha1; nil for the same.
	alpha Object
}

// bare is matchResources without defaults.
func bare() *registrationv1.MatchResources {
	rule := func() []registrationv1.NamedRuleWithOperations {
		return rules(registrationv1.NamedRuleWithOperations{})
	}
	return &registrationv1.MatchResources{ResourceRules: rule(), ExcludeResourceRules: rule()}
}

// filled is the same with defaults.
func filled() *registrationv1.MatchResources {
	m := bare()
	m.MatchPolicy = new(registrationv1.Equivalent)
	m.NamespaceSelector, m.ObjectSelector = &metav1.LabelSelector{}, &metav1.LabelSelector{}
	m.ResourceRules[0].Scope, m.ExcludeResourceRules[0].Scope = new(registrationv1.AllScopes), new(registrationv1.AllScopes)
	return m
}

func TestDefault(t *testing.T) {
	t.Parallel()
	fail := new(registrationv1.Fail)
	policy := func(f *registrationv1.FailurePolicyType, m *registrationv1.MatchResources) *vap {
		return &vap{Spec: registrationv1.ValidatingAdmissionPolicySpec{FailurePolicy: f, MatchConstraints: m}}
	}
	mutator := func(f *registrationv1.FailurePolicyType, m *registrationv1.MatchResources) *mpol {
		return &mpol{Spec: registrationv1.MutatingAdmissionPolicySpec{FailurePolicy: f, MatchConstraints: m}}
	}
	bound := func(a *registrationv1.ParameterNotFoundActionType, m *registrationv1.MatchResources) *vapb {
		return &vapb{Spec: registrationv1.ValidatingAdmissionPolicyBindingSpec{
			ParamRef: &registrationv1.ParamRef{ParameterNotFoundAction: a}, MatchResources: m}}
	}
	mutatorBound := func(a *registrationv1.ParameterNotFoundActionType, m *registrationv1.MatchResources) *mapb {
		return &mapb{Spec: registrationv1.MutatingAdmissionPolicyBindingSpec{
			ParamRef: &registrationv1.ParamRef{ParameterNotFoundAction: a}, MatchResources: m}}
	}
	deny, allow := new(registrationv1.DenyAction), new(registrationv1.AllowAction)
	other := filled()
	other.MatchPolicy, other.NamespaceSelector = new(registrationv1.Exact), requirement("a", "Exists")
	other.ResourceRules[0].Scope = new(registrationv1.ClusterScope)
	testtable.Run(t, []defaultCase{
		{row{"policy", "all that has a default"}, policy(nil, bare()), policy(fail, filled()), nil},
		{row{"mutating policy", "reinvocationPolicy has none"}, mutator(nil, bare()), mutator(fail, filled()), nil},
		{row{"policy that matches nothing", "matchConstraints has no default"}, policy(nil, nil), policy(fail, nil), nil},
		{row{"policy with values", "what is there stays"}, policy(new(registrationv1.Ignore), other.DeepCopy()), policy(new(registrationv1.Ignore), other), nil},
		{row{"binding", "only v1alpha1 has a default for missing parameters"}, bound(nil, bare()), bound(nil, filled()), bound(deny, filled())},
		{row{"mutating binding", "only v1alpha1 has a default for missing parameters"},
			mutatorBound(nil, bare()), mutatorBound(nil, filled()), mutatorBound(deny, filled())},
		{row{"binding that matches all", "matchResources and validationActions have no default"}, bound(allow, nil), bound(allow, nil), nil},
		{row{"mutating binding that matches all", "matchResources has no default"}, mutatorBound(allow, nil), mutatorBound(allow, nil), nil},
		{row{"empty binding", "paramRef has no default"}, &vapb{}, &vapb{}, nil},
		{row{"empty mutating binding", "paramRef has no default"}, &mapb{}, &mapb{}, nil},
	}, func(t *testing.T, tc defaultCase) {
		for _, version := range append(oldVersions(), "v1") {
			want := tc.want
			if version == "v1alpha1" && tc.alpha != nil {
				want = tc.alpha
			}
			o := asVersion(t, tc.given, version)
			Default(o)
			if diff := cmp.Diff(asVersion(t, want, version), o); diff != "" {
				t.Errorf("%s (-want +got):\n%s", version, diff)
			}
			Default(o)
			if diff := cmp.Diff(asVersion(t, want, version), o); diff != "" {
				t.Errorf("%s, twice (-want +got):\n%s", version, diff)
			}
		}
	})
}

// TestConvert takes objects that have all fields through the versions.
func TestConvert(t *testing.T) {
	t.Parallel()
	for _, o := range everyField() {
		kind, err := kindOf(o)
		if err != nil {
			t.Fatal(err)
		}
		o.GetObjectKind().SetGroupVersionKind(kind)
		if got := Convert(o); got != o {
			t.Errorf("Convert of v1 returns another object: %v", got)
		}
		for _, version := range oldVersions() {
			old := asVersion(t, o, version)
			typed := kind
			typed.Version = version
			old.GetObjectKind().SetGroupVersionKind(typed)
			if diff := cmp.Diff(o, Convert(old)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", version, diff)
			}
		}
	}
}

// TestConvertKeepsNoType leaves objects as informers have them.
func TestConvertKeepsNoType(t *testing.T) {
	t.Parallel()
	for _, version := range oldVersions() {
		for _, o := range everyField() {
			if diff := cmp.Diff(o, Convert(asVersion(t, o, version))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", version, diff)
			}
		}
	}
}

// everyField returns an object of each kind. No field is empty, but for those of
// the type.
func everyField() []Object {
	meta := metav1.ObjectMeta{Name: "a", Labels: map[string]string{"b": "c"}, Finalizers: []string{"d/e"}}
	match := filled()
	match.NamespaceSelector = requirement("a", "In", "b")
	match.ResourceRules = rules(rule(named("c"), operations("UPDATE")))
	conditions := []registrationv1.MatchCondition{condition("f", "true")}
	vars := []registrationv1.Variable{variable("g", "1")}
	ref := &registrationv1.ParamRef{Name: "h", Namespace: "i", Selector: requirement("j", "Exists"), ParameterNotFoundAction: new(registrationv1.AllowAction)}
	return []Object{
		&vap{ObjectMeta: meta, Spec: registrationv1.ValidatingAdmissionPolicySpec{
			ParamKind: configMap(), MatchConstraints: match, FailurePolicy: new(registrationv1.Ignore), MatchConditions: conditions, Variables: vars,
			Validations:      []registrationv1.Validation{{Expression: "k", Message: "l", Reason: new(metav1.StatusReasonForbidden), MessageExpression: "m"}},
			AuditAnnotations: []registrationv1.AuditAnnotation{{Key: "n", ValueExpression: "o"}},
		}, Status: registrationv1.ValidatingAdmissionPolicyStatus{
			ObservedGeneration: 1, Conditions: []metav1.Condition{{Type: "p", Reason: "q"}},
			TypeChecking: &registrationv1.TypeChecking{ExpressionWarnings: []registrationv1.ExpressionWarning{{FieldRef: "r", Warning: "s"}}},
		}},
		&vapb{ObjectMeta: meta, Spec: registrationv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: "t", ParamRef: ref, MatchResources: match, ValidationActions: []registrationv1.ValidationAction{"Audit"}}},
		&mpol{ObjectMeta: meta, Spec: registrationv1.MutatingAdmissionPolicySpec{
			ParamKind: configMap(), MatchConstraints: match, FailurePolicy: new(registrationv1.Ignore), MatchConditions: conditions, Variables: vars,
			Mutations: []registrationv1.Mutation{patching("u"), applying("v")}, ReinvocationPolicy: registrationv1.IfNeededReinvocationPolicy}},
		&mapb{ObjectMeta: meta, Spec: registrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: "w", ParamRef: ref, MatchResources: match}},
	}
}
