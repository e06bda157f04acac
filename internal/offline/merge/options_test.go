package merge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/testutil/testtable"
)

// endpoint returns where objects of a manifest are sent.
func endpoint(t *testing.T, text, subresource string) request.Endpoint {
	t.Helper()
	kind := config(t, text).GroupVersionKind()
	return request.Endpoint{
		Resource: kind.GroupVersion().WithResource(strings.ToLower(kind.Kind) + "s"), Kind: kind, Subresource: subresource,
	}
}

// twiceRow is an object that one manager applies to twice: to the object, and
// then somewhere else.
type twiceRow struct {
	row
	first, second, to string
	// want is the object after that, without managedFields; owns is who owns
	// what.
	want string
	owns map[string]string
}

func TestApplyToSubresource(t *testing.T) {
	t.Parallel()
	const (
		dep    = "apiVersion: apps/v1\nkind: Deployment\n"
		plain  = "metadata: {name: web, namespace: shop, labels: {a: b}}\nspec: {replicas: 3}"
		custom = "apiVersion: example.com/v1\nkind: Widget\n"
	)
	m := merger(t, true)
	testtable.Run(t, []twiceRow{
		{row{"status", "what was applied to the object stays"}, dep + plain, dep + "metadata: {name: web}\nstatus: {replicas: 2}", "status",
			`{"metadata":{"labels":{"a":"b"},"name":"web","namespace":"shop"},"spec":{"replicas":3},"status":{"replicas":2}}`,
			map[string]string{"": `{"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:replicas":{}}}`, "status": `{"f:status":{"f:replicas":{}}}`}},
		{row{"status with more", "a server does not store it there"}, dep + plain, dep + "metadata: {name: web, labels: {c: d}, annotations: {e: f}}\nspec: {paused: true}\nstatus: {replicas: 2}", "status",
			`{"metadata":{"annotations":{"e":"f"},"labels":{"a":"b","c":"d"},"name":"web","namespace":"shop"},"spec":{"paused":true,"replicas":3},"status":{"replicas":2}}`,
			map[string]string{"": `{"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:replicas":{}}}`, "status": `{"f:metadata":{"f:annotations":{"f:e":{}}},"f:status":{"f:replicas":{}}}`}},
		{row{"object with a status", "a server does not store it there"}, dep + plain, dep + plain + "\nstatus: {replicas: 2}", "",
			`{"metadata":{"labels":{"a":"b"},"name":"web","namespace":"shop"},"spec":{"replicas":3},"status":{"replicas":2}}`,
			map[string]string{"": `{"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:replicas":{}}}`}},
		{row{"custom status", "all of the metadata is left out"}, custom + "metadata: {name: w, namespace: shop, labels: {a: b}}\nspec: {size: 1}",
			custom + "metadata: {name: w, annotations: {e: f}}\nstatus: {ready: true}", "status",
			`{"metadata":{"annotations":{"e":"f"},"labels":{"a":"b"},"name":"w","namespace":"shop"},"spec":{"size":1},"status":{"ready":true}}`,
			map[string]string{"": `{"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:size":{}}}`, "status": `{"f:status":{"f:ready":{}}}`}},
		{row{"custom object with a status", "a server does not store it there"}, custom + "metadata: {name: w, namespace: shop}\nspec: {size: 1}",
			custom + "metadata: {name: w}\nspec: {size: 1}\nstatus: {ready: true}", "",
			`{"metadata":{"name":"w","namespace":"shop"},"spec":{"size":1},"status":{"ready":true}}`,
			map[string]string{"": `{"f:spec":{"f:size":{}}}`}},
	}, func(t *testing.T, tc twiceRow) {
		o := Options{Endpoint: endpoint(t, tc.first, ""), Manager: "me"}
		old, err := m.Apply(nil, config(t, tc.first), o)
		if err != nil {
			t.Fatal(err)
		}
		o.Endpoint.Subresource = tc.to
		got, err := m.Apply(old, config(t, tc.second), o)
		if err != nil {
			t.Fatal(err)
		}
		checkOwned(t, got, tc.want, tc.owns)
	})
}

// checkOwned compares an object, and what its only manager owns by subresource.
func checkOwned(t *testing.T, got runtime.Object, want string, owns map[string]string) {
	t.Helper()
	fields, ok := decoded(t, asJSON(t, got)).(map[string]any)
	if !ok {
		t.Fatalf("%v is no object", got)
	}
	metadata := fields["metadata"].(map[string]any)
	found := map[string]any{}
	for _, entry := range metadata["managedFields"].([]any) {
		subresource, _ := entry.(map[string]any)["subresource"].(string)
		found[subresource] = entry.(map[string]any)["fieldsV1"]
	}
	wanted := map[string]any{}
	for subresource, set := range owns {
		wanted[subresource] = decoded(t, set)
	}
	if diff := cmp.Diff(wanted, found); diff != "" {
		t.Errorf("others own other fields than wanted:\n%s", diff)
	}
	delete(metadata, "managedFields")
	object := decoded(t, want).(map[string]any)
	for _, part := range []string{"metadata", "spec", "status"} {
		if diff := cmp.Diff(object[part], within(fields[part], object[part])); diff != "" {
			t.Errorf("%s differs from what is wanted:\n%s", part, diff)
		}
	}
}

// within returns those members of a value that another one has, so that
// defaults need not be repeated.
func within(value, other any) any {
	fields, ok := value.(map[string]any)
	names, also := other.(map[string]any)
	if !ok || !also {
		return value
	}
	some := map[string]any{}
	for name := range names {
		if v, has := fields[name]; has {
			some[name] = within(v, names[name])
		}
	}
	return some
}

// TestPatchOfStatus has the same manager change the object and its status.
func TestPatchOfStatus(t *testing.T) {
	t.Parallel()
	m := merger(t, true)
	o := Options{Endpoint: endpoint(t, deployment, ""), Manager: "me"}
	old, err := m.Apply(nil, config(t, head+"spec: {replicas: 3}"), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Endpoint.Subresource = "status"
	got, err := m.Patch(old, []byte(`{"spec":{"paused":true},"status":{"replicas":2}}`), types.MergePatchType, o)
	if err != nil {
		t.Fatal(err)
	}
	checkOwned(t, got, `{"metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":3,"paused":true},"status":{"replicas":2}}`,
		map[string]string{"": `{"f:spec":{"f:replicas":{}}}`, "status": `{"f:status":{"f:replicas":{}}}`})
}

type scaleRow struct {
	row
	of    string
	patch string
	at    string
	fails string
}

func TestPatchOfScale(t *testing.T) {
	t.Parallel()
	m := merger(t, true)
	scale := into[autoscalingv1.Scale](t, "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: w, namespace: shop, uid: u}, spec: {replicas: 1}}")
	testtable.Run(t, []scaleRow{
		{row{"strategic", "a Scale has a Go type"}, "strategic", `{"spec":{"replicas":5}}`, deployment, ""},
		{row{"custom strategic", "but those of custom resources are not patched by it"}, "strategic", `{"spec":{"replicas":5}}`, widget,
			"415 the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"},
		{row{"custom merge", "the type that is taken"}, "merge", `{"spec":{"replicas":5}}`, widget, ""},
		{row{"custom JSON", "the type that is taken"}, "json", `[{"op":"replace","path":"/spec/replicas","value":5}]`, widget, ""},
	}, func(t *testing.T, tc scaleRow) {
		of, err := ParseType(tc.of)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Patch(scale, []byte(tc.patch), of, Options{Endpoint: endpoint(t, tc.at, "scale")})
		if coding(err) != tc.fails {
			t.Fatalf("error %q, want %q", coding(err), tc.fails)
		}
		if err == nil && got.(*autoscalingv1.Scale).Spec.Replicas != 5 {
			t.Errorf("got %v, want 5 replicas", got)
		}
	})
}

// TestApplyToScale is rejected: what the Scale was made of says who owns the
// replicas.
func TestApplyToScale(t *testing.T) {
	t.Parallel()
	const text = "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: w, namespace: shop}, spec: {replicas: 1}}"
	_, err := merger(t, true).Apply(into[autoscalingv1.Scale](t, text), config(t, text), Options{Endpoint: endpoint(t, deployment, "scale"), Manager: "me"})
	if err == nil || !strings.HasPrefix(err.Error(), "server-side apply to the subresource scale is not supported") {
		t.Errorf("error %v, want one that says that it is not supported", err)
	}
}

// TestNoStatusNoResets has a resource whose status is a field like all others.
func TestNoStatusNoResets(t *testing.T) {
	t.Parallel()
	m := merger(t, true)
	for subresource, resource := range map[string]schema.GroupVersionResource{
		"":       {Version: "v1", Resource: "secrets"},
		"scale":  {Group: "apps", Version: "v1", Resource: "deployments"},
		"resize": {Version: "v1", Resource: "pods"},
	} {
		if got := m.resets(Options{Endpoint: request.Endpoint{Resource: resource, Subresource: subresource}}); got != nil {
			t.Errorf("%s/%s: %v, want nothing", resource.Resource, subresource, got)
		}
	}
}
