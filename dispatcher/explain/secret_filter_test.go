package explain_test

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/testtable"
)

func secretVeil() *explain.SecretFilter {
	return explain.NewSecretFilter(metav1.GroupVersionKind{Version: "v1", Kind: "Secret"},
		[]json.RawMessage{json.RawMessage(`{"data":{"password":"aHVudGVyMg=="}}`), nil},
		explain.Operation{Op: "add", Path: "/data/token", Value: json.RawMessage(`"c2VzYW1l"`)})
}

func TestVeilText(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text, want string
	}
	testtable.Run(t, []test{
		{row{"harmless", "most texts quote nothing"}, "no such team", "no such team"},
		{row{"as it is stored", "webhooks quote what they see"}, "aHVudGVyMg== is weak", "[redacted] is weak"},
		{row{"decoded", "or what they have made of it"}, `"hunter2" is weak`, `"[redacted]" is weak`},
		{row{"of a patch", "the object need not have it any more"}, "sesame", "[redacted]"},
	}, func(t *testing.T, tc test) {
		if got := secretVeil().Text(tc.text); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
		if got := (*explain.SecretFilter)(nil).Text(tc.text); got != tc.text {
			t.Errorf("without a veil: %q", got)
		}
	})
}

func TestVeilHides(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		path string
		want bool
	}
	testtable.Run(t, []test{
		{row{"data", "that is what a Secret is for"}, "data.password", true},
		{row{"all data", "it has something secret in it"}, "data", true},
		{row{"stringData", "another way to write it"}, "stringData.x", true},
		{row{"copy", "kubectl apply leaves one"}, "metadata.annotations['kubectl.kubernetes.io/last-applied-configuration']", true},
		{row{"whole object", "the data is in it"}, "", true},
		{row{"labels", "they are for everybody"}, "metadata.labels.team", false},
		{row{"type", "it is no data"}, "type", false},
	}, func(t *testing.T, tc test) {
		if got := secretVeil().Hides(path(t, tc.path)); got != tc.want {
			t.Errorf("got %t", got)
		}
		if (*explain.SecretFilter)(nil).Hides(path(t, tc.path)) {
			t.Error("it is hidden without a veil")
		}
	})
}

// TestVeilIsForSecrets wants none for other kinds, also for those that are called so.
func TestVeilIsForSecrets(t *testing.T) {
	t.Parallel()
	for _, kind := range []metav1.GroupVersionKind{{Version: "v1", Kind: "ConfigMap"}, {Group: "example.com", Version: "v1", Kind: "Secret"}} {
		if explain.NewSecretFilter(kind, nil) != nil {
			t.Errorf("%s has a veil", kind)
		}
	}
}
