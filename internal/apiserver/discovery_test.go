package apiserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"

	"example.com/gatehouse/internal/testtable"
)

// TestDiscovery compares what clients find out with the table, in both ways in
// which they ask.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		legacy bool
	}
	rows := []test{
		{row{"aggregated", "clients of today ask once"}, false},
		{row{"legacy", "older clients ask for each group"}, true},
	}
	var want []string
	for _, r := range resources() {
		want = append(want, describeResource(r.version.String(), r.kind, r.plural, r.singular(), r.short, r.categories, r.scope == namespaced))
	}
	slices.Sort(want)
	testtable.Run(t, rows, func(t *testing.T, r test) {
		client, err := discovery.NewDiscoveryClientForConfig(shared.ClientConfig())
		if err != nil {
			t.Fatal(err)
		}
		client.UseLegacyDiscovery = r.legacy
		_, lists, err := client.ServerGroupsAndResources()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, found(t, lists)); diff != "" {
			t.Errorf("resources (-want, +got):\n%s", diff)
		}
	})
}

func found(t *testing.T, lists []*metav1.APIResourceList) []string {
	t.Helper()
	verbs := []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
	var found []string
	for _, list := range lists {
		for _, r := range list.APIResources {
			slices.Sort(r.Verbs)
			if diff := cmp.Diff(verbs, []string(r.Verbs)); diff != "" {
				t.Errorf("verbs of %s (-want, +got):\n%s", r.Name, diff)
			}
			found = append(found, describeResource(list.GroupVersion, r.Kind, r.Name, r.SingularName, r.ShortNames, r.Categories, r.Namespaced))
		}
	}
	slices.Sort(found)
	return found
}

func describeResource(version, kind, plural, singular string, short, categories []string, namespaced bool) string {
	parts := []string{version, kind, plural, singular, strings.Join(short, ","), strings.Join(categories, ",")}
	if namespaced {
		parts = append(parts, "namespaced")
	}
	return strings.Join(parts, " ")
}

// TestDocuments is about what a server is asked besides resources.
func TestDocuments(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		path string
		want []string
	}
	rows := []test{
		{row{"OpenAPI v2", "kubectl validates and explains with it"}, "/openapi/v2",
			[]string{`"io.k8s.api.core.v1.Pod":`, `"/apis/apps/v1/namespaces/{namespace}/deployments"`, `"x-kubernetes-group-version-kind"`}},
		{row{"OpenAPI v3", "newer clients ask for single groups"}, "/openapi/v3/apis/admissionregistration.k8s.io/v1",
			[]string{`"io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration":`, `"x-kubernetes-list-map-keys"`}},
		{row{"metrics", "what is in the server can be seen"}, "/metrics", []string{"apiserver_request_total{"}},
		{row{"readiness", "it has caches and hooks behind it"}, "/readyz?verbose",
			[]string{"[+]storage/apps/v1 ok", "readyz check passed"}},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		body := visit(t, r.path, "*/*")
		for _, want := range r.want {
			if !bytes.Contains(body, []byte(want)) {
				t.Errorf("%s lacks %s in %d bytes", r.path, want, len(body))
			}
		}
		if bytes.Contains(body, []byte("__internal")) && r.path != "/metrics" {
			t.Errorf("%s mentions internal versions", r.path)
		}
	})
}

// TestTables asks as kubectl get does.
func TestTables(t *testing.T) {
	t.Parallel()
	var got metav1.Table
	body := visit(t, "/api/v1/namespaces/"+own(t)+"/configmaps", "application/json;as=Table;v=v1;g=meta.k8s.io")
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	if got.Kind != "Table" || len(got.ColumnDefinitions) == 0 {
		t.Errorf("got no table: %s", body)
	}
}

func TestUnknownPath(t *testing.T) {
	t.Parallel()
	if code, body := get(t, shared.ClientConfig().BearerToken, "/apis/batch/v1/jobs", "*/*"); code != http.StatusNotFound {
		t.Errorf("got %d %s, want 404", code, body)
	}
}
