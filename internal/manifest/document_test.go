package manifest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// last returns the last document of a file that reads without an error.
func last(t *testing.T, input string) *manifest.Document {
	t.Helper()
	var found *manifest.Document
	for doc, err := range manifest.Documents("a.yaml", strings.NewReader(input)) {
		if err != nil {
			t.Fatal(err)
		}
		found = doc
	}
	if found == nil {
		t.Fatal("no document")
	}
	return found
}

func testScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, appsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return scheme
}

// decode decodes a document strictly into the Go type of its kind.
func decode(t *testing.T, d *manifest.Document) (runtime.Object, error) {
	t.Helper()
	object, err := testScheme(t).New(d.Kind)
	if err != nil {
		t.Fatal(err)
	}
	return object, d.DecodeInto(object, true)
}

func TestDecode(t *testing.T) {
	t.Parallel()
	doc := last(t, "apiVersion: v1\nkind: Secret\nmetadata: {name: a, labels: {b: 'yes'}}\nimmutable: yes\n")
	got, err := decode(t, doc)
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	want := &corev1.Secret{Immutable: &yes}
	want.APIVersion, want.Kind, want.Name, want.Labels = "v1", "Secret", "a", map[string]string{"b": "yes"}
	if diff := cmp.Diff(runtime.Object(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnstructured(t *testing.T) {
	t.Parallel()
	doc := last(t, "apiVersion: example.com/v1\nkind: Widget\nspec: {size: 3, ratio: 0.5, live: yes, day: 2026-01-01}\n")
	got, err := doc.Unstructured()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"apiVersion": "example.com/v1",
		"kind":       "Widget",
		"spec":       map[string]any{"size": int64(3), "ratio": 0.5, "live": true, "day": "2026-01-01"},
	}
	if diff := cmp.Diff(want, got.Object); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = last(t, `{"apiVersion":"a/v1","kind":"B","c":{"d":1,"d":2}}`).Unstructured()
	if want := `a.yaml: document 1 (line 1): duplicate field "c.d"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestMergeKeys(t *testing.T) {
	t.Parallel()
	got, err := last(t, "apiVersion: a/v1\nkind: B\nbase: &x {c: 1, d: 2}\nmore:\n  <<: *x\n  d: 3\n").Unstructured()
	if err != nil {
		t.Fatalf("a key that overrides a merged one is no duplicate: %v", err)
	}
	if diff := cmp.Diff(map[string]any{"c": int64(1), "d": int64(3)}, got.Object["more"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	const input = "# comment\n" + podYAML + `metadata:
  labels:
    app: a
    app.kubernetes.io/name: b
spec: &spec
  containers:
  - name: a
  - name: b
copy: *spec
`
	type test struct {
		row
		field string
		want  string
	}
	rows := []test{
		{row{"no field", "the document's own line"}, "", "a.yaml: document 1 (line 2): wrong"},
		{row{"field", "a field of the object"}, "kind", "a.yaml: document 1 (line 3): wrong"},
		{row{"dotted key", "dots belong to the key when such a key is there"}, "metadata.labels.app.kubernetes.io/name", "a.yaml: document 1 (line 7): wrong"},
		{row{"index", "an item and what is in it"}, "spec.containers[1].name", "a.yaml: document 1 (line 11): wrong"},
		{row{"absent field", "the object that lacks it"}, "spec.containers[0].image", "a.yaml: document 1 (line 10): wrong"},
		{row{"absent index", "the list that is too short"}, "spec.containers[7]", "a.yaml: document 1 (line 9): wrong"},
		{row{"nonsense", "no field at all"}, "[x.y", "a.yaml: document 1 (line 2): wrong"},
		{row{"alias", "the line where it was written"}, "copy.containers[0]", "a.yaml: document 1 (line 10): wrong"},
	}
	cause := errors.New("wrong")
	testtable.Run(t, rows, func(t *testing.T, r test) {
		err := last(t, input).Wrap(r.field, cause)
		if err.Error() != r.want || !errors.Is(err, cause) {
			t.Errorf("%s: got %q, want %q around the cause", r.Why(), err, r.want)
		}
	})
	if err := last(t, input).Wrap("kind", nil); err != nil {
		t.Errorf("wrapping no error gave %v", err)
	}
}

// TestBlame takes the field from the error, which may be wrapped.
func TestBlame(t *testing.T) {
	t.Parallel()
	doc := last(t, "apiVersion: a/v1\nkind: B\nc:\n- d: 1\n")
	invalid := field.Required(field.NewPath("c").Index(0).Child("d"), "")
	for want, err := range map[string]error{
		"a.yaml: document 1 (line 4): c[0].d: Required value":       invalid,
		"a.yaml: document 1 (line 4): so: c[0].d: Required value":   fmt.Errorf("so: %w", invalid),
		"a.yaml: document 1 (line 1): an error that names no field": errors.New("an error that names no field"),
	} {
		if got := doc.Blame(err); got.Error() != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	if got := doc.Blame(nil); got != nil {
		t.Errorf("got %v for no error", got)
	}
}
