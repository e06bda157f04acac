package static

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/registration"
)

// FuzzLoad reads any file as manifests of a phase. Nothing panics; there is an
// error or there are configurations of the phase, sorted by name; and what has
// been loaded is loaded again after it was written down.
func FuzzLoad(f *testing.F) {
	two := validating("b", "w.example.com", "v.example.com") + "---\n" + validating("a", "w.example.com")
	for _, text := range []string{
		"", two, manifestOf(admission.Mutating, "m.static.k8s.io", "w.example.com"), "kind: List\nitems:\n" + item(validating("b", "w.example.com")), "kind: List\nitems:\n- kind: List\n  items: []\n",
		"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfigurationList\nitems:\n- metadata: {name: a.static.k8s.io}\n", validating("a") + "x: 1\n", "---\n---\n# a\n", "{]", "\xff\xfe",
		"kind: Status\napiVersion: v1\n", "apiVersion: admissionregistration.k8s.io/v1beta1\nkind: MutatingWebhookConfiguration\n", "a: &a [*a]", two + "---\n" + two,
	} {
		f.Add(false, []byte(text))
		f.Add(true, []byte(text))
	}
	dir, other := f.TempDir(), f.TempDir()
	f.Fuzz(func(t *testing.T, mutating bool, input []byte) {
		if err := os.WriteFile(filepath.Join(dir, "a.yaml"), input, 0o600); err != nil {
			t.Fatal(err)
		}
		phase := admission.Validating
		if mutating {
			phase = admission.Mutating
		}
		loaded, hash, err := Load(dir, phase)
		if err != nil && (hash != "" || len(loaded) > 0) {
			t.Fatalf("%d configurations, hash %q and error %v", len(loaded), hash, err)
		}
		if len(loaded) > 0 {
			checkLoaded(t, other, phase, loaded)
		}
	})
}

// checkLoaded writes configurations into a folder, one document for each, and
// loads them.
func checkLoaded(t *testing.T, dir string, phase admission.Phase, loaded []runtime.Object) {
	t.Helper()
	var names []string
	var text []byte
	for _, object := range loaded {
		c, ok := object.(registration.Configuration)
		if !ok {
			t.Fatalf("loaded a %T", object)
		}
		names = append(names, c.GetName())
		object.GetObjectKind().SetGroupVersionKind(registrationv1.SchemeGroupVersion.WithKind(kindFor(phase)))
		document, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, document...), "\n---\n"...)
	}
	if !slices.IsSorted(names) {
		t.Errorf("the names %q are not sorted", names)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.yaml"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	again, _, err := Load(dir, phase)
	if err != nil || len(again) != len(loaded) {
		t.Fatalf("of %d configurations %d are loaded from\n%s\n%v", len(loaded), len(again), text, err)
	}
	for i := range again {
		before, err := json.Marshal(loaded[i])
		if err != nil {
			t.Fatal(err)
		}
		after, err := json.Marshal(again[i])
		if diff := cmp.Diff(string(before), string(after)); err != nil || diff != "" {
			t.Errorf("it has changed, %v (-before +after):\n%s", err, diff)
		}
	}
}
