package dispatcher_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"pgregory.net/rapid"
)

// TestSimulateUpdateSystem compares the metadata that validating webhooks
// receive after an update with the result of apiserver's registry, for typed
// and for custom objects (S-361). The mutating phase receives what the client
// sent.
func TestSimulateUpdateSystem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		sent, stored := anyMetadata(rt, "sent"), anyMetadata(rt, "stored")
		for _, custom := range []bool{false, true} {
			r := creation(shaped(t, sent, custom))
			r.Operation, r.OldObject, r.SystemFields = admissionv1.Update, shaped(t, stored, custom), true
			want := r.Object.DeepCopyObject()
			served(t, want, r.OldObject)

			reviews, got := reviewed(t, r, allow())
			if diff := cmp.Diff(want, got.Object); diff != "" {
				rt.Fatalf("custom %v (-server +simulated):\n%s", custom, diff)
			}
			saw := []metav1.ObjectMeta{metadataIn(t, reviews[0]), metadataIn(t, reviews[1])}
			if diff := cmp.Diff([]metav1.ObjectMeta{sent, metadataOf(t, want)}, saw); diff != "" {
				rt.Fatalf("custom %v: the phases saw (-want +got):\n%s", custom, diff)
			}
		}
	})
}

// TestSimulateUpdateVersions: the version that is stored is filled in where the
// client leaves it to the server. Another one is a conflict, which is not
// simulated.
func TestSimulateUpdateVersions(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{"": "7", "0": "7", "7": "7", "6": "6"} {
		r := creation(pod())
		r.Operation, r.OldObject, r.SystemFields = admissionv1.Update, pod(), true
		r.Object.(*corev1.Pod).ResourceVersion, r.OldObject.(*corev1.Pod).ResourceVersion = sent, "7"
		got := bothPhases(allow(), allow()).simulate(t, r)
		if version := got.Object.(*corev1.Pod).ResourceVersion; version != want {
			t.Errorf("%q became %q, want %q", sent, version, want)
		}
	}
}

// TestSimulateUpdateKeepsWhatWasSent: without the option Simulate does not
// change the system fields.
func TestSimulateUpdateKeepsWhatWasSent(t *testing.T) {
	t.Parallel()
	stored := pod()
	stored.UID, stored.ResourceVersion, stored.Generation = "stored", "7", 3
	stored.CreationTimestamp, stored.DeletionTimestamp, stored.DeletionGracePeriodSeconds = metav1.Unix(1, 0), new(metav1.Unix(2, 0)), new(int64(3))
	r := creation(pod())
	r.Operation, r.OldObject = admissionv1.Update, stored
	if got := bothPhases(allow(), allow()).simulate(t, r).Object; !cmp.Equal(got, runtime.Object(pod())) {
		t.Errorf("%v became %v", pod(), got)
	}
}

// anyMetadata draws metadata of which every system field may be absent or one
// of two values.
func anyMetadata(t *rapid.T, label string) metav1.ObjectMeta {
	draw := func(field string) int64 { return rapid.Int64Range(0, 2).Draw(t, label+" "+field) }
	m := pod("from", label).ObjectMeta
	m.ResourceVersion = "7"
	m.UID = []types.UID{"", "a", "b"}[draw("uid")]
	m.Generation = draw("generation")
	if at := draw("created"); at > 0 {
		m.CreationTimestamp = metav1.NewTime(time.Unix(at, 0))
	}
	if at := draw("deleted"); at > 0 {
		m.DeletionTimestamp = new(metav1.NewTime(time.Unix(at, 0)))
	}
	if grace := draw("grace"); grace > 0 {
		m.DeletionGracePeriodSeconds = new(grace - 1)
	}
	return m
}

// shaped returns a pod, or the same as an object of no Go type.
func shaped(t *testing.T, m metav1.ObjectMeta, custom bool) runtime.Object {
	t.Helper()
	p := &corev1.Pod{ObjectMeta: *m.DeepCopy()}
	if !custom {
		return p
	}
	p.APIVersion, p.Kind = "v1", "Pod"
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(p)
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: content}
}

func metadataOf(t *testing.T, object runtime.Object) metav1.ObjectMeta {
	t.Helper()
	raw, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return metadataIn(t, &admissionv1.AdmissionReview{Request: &admissionv1.AdmissionRequest{Object: runtime.RawExtension{Raw: raw}}})
}

// served does to an update what apiserver's registry does. Whether the result
// is valid does not matter.
func served(t *testing.T, object, stored runtime.Object) {
	t.Helper()
	ctx := apirequest.WithNamespace(t.Context(), "shop")
	_ = rest.BeforeUpdate(plainStrategy{}, ctx, object, stored)
}

// plainStrategy is a strategy without changes of its own.
type plainStrategy struct{ rest.RESTUpdateStrategy }

func (plainStrategy) ObjectKinds(runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return []schema.GroupVersionKind{podKind}, false, nil
}

func (plainStrategy) ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList {
	return nil
}

func (plainStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

func (plainStrategy) NamespaceScoped() bool                                            { return true }
func (plainStrategy) PrepareForUpdate(context.Context, runtime.Object, runtime.Object) {}
func (plainStrategy) Canonicalize(runtime.Object)                                      {}
