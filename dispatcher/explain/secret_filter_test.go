package explain_test

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/testtable"
)

func newFilter() *explain.SecretFilter {
	return explain.NewSecretFilter(metav1.GroupVersionKind{Version: "v1", Kind: "Secret"},
		[]json.RawMessage{json.RawMessage(`{"data":{"password":"aHVudGVyMg=="}}`), nil},
		explain.Operation{Op: "add", Path: "/data/token", Value: json.RawMessage(`"c2VzYW1l"`)})
}

func TestSecretFilterText(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text, want string
	}
	testtable.Run(t, []test{
		{row{"harmless", "texts without secrets do not change"}, "no such team", "no such team"},
		{row{"as it is stored", "the stored form is replaced"}, "aHVudGVyMg== is weak", "[redacted] is weak"},
		{row{"decoded", "the decoded value is replaced"}, `"hunter2" is weak`, `"[redacted]" is weak`},
		{row{"of a patch", "values of patches are replaced"}, "sesame", "[redacted]"},
	}, func(t *testing.T, tc test) {
		if got := newFilter().Text(tc.text); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
		if got := (*explain.SecretFilter)(nil).Text(tc.text); got != tc.text {
			t.Errorf("a nil filter returns %q", got)
		}
	})
}

func TestSecretFilterHides(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		path string
		want bool
	}
	testtable.Run(t, []test{
		{row{"data", "the data is secret"}, "data.password", true},
		{row{"all data", "it contains a secret"}, "data", true},
		{row{"stringData", "stringData is secret, too"}, "stringData.x", true},
		{row{"copy", "kubectl apply stores a copy"}, "metadata.annotations['kubectl.kubernetes.io/last-applied-configuration']", true},
		{row{"whole object", "it contains the data"}, "", true},
		{row{"labels", "labels are not secret"}, "metadata.labels.team", false},
		{row{"type", "the type is not secret"}, "type", false},
	}, func(t *testing.T, tc test) {
		if got := newFilter().Hides(path(t, tc.path)); got != tc.want {
			t.Errorf("got %t", got)
		}
		if (*explain.SecretFilter)(nil).Hides(path(t, tc.path)) {
			t.Error("a nil filter hides it")
		}
	})
}

// TestSecretFilterIsForSecrets wants no filter for other kinds, also for a kind
// Secret of another group.
func TestSecretFilterIsForSecrets(t *testing.T) {
	t.Parallel()
	for _, kind := range []metav1.GroupVersionKind{{Version: "v1", Kind: "ConfigMap"}, {Group: "example.com", Version: "v1", Kind: "Secret"}} {
		if explain.NewSecretFilter(kind, nil) != nil {
			t.Errorf("%s has a filter", kind)
		}
	}
}
