package registration

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// betaCase holds one webhook of either kind, as defaultCase does.
type betaCase struct {
	row
	given, want registrationv1beta1.MutatingWebhook
}

func TestDefaultBeta(t *testing.T) {
	t.Parallel()
	testtable.Run(t, betaCases(), func(t *testing.T, tc betaCase) {
		mutating := &registrationv1beta1.MutatingWebhookConfiguration{
			Webhooks: []registrationv1beta1.MutatingWebhook{*tc.given.DeepCopy()},
		}
		Default(mutating)
		if diff := cmp.Diff(tc.want, mutating.Webhooks[0]); diff != "" {
			t.Errorf("mutating (-want +got):\n%s", diff)
		}

		validating := &registrationv1beta1.ValidatingWebhookConfiguration{
			Webhooks: []registrationv1beta1.ValidatingWebhook{validatingBetaOf(*tc.given.DeepCopy())},
		}
		Default(validating)
		if diff := cmp.Diff(validatingBetaOf(tc.want), validating.Webhooks[0]); diff != "" {
			t.Errorf("validating (-want +got):\n%s", diff)
		}
	})
}

func betaCases() []betaCase {
	return []betaCase{{
		row:   row{"everything absent", "v1beta1 is more lenient than v1 in all that differs (R-010)"},
		given: registrationv1beta1.MutatingWebhook{Name: "a.example.com"},
		want:  withBetaDefaults(registrationv1beta1.MutatingWebhook{Name: "a.example.com"}),
	}, {
		row: row{"inside lists and references", "the defaults of rules and services are those of v1"},
		given: registrationv1beta1.MutatingWebhook{
			ClientConfig: registrationv1beta1.WebhookClientConfig{Service: &registrationv1beta1.ServiceReference{}},
			Rules:        []registrationv1.RuleWithOperations{{}},
		},
		want: withBetaDefaults(registrationv1beta1.MutatingWebhook{
			ClientConfig: registrationv1beta1.WebhookClientConfig{
				Service: &registrationv1beta1.ServiceReference{Port: new(int32(443))},
			},
			Rules: []registrationv1.RuleWithOperations{ruleWithScope(registrationv1.AllScopes)},
		}),
	}, {
		row:   row{"no versions in the list", "an empty list counts as absent, here alone (R-010)"},
		given: registrationv1beta1.MutatingWebhook{AdmissionReviewVersions: []string{}},
		want:  withBetaDefaults(registrationv1beta1.MutatingWebhook{}),
	}, {
		row:   row{"everything present", "a default never replaces a written value"},
		given: outspokenBeta(),
		want:  outspokenBeta(),
	}}
}

func withBetaDefaults(w registrationv1beta1.MutatingWebhook) registrationv1beta1.MutatingWebhook {
	w.FailurePolicy = new(registrationv1beta1.Ignore)
	w.MatchPolicy = new(registrationv1beta1.Exact)
	w.NamespaceSelector = &metav1.LabelSelector{}
	w.ObjectSelector = &metav1.LabelSelector{}
	w.SideEffects = new(registrationv1beta1.SideEffectClassUnknown)
	w.TimeoutSeconds = new(int32(30))
	w.AdmissionReviewVersions = []string{"v1beta1"}
	w.ReinvocationPolicy = new(registrationv1beta1.NeverReinvocationPolicy)
	return w
}

// outspokenBeta differs from the defaults in every field that has one.
func outspokenBeta() registrationv1beta1.MutatingWebhook {
	return registrationv1beta1.MutatingWebhook{
		Name: "a.example.com",
		ClientConfig: registrationv1beta1.WebhookClientConfig{
			URL:      new("https://a.example.com"),
			Service:  &registrationv1beta1.ServiceReference{Namespace: "n", Name: "s", Path: new("/p"), Port: new(int32(0))},
			CABundle: []byte("ca"),
		},
		Rules:                   []registrationv1.RuleWithOperations{ruleWithScope("")},
		FailurePolicy:           new(registrationv1beta1.Fail),
		MatchPolicy:             new(registrationv1beta1.Equivalent),
		NamespaceSelector:       &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}},
		ObjectSelector:          &metav1.LabelSelector{MatchLabels: map[string]string{"c": "d"}},
		SideEffects:             new(registrationv1beta1.SideEffectClassSome),
		TimeoutSeconds:          new(int32(0)),
		AdmissionReviewVersions: []string{"v1"},
		ReinvocationPolicy:      new(registrationv1beta1.IfNeededReinvocationPolicy),
		MatchConditions:         []registrationv1beta1.MatchCondition{{Name: "n", Expression: "true"}},
	}
}

func validatingBetaOf(w registrationv1beta1.MutatingWebhook) registrationv1beta1.ValidatingWebhook {
	return registrationv1beta1.ValidatingWebhook{
		Name:                    w.Name,
		ClientConfig:            w.ClientConfig,
		Rules:                   w.Rules,
		FailurePolicy:           w.FailurePolicy,
		MatchPolicy:             w.MatchPolicy,
		NamespaceSelector:       w.NamespaceSelector,
		ObjectSelector:          w.ObjectSelector,
		SideEffects:             w.SideEffects,
		TimeoutSeconds:          w.TimeoutSeconds,
		AdmissionReviewVersions: w.AdmissionReviewVersions,
		MatchConditions:         w.MatchConditions,
	}
}

// TestDefaultAndConvertTakeAnything is about what callers may hand over by
// mistake.
func TestDefaultAndConvertTakeAnything(t *testing.T) {
	t.Parallel()
	for _, c := range []Configuration{
		nil,
		(*registrationv1.MutatingWebhookConfiguration)(nil),
		(*registrationv1.ValidatingWebhookConfiguration)(nil),
		(*registrationv1beta1.MutatingWebhookConfiguration)(nil),
		(*registrationv1beta1.ValidatingWebhookConfiguration)(nil),
		&registrationv1.ValidatingAdmissionPolicy{},
	} {
		Default(c)
		if got := Convert(c); got != c {
			t.Errorf("Convert(%T) = %T, want what it was given", c, got)
		}
	}
}
