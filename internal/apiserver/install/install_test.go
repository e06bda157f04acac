package install

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func read(t *testing.T, text string) *Set {
	t.Helper()
	s, err := Read(&manifest.Reader{Stdin: strings.NewReader(text)}, []string{"-"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestOrder: what others need comes before them, and otherwise the order is the
// file's.
func TestOrder(t *testing.T) {
	t.Parallel()
	s := read(t, `
{apiVersion: v1, kind: Pod, metadata: {name: z}}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: "y"}}
---
{apiVersion: v1, kind: Service, metadata: {name: x}}
---
{apiVersion: example.com/v1, kind: Service, metadata: {name: w}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: v}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: u}}
---
{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: t}}
`)
	var got []string
	for _, o := range s.objects {
		got = append(got, o.GetName())
	}
	if diff := cmp.Diff([]string{"u", "v", "x", "t", "y", "z", "w"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestTrust(t *testing.T) {
	t.Parallel()
	const hooks = "{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: a}, webhooks: "
	const definition = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}, spec: {conversion: "
	type test struct {
		row
		text string
		path []string
		want any
	}
	testtable.Run(t, []test{
		{row{"none", "this is what the CA is for"}, hooks + "[{clientConfig: {url: 'https://a'}}]}", nil, "Q0E="},
		{row{"empty", "some tools write that"}, hooks + "[{clientConfig: {caBundle: ''}}]}", nil, "Q0E="},
		{row{"placeholder", "kubebuilder writes that, for others to replace"}, hooks + "[{clientConfig: {caBundle: Cg==}}]}", nil, "Q0E="},
		{row{"its own", "the author knows better"}, hooks + "[{clientConfig: {caBundle: b3du}}]}", nil, "b3du"},
		{row{"conversion", "these are called too"}, definition + "{webhook: {clientConfig: {url: 'https://a'}}}}}", []string{"spec", "conversion", "webhook", "clientConfig", "caBundle"}, "Q0E="},
		{row{"conversion's placeholder", "the same tools write it"}, definition + "{webhook: {clientConfig: {caBundle: Cg==}}}}}", []string{"spec", "conversion", "webhook", "clientConfig", "caBundle"}, "Q0E="},
		{row{"no conversion", "nothing is made up"}, definition + "{strategy: None}}}", []string{"spec", "conversion", "webhook"}, nil},
		{row{"no list", "the server has words for it"}, hooks + "{}}", []string{"webhooks"}, map[string]any{}},
	}, func(t *testing.T, r test) {
		s := read(t, r.text)
		s.Trust([]byte("CA"))
		object := s.objects[0].Object
		var got any
		if r.path == nil {
			got = object["webhooks"].([]any)[0].(map[string]any)["clientConfig"].(map[string]any)["caBundle"]
		} else {
			got, _, _ = unstructured.NestedFieldNoCopy(object, r.path...)
		}
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestTrustNil: Trust(nil) removes placeholders and keeps caBundles.
func TestTrustNil(t *testing.T) {
	t.Parallel()
	s := read(t, "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: a}, webhooks: "+
		"[{clientConfig: {caBundle: Cg==}}, {clientConfig: {caBundle: b3du}}, {clientConfig: {caBundle: CQ==}}]}")
	s.Trust(nil)
	want := []any{
		map[string]any{"clientConfig": map[string]any{}},
		map[string]any{"clientConfig": map[string]any{"caBundle": "b3du"}},
		map[string]any{"clientConfig": map[string]any{"caBundle": "CQ=="}},
	}
	if diff := cmp.Diff(want, s.objects[0].Object["webhooks"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTidy: what kubectl get -o yaml has printed can be put in again.
func TestTidy(t *testing.T) {
	t.Parallel()
	s := read(t, `{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {b: c}, uid: x, resourceVersion: "7", generation: 2, creationTimestamp: null, managedFields: []}}`)
	want := map[string]any{"name": "a", "labels": map[string]any{"b": "c"}}
	if diff := cmp.Diff(want, s.objects[0].Object["metadata"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReadNamesAll: the error of Read has every invalid document.
func TestReadNamesAll(t *testing.T) {
	t.Parallel()
	_, err := Read(&manifest.Reader{Stdin: strings.NewReader("a: [")}, []string{"nowhere.yaml", "-"})
	for _, want := range []string{"nowhere.yaml: cannot be read", "document 1 (line 1): invalid YAML"} {
		if !strings.Contains(testtable.Text(err), want) {
			t.Errorf("got %v, want one that contains %q", err, want)
		}
	}
}

func TestEstablished(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		bundle     string
		conditions []any
		want       bool
		problem    string
	}
	condition := func(kind, status string) map[string]any {
		return map[string]any{"type": kind, "status": status, "message": "because"}
	}
	unsound := map[string]any{"type": "Established", "status": "False", "reason": "InvalidCABundle", "message": "because"}
	testtable.Run(t, []test{
		{row{"nothing yet", "controllers have not come to it"}, "", nil, false, ""},
		{row{"names only", "the one comes before the other"}, "", []any{condition("NamesAccepted", "True"), condition("Established", "False")}, false, ""},
		{row{"both", "now it is served"}, "", []any{condition("NamesAccepted", "True"), condition("Established", "True")}, true, ""},
		{row{"taken", "waiting would not help"}, "", []any{condition("NamesAccepted", "False")}, false, "its names are not accepted: because"},
		{row{"no bundle", "waiting would not help"}, "CQ==", []any{unsound}, false, "it is not established: because"},
		{row{"no bundle any more", "the condition is about what was there before"}, "", []any{unsound}, false, ""},
	}, func(t *testing.T, r test) {
		definition := &unstructured.Unstructured{Object: map[string]any{
			"spec":   map[string]any{"conversion": map[string]any{"webhook": map[string]any{"clientConfig": map[string]any{"caBundle": r.bundle}}}},
			"status": map[string]any{"conditions": r.conditions},
		}}
		got, err := established(definition)
		if got != r.want || testtable.Text(err) != r.problem {
			t.Errorf("got %v, %v; want %v, %q", got, err, r.want, r.problem)
		}
	})
}
