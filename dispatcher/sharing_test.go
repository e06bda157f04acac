package dispatcher

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// TestSharing: what is shared is what a copy would be, and the object itself stays
// as it was, without kind and apiVersion.
func TestSharing(t *testing.T) {
	t.Parallel()
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	own := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Data: map[string]string{"k": "v"}}
	before := own.DeepCopy()
	host := apiadmission.NewObjectInterfacesFromScheme(scheme)
	kind := corev1.SchemeGroupVersion.WithKind("ConfigMap")
	copied, err := apiadmission.ConvertToGVK(own, kind, host)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := apiadmission.ConvertToGVK(own, kind, sharing{host})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(copied, shared); diff != "" {
		t.Errorf("shared (-copy +shared):\n%s", diff)
	}
	if diff := cmp.Diff(before, own); diff != "" {
		t.Errorf("the object itself (-before +after):\n%s", diff)
	}
	own.Data["k"] = "w"
	if shared.(*corev1.ConfigMap).Data["k"] != "w" {
		t.Error("nothing is shared")
	}
	if _, err := apiadmission.ConvertToGVK(&corev1.Pod{}, kind, sharing{host}); err == nil {
		t.Error("another type was not left to the scheme")
	}
}
