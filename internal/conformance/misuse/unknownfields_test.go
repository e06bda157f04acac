package misuse

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/probe"
)

// TestExtend shows where the unknown field is put, and that it is missed there.
func TestExtend(t *testing.T) {
	t.Parallel()
	object := map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"name": "web"}, "finalizers": []any{"a"}},
		"spec": map[string]any{
			"containers": []any{
				map[string]any{"name": "main", "env": []any{map[string]any{"name": "A"}}, "ports": []any{map[string]any{"containerPort": int64(80)}}},
				map[string]any{"name": "other"},
			},
			"twins":  []any{map[string]any{"name": "a"}, map[string]any{"name": "a"}},
			"a/b~c*": []any{map[string]any{"name": "x"}},
			"empty":  []any{},
		},
	}
	stripped := runtime.DeepCopyJSON(object)
	extend(object)
	want := []string{
		unknownField,
		"spec['a/b~c*'][0]." + unknownField,
		"spec.containers[0].env[0]." + unknownField,
		"spec.containers[0]." + unknownField,
	}
	got := lostPaths(explain.Path{}, object, stripped)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
	if kept := lostPaths(explain.Path{}, object, object); kept != nil {
		t.Errorf("nothing was lost, and it says %v", kept)
	}
}

// forgetting removes the fields that it does not know.
func forgetting(review probe.Review, response map[string]any) {
	if review.Object()[unknownField] != nil {
		respond(response, []op{{"remove", "/" + unknownField, nil}})
	}
}

// op is an operation of a patch.
type op struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

func respond(response map[string]any, operations []op) {
	patch, err := json.Marshal(operations)
	if err != nil {
		panic(err)
	}
	response["patchType"], response["patch"] = "JSONPatch", patch
}

// patching makes a patch for objects that have containers, out of these.
func patching(patch func(containers []any) []op) func(probe.Review, map[string]any) {
	return func(review probe.Review, response map[string]any) {
		containers, found, err := unstructured.NestedSlice(review.Object(), "spec", "containers")
		if found && err == nil {
			respond(response, patch(containers))
		}
	}
}

// forgettingWithin replaces the containers by what a type with two fields makes
// of them.
func forgettingWithin(containers []any) []op {
	for i, c := range containers {
		container, _ := c.(map[string]any)
		containers[i] = map[string]any{"name": container["name"], "image": container["image"]}
	}
	return []op{{"replace", "/spec/containers", containers}}
}

// shifting puts a container before the one that is there, by position.
func shifting(containers []any) []op {
	first, _ := containers[0].(map[string]any)
	return []op{
		{"add", "/spec/containers/1", map[string]any{"name": first["name"], "image": first["image"]}},
		{"replace", "/spec/containers/0/name", "proxy"},
	}
}

// putFirst puts a container before those that are there.
func putFirst(containers []any) []op {
	return []op{{"replace", "/spec/containers", slices.Insert(containers, 0, any(map[string]any{"name": "proxy"}))}}
}

// renaming puts another container in place of the first.
func renaming([]any) []op {
	return []op{{"replace", "/spec/containers/0", map[string]any{"name": "other"}}}
}
