package registration

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"
)

// TestProperties draws two configurations that may be anything and looks at
// what must hold whatever they are. That nothing panics is part of it.
func TestProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		metas := rapid.SliceOfN(someMetadata(), 2, 2).Draw(t, "metadata")
		given := rapid.SliceOfN(someHook(), 0, 3).Draw(t, "webhooks")
		before := rapid.OneOf(rapid.Just(given), rapid.SliceOfN(someHook(), 0, 3)).Draw(t, "old webhooks")
		olds := bothKinds(metas[1], before)
		for i, c := range bothKinds(metas[0], given) {
			remainsAsItWas(t, c, olds[i])
			relaxes(t, bothKinds(metas[1], given)[i], olds[i])
		}
		kindsAgree(t, bothKinds(metas[0], given))
	})
}

// remainsAsItWas wants the functions to change neither configuration.
func remainsAsItWas(t *rapid.T, c, old Configuration) {
	want, wantOld := c.DeepCopyObject(), old.DeepCopyObject()
	Validate(c)
	ValidateUpdate(c, old)
	Warnings(c)
	if diff := cmp.Diff([]any{want, wantOld}, []any{c, old}); diff != "" {
		t.Fatalf("changed (-want +got):\n%s", diff)
	}
}

// relaxes wants an update to be refused for nothing but what a creation with
// the same metadata is refused for, and v1beta1 likewise for nothing but what
// v1 is.
func relaxes(t *rapid.T, c, old Configuration) {
	created := fieldsOf(Validate(c))
	if extra := fieldsOf(ValidateUpdate(c, old)).Difference(created); c.GetName() != "" && len(extra) > 0 {
		t.Fatalf("only an update has something against %v", extra.UnsortedList())
	}
	if extra := fieldsOf(Validate(asBeta(t, c))).Difference(created); len(extra) > 0 {
		t.Fatalf("only v1beta1 has something against %v", extra.UnsortedList())
	}
}

// kindsAgree wants the kinds to differ in reinvocationPolicy only.
func kindsAgree(t *rapid.T, kinds []Configuration) {
	mutating, validating := fieldsOf(Validate(kinds[0])), fieldsOf(Validate(kinds[1]))
	for at := range mutating.Difference(validating) {
		if !policyField.MatchString(at) {
			t.Fatalf("only the mutating configuration has something against %s", at)
		}
	}
	if extra := validating.Difference(mutating); len(extra) > 0 {
		t.Fatalf("only the validating configuration has something against %v", extra.UnsortedList())
	}
}

func fieldsOf(problems field.ErrorList) sets.Set[string] {
	at := sets.New[string]()
	for _, problem := range problems {
		at.Insert(problem.Field)
	}
	return at
}

// text is often something that a rule is about, and sometimes anything.
func text(usual ...string) *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(append(usual, "", "*", "/", "a")), rapid.SampledFrom(usual), rapid.String())
}

func texts(usual ...string) *rapid.Generator[[]string] { return rapid.SliceOfN(text(usual...), 0, 3) }

func someMetadata() *rapid.Generator[metav1.ObjectMeta] {
	return rapid.Custom(func(t *rapid.T) metav1.ObjectMeta {
		return metav1.ObjectMeta{
			Name:         text("config", "a.static.k8s.io").Draw(t, "name"),
			GenerateName: text("config-").Draw(t, "generateName"),
			Namespace:    rapid.SampledFrom([]string{"", "", "a"}).Draw(t, "namespace"),
			Labels:       rapid.MapOfN(text("a"), text("b"), 0, 2).Draw(t, "labels"),
			Generation:   rapid.Int64Range(0, 9).Draw(t, "generation"),
		}
	})
}

func someHook() *rapid.Generator[hook] {
	return rapid.Custom(func(t *rapid.T) hook {
		return hook{
			Name:                    text("a.b.c", "b.b.c", "A").Draw(t, "name"),
			ClientConfig:            someClient(t),
			Rules:                   rapid.SliceOfN(rapid.Custom(someRule), 0, 2).Draw(t, "rules"),
			FailurePolicy:           pointer[registrationv1.FailurePolicyType](t, "Fail", "Ignore"),
			MatchPolicy:             pointer[registrationv1.MatchPolicyType](t, "Exact", "Equivalent"),
			NamespaceSelector:       someSelector(t),
			ObjectSelector:          someSelector(t),
			SideEffects:             pointer[registrationv1.SideEffectClass](t, "None", "Some"),
			TimeoutSeconds:          rapid.Ptr(rapid.Int32Range(-1, 40), true).Draw(t, "timeout"),
			AdmissionReviewVersions: texts("v1", "v1beta1", "v2").Draw(t, "versions"),
			MatchConditions:         rapid.SliceOfN(rapid.Custom(someCondition), 0, 2).Draw(t, "conditions"),
			ReinvocationPolicy:      pointer[registrationv1.ReinvocationPolicyType](t, "Never", "IfNeeded"),
		}
	})
}

func pointer[T ~string](t *rapid.T, usual ...string) *T {
	s := rapid.Ptr(text(usual...), true).Draw(t, "one of")
	if s == nil {
		return nil
	}
	return new(T(*s))
}

func someClient(t *rapid.T) registrationv1.WebhookClientConfig {
	c := registrationv1.WebhookClientConfig{
		URL: rapid.Ptr(text("https://example.com/a", "http://u@h?q#f", "https://a b"), true).Draw(t, "url"),
	}
	if rapid.Bool().Draw(t, "service") {
		c.Service = &registrationv1.ServiceReference{
			Namespace: text("ns").Draw(t, "namespace"),
			Name:      text("n").Draw(t, "service name"),
			Port:      rapid.Ptr(rapid.Int32(), true).Draw(t, "port"),
			Path:      rapid.Ptr(text("/a", "//", "a//", "é"), true).Draw(t, "path"),
		}
	}
	return c
}

func someRule(t *rapid.T) registrationv1.RuleWithOperations {
	var operations []registrationv1.OperationType
	for _, o := range texts("CREATE", "CONNECT").Draw(t, "operations") {
		operations = append(operations, registrationv1.OperationType(o))
	}
	return registrationv1.RuleWithOperations{Operations: operations, Rule: registrationv1.Rule{
		APIGroups:   texts("apps", "authentication.k8s.io").Draw(t, "groups"),
		APIVersions: texts("v1").Draw(t, "rule versions"),
		Resources:   texts("tokenreviews", "a/*", "*/a", "a/a", "*/*").Draw(t, "resources"),
		Scope:       pointer[registrationv1.ScopeType](t, "Cluster", "Namespaced"),
	}}
}

func someSelector(t *rapid.T) *metav1.LabelSelector {
	if rapid.Bool().Draw(t, "no selector") {
		return nil
	}
	s := requirement(text("key").Draw(t, "key"), text("In", "Exists").Draw(t, "operator"), texts("b", "b b").Draw(t, "values")...)
	s.MatchLabels = rapid.MapOfN(text("a"), text("b"), 0, 1).Draw(t, "labels")
	return &s
}

func someCondition(t *rapid.T) registrationv1.MatchCondition {
	return registrationv1.MatchCondition{
		Name:       text("c", "a.b/c").Draw(t, "condition"),
		Expression: text("true", " 6 ", "[1].includes(1)", "object.", "request.uid").Draw(t, "expression"),
	}
}
