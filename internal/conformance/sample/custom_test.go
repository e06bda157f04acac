package sample_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/sample"
)

// widgets defines two versions of a kind, the older one first. The newer one
// has a status and a scale.
func widgets(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := definition(t, "Widget", `{type: object, properties: {spec: {type: object, properties: {replicas: {type: integer, default: 3}}}, status: {type: object, required: [phase], properties: {phase: {type: string, enum: [Ready, Broken]}}}}}`)
	newer := crd.Spec.Versions[0]
	newer.Subresources = &apiextensionsv1.CustomResourceSubresources{
		Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
		Scale:  &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas"},
	}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1alpha1", Served: true}, newer}
	return crd
}

func TestCustom(t *testing.T) {
	t.Parallel()
	crd := widgets(t)
	set := sample.Make(t.Context(), sample.Config{
		Configurations: configured(t, []hook{{rules: "* example.com/* */*"}}), Kinds: known(t, crd),
		Definitions: []*apiextensionsv1.CustomResourceDefinition{crd},
	})
	var got []string
	for i, name := range names(set) {
		object := set.Requests[i].Object
		if object == nil {
			object = set.Requests[i].OldObject
		}
		c := content(t, object)
		got = append(got, fmt.Sprintf("%s: %v %v %v", name, c["apiVersion"], c["spec"], c["status"]))
	}
	want := []string{
		"CREATE widgets.example.com/sample in sample: example.com/v1 map[replicas:3] <nil>",
		"UPDATE widgets.example.com/sample in sample: example.com/v1 map[replicas:3] <nil>",
		"DELETE widgets.example.com/sample in sample: example.com/v1 map[replicas:3] <nil>",
		"UPDATE widgets.example.com/sample/status in sample: example.com/v1 map[replicas:3] map[phase:Ready]",
		"UPDATE widgets.example.com/sample/scale in sample: autoscaling/v1 map[replicas:4] map[replicas:0]",
	}
	if diff := cmp.Diff(want, got); diff != "" || len(set.Skipped) > 0 {
		t.Errorf("skipped %v (-want +got):\n%s", set.Skipped, diff)
	}
}

// TestNoSchema makes an object that says nothing: so it may.
func TestNoSchema(t *testing.T) {
	t.Parallel()
	crd := widgets(t)
	set := sample.Make(t.Context(), sample.Config{
		Configurations: configured(t, []hook{{rules: "CREATE example.com/v1alpha1 widgets", objects: "app=web"}}), Kinds: known(t, crd),
		Definitions: []*apiextensionsv1.CustomResourceDefinition{crd},
	})
	if len(set.Requests) != 1 {
		t.Fatalf("%d requests, skipped %v", len(set.Requests), set.Skipped)
	}
	want := map[string]any{
		"apiVersion": "example.com/v1alpha1", "kind": "Widget",
		"metadata": map[string]any{"name": "sample", "namespace": "sample", "labels": map[string]any{"app": "web"}},
	}
	if diff := cmp.Diff(want, content(t, set.Requests[0].Object)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNoScale leaves out what cannot be made of a given object.
func TestNoScale(t *testing.T) {
	t.Parallel()
	crd := widgets(t)
	wrong := probetest.Widget(admissionv1.Create, func(u *unstructured.Unstructured) {
		u.Object["spec"] = map[string]any{"replicas": "many"}
	})
	set := sample.Make(t.Context(), sample.Config{
		Configurations: configured(t, []hook{{rules: "UPDATE example.com/v1 widgets/scale"}, {rules: "DELETE example.com/v1 widgets"}}), Kinds: known(t, crd),
		Definitions: []*apiextensionsv1.CustomResourceDefinition{crd}, Given: []*admission.Request{wrong},
	})
	if diff := cmp.Diff([]string{"CREATE widgets.example.com/sprocket in shop", "DELETE widgets.example.com/sprocket in shop"}, names(set)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const want = `[making a sample of UPDATE widgets.example.com/scale: making the Scale of example.com/v1 Widget: .spec.replicas accessor error: many is of the type string, expected int64]`
	if got := fmt.Sprint(set.Skipped); got != want {
		t.Errorf("skipped %s", got)
	}
}

// TestTooLarge leaves out a kind whose objects no request has room for.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	large := definition(t, "Whale", `{type: object, required: [spec], properties: {spec: {type: object, required: [song], properties: {song: {type: string, minLength: 4000000000}}}}}`)
	definitions := []*apiextensionsv1.CustomResourceDefinition{large, widgets(t)}
	set := sample.Make(t.Context(), sample.Config{
		Configurations: configured(t, []hook{{rules: "CREATE example.com/v1 *"}}), Kinds: known(t, definitions...), Definitions: definitions,
	})
	if diff := cmp.Diff([]string{"CREATE widgets.example.com/sample in sample"}, names(set)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := fmt.Sprint(set.Skipped); got != "[making a Whale: the schema wants an object of more than 3 MiB]" {
		t.Errorf("skipped %s", got)
	}
}

// TestEnded blames nothing for what was not made when the context had ended.
func TestEnded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	crd := widgets(t)
	definitions := []*apiextensionsv1.CustomResourceDefinition{crd}
	set := sample.Make(ctx, sample.Config{
		Configurations: configured(t, []hook{{rules: "CREATE example.com/v1 widgets"}}), Kinds: known(t, crd), Definitions: definitions,
	})
	if len(set.Requests) != 0 || len(set.Skipped) != 0 {
		t.Errorf("made %v, skipped %v", names(set), set.Skipped)
	}
}
