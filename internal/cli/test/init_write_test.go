package test

import (
	"os"
	"path/filepath"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/draft"
)

// TestWriteFilesFails: if a file cannot be written, those that were written before are gone,
// and a file that was there is not.
func TestWriteFilesFails(t *testing.T) {
	t.Parallel()
	made := &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "shop"},
	}
	response := &admission.Response{
		Request: &admission.Request{
			Operation: admissionv1.Create, Kind: corev1.SchemeGroupVersion.WithKind("ConfigMap"),
			Name: "c", Namespace: "shop", Object: made,
		},
		Allowed: true, Object: made,
	}
	folder := t.TempDir()
	there := filepath.Join(folder, "there.yaml")
	const before = "kind: Secret\n"
	if err := os.WriteFile(there, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, suite, second string }{
		{"a golden file", "suite.yaml", "there.yaml"},
		{"the suite", "there.yaml", "second.yaml"},
	} {
		f := &initSuite{options: &options{file: filepath.Join(folder, tc.suite)}}
		err := f.writeFiles(&draft.Draft{Goldens: []draft.Golden{
			{Path: "first.yaml", Response: response}, {Path: tc.second, Response: response},
		}}, []byte("text"))
		if err == nil {
			t.Errorf("%s: no error", tc.name)
		}
		left, err := os.ReadDir(folder)
		if err != nil || len(left) != 1 {
			t.Errorf("%s: the folder has %v, error %v", tc.name, left, err)
		}
		if text, err := os.ReadFile(there); err != nil || string(text) != before {
			t.Errorf("%s: the file that was there has %q, error %v", tc.name, text, err)
		}
	}
}
