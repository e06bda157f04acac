package registration

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// defaultCase holds one webhook of either kind. Both kinds have the same
// defaults but for reinvocationPolicy, so every row is defaulted as both, and
// the validating half drops that field.
type defaultCase struct {
	row
	given []registrationv1.MutatingWebhook
	want  []registrationv1.MutatingWebhook
}

func TestDefault(t *testing.T) {
	t.Parallel()
	testtable.Run(t, defaultCases(), func(t *testing.T, tc defaultCase) {
		mutating := &registrationv1.MutatingWebhookConfiguration{Webhooks: copyOf(tc.given)}
		Default(mutating)
		if diff := cmp.Diff(tc.want, mutating.Webhooks); diff != "" {
			t.Errorf("%s\nmutating (-want +got):\n%s", tc.Why(), diff)
		}

		validating := &registrationv1.ValidatingWebhookConfiguration{Webhooks: validatingOf(copyOf(tc.given))}
		Default(validating)
		if diff := cmp.Diff(validatingOf(tc.want), validating.Webhooks); diff != "" {
			t.Errorf("%s\nvalidating (-want +got):\n%s", tc.Why(), diff)
		}

		again := mutating.DeepCopy()
		Default(again)
		if diff := cmp.Diff(mutating, again); diff != "" {
			t.Errorf("%s\na second time (-first +second):\n%s", tc.Why(), diff)
		}
	})
}

func defaultCases() []defaultCase {
	return []defaultCase{{
		row: row{"no webhooks", "a configuration may be empty, and stays nil rather than becoming an empty list"},
	}, {
		row:   row{"everything absent", "these are the defaults of v1; rules, path, caBundle, sideEffects and versions have none (R-010)"},
		given: []registrationv1.MutatingWebhook{{Name: "a.example.com"}},
		want: []registrationv1.MutatingWebhook{withDefaults(registrationv1.MutatingWebhook{
			Name: "a.example.com",
		})},
	}, {
		row: row{"inside lists and references", "the scope of every rule and the port of a service have defaults of their own"},
		given: []registrationv1.MutatingWebhook{{
			ClientConfig: registrationv1.WebhookClientConfig{Service: &registrationv1.ServiceReference{Name: "s"}},
			Rules:        []registrationv1.RuleWithOperations{{}, ruleWithScope(registrationv1.NamespacedScope)},
		}},
		want: []registrationv1.MutatingWebhook{withDefaults(registrationv1.MutatingWebhook{
			ClientConfig: registrationv1.WebhookClientConfig{
				Service: &registrationv1.ServiceReference{Name: "s", Port: new(int32(443))},
			},
			Rules: []registrationv1.RuleWithOperations{
				ruleWithScope(registrationv1.AllScopes), ruleWithScope(registrationv1.NamespacedScope),
			},
		})},
	}, {
		row:   row{"everything present", "a default never replaces a written value, whether that makes sense or not"},
		given: []registrationv1.MutatingWebhook{outspoken()},
		want:  []registrationv1.MutatingWebhook{outspoken()},
	}, {
		row:   row{"several webhooks", "each webhook is defaulted by itself"},
		given: []registrationv1.MutatingWebhook{outspoken(), {Name: "b.example.com"}},
		want: []registrationv1.MutatingWebhook{outspoken(), withDefaults(registrationv1.MutatingWebhook{
			Name: "b.example.com",
		})},
	}}
}

func TestDefaultsAreNotShared(t *testing.T) {
	t.Parallel()
	c := &registrationv1.MutatingWebhookConfiguration{Webhooks: make([]registrationv1.MutatingWebhook, 2)}
	Default(c)
	*c.Webhooks[0].TimeoutSeconds = 1
	c.Webhooks[0].ObjectSelector.MatchLabels = map[string]string{"a": "b"}

	want := withDefaults(registrationv1.MutatingWebhook{})
	if diff := cmp.Diff(want, c.Webhooks[1]); diff != "" {
		t.Errorf("changing one webhook must not change its neighbour (-want +got):\n%s", diff)
	}
}

// withDefaults spells the defaults out, independently of the code under test.
func withDefaults(w registrationv1.MutatingWebhook) registrationv1.MutatingWebhook {
	w.FailurePolicy = new(registrationv1.Fail)
	w.MatchPolicy = new(registrationv1.Equivalent)
	w.NamespaceSelector = &metav1.LabelSelector{}
	w.ObjectSelector = &metav1.LabelSelector{}
	w.TimeoutSeconds = new(int32(10))
	w.ReinvocationPolicy = new(registrationv1.NeverReinvocationPolicy)
	return w
}

// outspoken returns a webhook that differs from the default in every field that
// has one, also by values that no API server accepts.
func outspoken() registrationv1.MutatingWebhook {
	return registrationv1.MutatingWebhook{
		Name: "a.example.com",
		ClientConfig: registrationv1.WebhookClientConfig{
			Service: &registrationv1.ServiceReference{Port: new(int32(0))},
		},
		Rules:              []registrationv1.RuleWithOperations{ruleWithScope("")},
		FailurePolicy:      new(registrationv1.Ignore),
		MatchPolicy:        new(registrationv1.Exact),
		NamespaceSelector:  &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}},
		ObjectSelector:     &metav1.LabelSelector{MatchLabels: map[string]string{"c": "d"}},
		TimeoutSeconds:     new(int32(0)),
		ReinvocationPolicy: new(registrationv1.IfNeededReinvocationPolicy),
	}
}

func ruleWithScope(s registrationv1.ScopeType) registrationv1.RuleWithOperations {
	return registrationv1.RuleWithOperations{Rule: registrationv1.Rule{Scope: &s}}
}

func copyOf(ws []registrationv1.MutatingWebhook) []registrationv1.MutatingWebhook {
	return (&registrationv1.MutatingWebhookConfiguration{Webhooks: ws}).DeepCopy().Webhooks
}

func validatingOf(ws []registrationv1.MutatingWebhook) []registrationv1.ValidatingWebhook {
	if ws == nil {
		return nil
	}
	out := make([]registrationv1.ValidatingWebhook, len(ws))
	for i, w := range ws {
		out[i] = registrationv1.ValidatingWebhook{
			Name:              w.Name,
			ClientConfig:      w.ClientConfig,
			Rules:             w.Rules,
			FailurePolicy:     w.FailurePolicy,
			MatchPolicy:       w.MatchPolicy,
			NamespaceSelector: w.NamespaceSelector,
			ObjectSelector:    w.ObjectSelector,
			TimeoutSeconds:    w.TimeoutSeconds,
		}
	}
	return out
}
