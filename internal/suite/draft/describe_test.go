package draft

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/manifesttest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestDescribes(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		group, version, kind string
		want                 bool
	}
	testtable.Run(t, []test{
		{row{"namespace", "selectors see its labels"}, "", "v1", "Namespace", true},
		{row{"definition", "it tells of a kind"}, "apiextensions.k8s.io", "v1", "CustomResourceDefinition", true},
		{row{"binding", "authorizers ask for it"}, "rbac.authorization.k8s.io", "v1", "RoleBinding", true},
		{row{"configuration", "it has webhooks"}, "admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration", true},
		{row{"policy", "its group alone does not count"}, "admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy", false},
		{row{"past version", "it is not decoded as a definition"}, "apiextensions.k8s.io", "v1beta1", "CustomResourceDefinition", false},
		{row{"pod", "it is a request"}, "", "v1", "Pod", false},
		{row{"other namespace", "it only has the name"}, "example.com", "v1", "Namespace", false},
	}, func(t *testing.T, tc test) {
		kind := schema.GroupVersionKind{Group: tc.group, Version: tc.version, Kind: tc.kind}
		if got := DescribesCluster(kind); got != tc.want {
			t.Errorf("%s: got %t, want %t", tc.Why(), got, tc.want)
		}
	})
}

// TestDescribed: namespaces are written in short, and the rest as it is.
func TestDescribed(t *testing.T) {
	t.Parallel()
	all := manifesttest.Documents(t, "a.yaml", `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a", "labels": {"b": "c"}, "annotations": {"d": "e"}}}
{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r"}}
{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "f"}}
`)
	d, err := Make(Frame{Configurations: []string{"config"}, Described: all}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	namespaces := []suitefile.Namespace{{Name: "a", Labels: map[string]string{"b": "c"}}, {Name: "f"}}
	if diff := cmp.Diff(namespaces, d.Test.Namespaces); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := `["config" {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r"}}]`
	if got := fmt.Sprintf("%s", d.Test.Configurations); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
