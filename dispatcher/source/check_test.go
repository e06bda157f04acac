package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testtable"
)

type checkCase struct {
	row
	// spoil changes a webhook that has nothing wrong with it.
	spoil func(*admission.Webhook)
	want  []string
}

func TestCheck(t *testing.T) {
	t.Parallel()
	cases := append(checkFieldCases(), checkChoiceCases()...)
	testtable.Run(t, cases, func(t *testing.T, tc checkCase) {
		w := soundWebhook(admission.Mutating)
		tc.spoil(w)
		// The second of two, so that the index is seen to count.
		problems := check("a", []*admission.Webhook{soundWebhook(admission.Mutating), w})
		var got []string
		for _, p := range problems {
			got = append(got, p.Error())
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
	})
}

func checkFieldCases() []checkCase {
	return []checkCase{{
		row:   row{"sound", "the base of all other rows must be free of problems"},
		spoil: func(*admission.Webhook) {},
	}, {
		row: row{"undefaulted", "absence of what has a default is no mistake, whether defaults were applied or not"},
		spoil: func(w *admission.Webhook) {
			w.FailurePolicy, w.MatchPolicy, w.TimeoutSeconds, w.ReinvocationPolicy = nil, nil, nil, nil
			w.NamespaceSelector, w.ObjectSelector = nil, nil
		},
	}, {
		row:   row{"no name", "messages and metrics would have nothing to call it (R-021)"},
		spoil: func(w *admission.Webhook) { w.Name = "" },
		want:  []string{"webhooks[1].name: Required value"},
	}, {
		row:   row{"no way to reach it", "every call would fail (R-032)"},
		spoil: func(w *admission.Webhook) { w.ClientConfig = registrationv1.WebhookClientConfig{} },
		want:  []string{"webhooks[1].clientConfig: Required value: exactly one of url or service is required"},
	}, {
		row:   row{"two ways to reach it", "which one is meant? (R-032)"},
		spoil: func(w *admission.Webhook) { w.ClientConfig.Service = &registrationv1.ServiceReference{} },
		want:  []string{"webhooks[1].clientConfig: Required value: exactly one of url or service is required"},
	}, {
		row:   row{"shortest timeout", "the bound itself is allowed (R-029)"},
		spoil: func(w *admission.Webhook) { w.TimeoutSeconds = new(int32(1)) },
	}, {
		row:   row{"longest timeout", "the bound itself is allowed (R-029)"},
		spoil: func(w *admission.Webhook) { w.TimeoutSeconds = new(int32(30)) },
	}, {
		row:   row{"timeout zero", "every call would time out at once (R-029)"},
		spoil: func(w *admission.Webhook) { w.TimeoutSeconds = new(int32(0)) },
		want: []string{"webhooks[1].timeoutSeconds: Invalid value: 0: " +
			"the timeout value must be between 1 and 30 seconds"},
	}, {
		row:   row{"timeout too long", "an API server does not wait that long (R-029)"},
		spoil: func(w *admission.Webhook) { w.TimeoutSeconds = new(int32(31)) },
		want: []string{"webhooks[1].timeoutSeconds: Invalid value: 31: " +
			"the timeout value must be between 1 and 30 seconds"},
	}, {
		row:   row{"as many conditions as can be", "the bound itself is allowed (R-036)"},
		spoil: func(w *admission.Webhook) { w.MatchConditions = make([]registrationv1.MatchCondition, 64) },
	}, {
		row:   row{"too many conditions", "no API server would serve such a webhook (R-036)"},
		spoil: func(w *admission.Webhook) { w.MatchConditions = make([]registrationv1.MatchCondition, 65) },
		want:  []string{"webhooks[1].matchConditions: Too many: 65: must have at most 64 items"},
	}, {
		row:   row{"no review versions", "there would be no language to speak with it (R-037)"},
		spoil: func(w *admission.Webhook) { w.AdmissionReviewVersions = nil },
		want:  []string{"webhooks[1].admissionReviewVersions: Required value: must specify one of v1, v1beta1"},
	}, {
		row: row{"selectors that do not parse", "every request would end in an error (R-030)"},
		spoil: func(w *admission.Webhook) {
			w.NamespaceSelector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Bogus"}}
			w.ObjectSelector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: "In"}}
		},
		want: []string{
			`webhooks[1].namespaceSelector.matchExpressions[0].operator: Invalid value: "Bogus": ` +
				`not a valid selector operator`,
			"webhooks[1].objectSelector.matchExpressions[0].values: Required value: " +
				"must be specified when `operator` is 'In' or 'NotIn'",
		},
	}}
}

func checkChoiceCases() []checkCase {
	return []checkCase{{
		row: row{"other choices", "the values that are not the defaults are known as well (R-027, R-031)"},
		spoil: func(w *admission.Webhook) {
			w.FailurePolicy, w.MatchPolicy = new(registrationv1.Ignore), new(registrationv1.Exact)
			w.ReinvocationPolicy = new(registrationv1.IfNeededReinvocationPolicy)
		},
	}, {
		row: row{"unknown choices", "all are reported, in an API server's order (R-027, R-028, R-031)"},
		spoil: func(w *admission.Webhook) {
			w.FailurePolicy = new(registrationv1.FailurePolicyType("ignore"))
			w.MatchPolicy = new(registrationv1.MatchPolicyType(""))
			w.SideEffects = new(registrationv1.SideEffectClass("none"))
			w.ReinvocationPolicy = new(registrationv1.ReinvocationPolicyType("Always"))
		},
		want: []string{
			`webhooks[1].failurePolicy: Unsupported value: "ignore": supported values: "Fail", "Ignore"`,
			`webhooks[1].matchPolicy: Unsupported value: "": supported values: "Equivalent", "Exact"`,
			`webhooks[1].sideEffects: Unsupported value: "none": ` +
				`supported values: "None", "NoneOnDryRun", "Some", "Unknown"`,
			`webhooks[1].reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"`,
		},
	}, {
		row:   row{"side effects not said", "v1 has no default for it (R-010, R-028)"},
		spoil: func(w *admission.Webhook) { w.SideEffects = nil },
		want: []string{"webhooks[1].sideEffects: Required value: " +
			"must specify one of None, NoneOnDryRun, Some, Unknown"},
	}, {
		row:   row{"side effects from long ago", "an API server keeps serving a stored Unknown (R-044)"},
		spoil: func(w *admission.Webhook) { w.SideEffects = new(registrationv1.SideEffectClassUnknown) },
	}}
}
