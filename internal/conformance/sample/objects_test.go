package sample_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/sample"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/kinds"
)

// TestEveryKind makes an object of every kind, each in each version. A client
// could send it.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	r := known(t)
	for at := range r.Resources() {
		t.Run(kinds.Name(at.Kind), func(t *testing.T) {
			t.Parallel()
			group := at.Group
			if group == "" {
				group = "core"
			}
			set := sample.Make(t.Context(), sample.Config{
				Kinds:          r,
				Configurations: configured(t, []hook{{rules: fmt.Sprintf("* %s/%s %s", group, at.Version, at.Resource), objects: "app=web"}}),
			})
			if at.Kind.Kind == "ComponentStatus" && len(set.Requests) == 0 {
				return // read-only
			}
			if len(set.Skipped) > 0 || len(set.Requests) == 0 {
				t.Fatalf("%d requests, skipped %v", len(set.Requests), set.Skipped)
			}
			for _, request := range set.Requests {
				for _, object := range []runtime.Object{request.Object, request.OldObject} {
					if object != nil {
						decode(t, r, object)
					}
				}
			}
			metadata(t, at, set.Requests[0])
		})
	}
}

// decode reads an object strictly: there is nothing in it that its type does
// not have.
func decode(t *testing.T, r *kinds.Registry, object runtime.Object) {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	for d, err := range manifest.Files([]string{"-"}, strings.NewReader(string(text))) {
		if err != nil {
			t.Fatal(err)
		}
		read, err := r.Decode(d)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(content(t, object), content(t, read)); diff != "" {
			t.Errorf("it is another one when it is read (-written +read):\n%s", diff)
		}
	}
}

func content(t *testing.T, object runtime.Object) map[string]any {
	t.Helper()
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// metadata holds an object's against the rules for all.
func metadata(t *testing.T, at kinds.Resource, r *admission.Request) {
	t.Helper()
	object := &unstructured.Unstructured{Object: content(t, r.Object)}
	namespaced := at.Namespaced
	if errs := apivalidation.ValidateObjectMetaAccessor(object, namespaced, apivalidation.NameIsDNSSubdomain, nil); len(errs) > 0 {
		t.Error(errs.ToAggregate())
	}
	if object.GetLabels()["app"] != "web" || r.Operation != admissionv1.Create {
		t.Errorf("got %s of an object with the labels %v, want CREATE and the one that is selected", r.Operation, object.GetLabels())
	}
}

// TestUpdates shows that an update is one of a stored object, and changes one
// annotation.
func TestUpdates(t *testing.T) {
	t.Parallel()
	for _, r := range made(t, []hook{{rules: "UPDATE core/v1 pods,services; UPDATE apps/v1 deployments"}}).Requests {
		old, object := content(t, r.OldObject), content(t, r.Object)
		for _, field := range []string{"uid", "resourceVersion", "creationTimestamp"} {
			if value, _, _ := unstructured.NestedString(old, "metadata", field); value == "" {
				t.Errorf("%s: the stored object has no %s", r.Name, field)
			}
		}
		annotations, _, err := unstructured.NestedStringMap(object, "metadata", "annotations")
		if diff := cmp.Diff(map[string]string{"gatehouse/updated": "true"}, annotations); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		unstructured.RemoveNestedField(object, "metadata", "annotations")
		if diff := cmp.Diff(old, object); diff != "" {
			t.Errorf("%s: more was changed (-old +new):\n%s", r.Name, diff)
		}
	}
}

// TestNameless shows what is sent for a pod that has no name yet: all the rest
// is as in the pod that has one.
func TestNameless(t *testing.T) {
	t.Parallel()
	set := made(t, []hook{{rules: "CREATE core/v1 pods", objects: "app=web"}})
	if len(set.Requests) != 2 || set.Requests[1].Name != "" || set.Requests[1].Namespace != "sample" {
		t.Fatalf("got %v", names(set))
	}
	named, nameless := content(t, set.Requests[0].Object), content(t, set.Requests[1].Object)
	metadata, ok := named["metadata"].(map[string]any)
	if !ok {
		t.Fatalf("got %v", named)
	}
	delete(metadata, "name")
	metadata["generateName"] = "sample-"
	if diff := cmp.Diff(named, nameless); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSubresources shows what is changed there.
func TestSubresources(t *testing.T) {
	t.Parallel()
	var got []string
	for _, r := range made(t, []hook{{rules: "* core/v1 pods/status,pods/exec; * apps/v1 deployments/scale"}}).Requests {
		object := content(t, r.Object)
		phase, _, err1 := unstructured.NestedString(object, "status", "phase")
		replicas, _, err2 := unstructured.NestedInt64(object, "spec", "replicas")
		container, _, err3 := unstructured.NestedString(object, "container")
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %q %d %q", r.Kind.Kind, r.Subresource, phase, replicas, container))
	}
	want := []string{`Pod status "Running" 0 ""`, `PodExecOptions exec "" 0 "sample"`, `Scale scale "" 2 ""`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestGivenStay shows that given requests are taken as they are, and not
// changed.
func TestGivenStay(t *testing.T) {
	t.Parallel()
	given := made(t, []hook{{rules: "CREATE core/v1 pods,services"}}).Requests[:2] // without the pod that has no name
	before := []runtime.Object{given[0].Object.DeepCopyObject(), given[1].Object.DeepCopyObject()}
	set := made(t, []hook{{rules: "* core/v1 pods,services"}}, given...)
	if !slices.Equal(set.Requests[:2], given) || len(set.Requests) != 7 {
		t.Errorf("got %v, want the given requests first", names(set))
	}
	if diff := cmp.Diff(before, []runtime.Object{given[0].Object, given[1].Object}); diff != "" {
		t.Errorf("they were changed (-before +after):\n%s", diff)
	}
}
