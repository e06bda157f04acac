package apiserver

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/testutil/testtable"
)

type (
	mutatingConfiguration   = registrationv1.MutatingWebhookConfiguration
	validatingConfiguration = registrationv1.ValidatingWebhookConfiguration
)

// mutating returns a configuration of one webhook, given as JSON.
func mutating(t *testing.T, name, webhook string) *mutatingConfiguration {
	t.Helper()
	c := &mutatingConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: make([]registrationv1.MutatingWebhook, 1)}
	if err := json.Unmarshal([]byte(webhook), &c.Webhooks[0]); err != nil {
		t.Fatal(err)
	}
	return c
}

const minimal = `{"name":"a.example.com","sideEffects":"None","admissionReviewVersions":["v1"],
	"clientConfig":{"service":{"namespace":"a","name":"b"}},
	"rules":[{"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],"resources":["pods"]}]}`

// TestConfigurationDefaults is R-010 as clients see it.
func TestConfigurationDefaults(t *testing.T) {
	t.Parallel()
	client := typed(t, shared).AdmissionregistrationV1().MutatingWebhookConfigurations()
	created := must[*mutatingConfiguration](t)(client.Create(t.Context(), mutating(t, own(t), minimal), metav1.CreateOptions{}))
	all := registrationv1.AllScopes
	want := mutating(t, "", minimal).Webhooks[0]
	want.ClientConfig.Service.Port = ptr.To[int32](443)
	want.Rules[0].Scope = &all
	want.FailurePolicy = ptr.To(registrationv1.Fail)
	want.MatchPolicy = ptr.To(registrationv1.Equivalent)
	want.NamespaceSelector, want.ObjectSelector = &metav1.LabelSelector{}, &metav1.LabelSelector{}
	want.TimeoutSeconds = ptr.To[int32](10)
	want.ReinvocationPolicy = ptr.To(registrationv1.NeverReinvocationPolicy)
	if diff := cmp.Diff(want, created.Webhooks[0]); diff != "" {
		t.Errorf("webhook (-want, +got):\n%s", diff)
	}
}

// TestConfigurationRejected is about that the rules are asked at all, and how
// their errors reach the client; package registration knows all of them.
func TestConfigurationRejected(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		name, webhook string
		want          string
	}
	const prefix = `MutatingWebhookConfiguration.admissionregistration.k8s.io `
	rows := []test{
		{row{"timeout", "R-029"}, "rejected",
			`{"name":"a.example.com","sideEffects":"None","admissionReviewVersions":["v1"],"clientConfig":{"url":"https://a/"},"timeoutSeconds":31}`,
			prefix + `"rejected" is invalid: webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds`},
		{row{"two errors", "R-028, R-032: all errors come at once"}, "rejected",
			`{"name":"a.example.com","admissionReviewVersions":["v1"],"clientConfig":{}}`,
			prefix + `"rejected" is invalid: [webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun, ` +
				`webhooks[0].clientConfig: Required value: exactly one of url or service is required]`},
		{row{"condition", "R-051: expressions are compiled"}, "rejected",
			`{"name":"a.example.com","sideEffects":"None","admissionReviewVersions":["v1"],"clientConfig":{"url":"https://a/"},
				"matchConditions":[{"name":"a","expression":"6"}]}`,
			prefix + `"rejected" is invalid: webhooks[0].matchConditions[0].expression: Invalid value: "6": must evaluate to bool but got int`},
		{row{"reserved name", "R-039"}, "a.static.k8s.io", minimal,
			prefix + `"a.static.k8s.io" is invalid: metadata.name: Invalid value: "a.static.k8s.io": names ending with ".static.k8s.io" are ` +
				`reserved for static manifest-based configurations and cannot be managed via the API`},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		client := typed(t, shared).AdmissionregistrationV1().MutatingWebhookConfigurations()
		_, err := client.Create(t.Context(), mutating(t, r.name, r.webhook), metav1.CreateOptions{})
		if got := testtable.Text(err); got != r.want {
			t.Errorf("got  %s\nwant %s", got, r.want)
		}
		wantReason(t, err, metav1.StatusReasonInvalid)
	})
}

// TestConfigurationUpdate is about that an update is held to the rules, which
// know the old configuration.
func TestConfigurationUpdate(t *testing.T) {
	t.Parallel()
	client, name := typed(t, shared).AdmissionregistrationV1().MutatingWebhookConfigurations(), own(t)
	must[*mutatingConfiguration](t)(client.Create(t.Context(), mutating(t, name, minimal), metav1.CreateOptions{}))
	patch := []byte(`{"webhooks":[{"name":"a.example.com","sideEffects":"Unknown"}]}`)
	_, err := client.Patch(t.Context(), name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	want := `MutatingWebhookConfiguration.admissionregistration.k8s.io "` + name + `" is invalid: ` +
		`webhooks[0].sideEffects: Unsupported value: "Unknown": supported values: "None", "NoneOnDryRun"`
	if got := testtable.Text(err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestConfigurationWarning writes a rule without effect, R-062.
func TestConfigurationWarning(t *testing.T) {
	t.Parallel()
	const useless = `{"name":"a.example.com","sideEffects":"None","admissionReviewVersions":["v1"],"clientConfig":{"url":"https://a/"},
		"rules":[{"operations":["CREATE"],"apiGroups":["authentication.k8s.io"],"apiVersions":["v1"],"resources":["tokenreviews"]}]}`
	var got heard
	config := shared.ClientConfig()
	config.WarningHandler = &got
	client := typedFor(t, config).AdmissionregistrationV1().MutatingWebhookConfigurations()
	must[*mutatingConfiguration](t)(client.Create(t.Context(), mutating(t, own(t), useless), metav1.CreateOptions{}))
	want := heard{`webhooks[0].rules[0]: tokenreviews.authentication.k8s.io is excluded from admission webhooks; this rule will have no effect`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("warnings (-want, +got):\n%s", diff)
	}
}

// heard are the warnings that a client has received.
type heard []string

func (h *heard) HandleWarningHeader(_ int, _ string, text string) { *h = append(*h, text) }

// TestConfigurationApply has webhooks of two managers merge by their names.
func TestConfigurationApply(t *testing.T) {
	t.Parallel()
	client, name := typed(t, shared).AdmissionregistrationV1().ValidatingWebhookConfigurations(), own(t)
	var last *validatingConfiguration
	for _, manager := range []string{"first", "second"} {
		patch := []byte(`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"` + name + `"},
			"webhooks":[{"name":"` + manager + `.example.com","sideEffects":"None","admissionReviewVersions":["v1"],"clientConfig":{"url":"https://a/"}}]}`)
		last = must[*validatingConfiguration](t)(client.Patch(t.Context(), name, types.ApplyPatchType, patch, metav1.PatchOptions{FieldManager: manager}))
	}
	if len(last.Webhooks) != 2 || last.Generation != 2 {
		t.Errorf("got %d webhooks of generation %d, want 2 of 2", len(last.Webhooks), last.Generation)
	}
}
