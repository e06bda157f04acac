package expect_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/suite/expect"
)

// TestCheckDeletion has no final object, and a webhook that is denied to change
// it.
func TestCheckDeletion(t *testing.T) {
	t.Parallel()
	r := respond(t, &admission.Request{
		Operation: admissionv1.Delete, Kind: corev1.SchemeGroupVersion.WithKind("Pod"),
		Resource: corev1.SchemeGroupVersion.WithResource("pods"), Namespace: "shop", Name: "web",
		OldObject: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}},
	})
	got := texts(compile(t, `{message: not supported for this operation, object: {kind: Pod}}`).Check(r))
	if d := cmp.Diff([]string{"object: there is none"}, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestObjectHasKind encodes a typed object that has lost its kind, and does not
// change it.
func TestObjectHasKind(t *testing.T) {
	t.Parallel()
	r := created(t, "")
	pod := r.Object.(*corev1.Pod)
	pod.TypeMeta = metav1.TypeMeta{}
	text, err := expect.Object(r)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"kind":"Pod","apiVersion":"v1"`) || pod.Kind != "" {
		t.Errorf("got %s, and the pod is a %q", text, pod.Kind)
	}
}

// TestDifferencesAreBounded has more of them, and longer ones, than a reader
// needs.
func TestDifferencesAreBounded(t *testing.T) {
	t.Parallel()
	found := make([]explain.Difference, 1000)
	for i := range found {
		found[i] = explain.Difference{Name: strings.Repeat("n", 1<<12), Want: []byte(`"` + strings.Repeat("w", 1<<16) + `"`)}
	}
	got := expect.Differences("object", created(t, ""), found)
	if len(got) != 21 || got[20].Text != "object: and 980 more differences" {
		t.Fatalf("%d failures, the last of which is %q", len(got), got[len(got)-1].Text)
	}
	if n := len(got[0].Text); n > 1200 || !strings.Contains(got[0].Text, "(truncated)") {
		t.Errorf("%d bytes: %s", n, got[0].Text)
	}
	if len(got[0].Want) != 1<<16+2 {
		t.Errorf("what is wanted was cut to %d bytes", len(got[0].Want))
	}
}

// TestTextsAreBounded has a webhook say more than a reader needs, and expects
// long lists.
func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	r := created(t, strings.Repeat("no ", 1000))
	r.Warnings = strings.Split(strings.Repeat("w,", 1000), ",")
	var labels, patch []string
	for i := range 100 {
		labels = append(labels, fmt.Sprintf("l%d: %q", i, strings.Repeat("x", 1000)))
		patch = append(patch, fmt.Sprintf("{op: add, path: /metadata/labels/l%d}", i))
	}
	e := compile(t, fmt.Sprintf(`{allowed: true, warnings: [], patch: [%s], object: {metadata: {labels: {%s}}}}`,
		strings.Join(patch, ","), strings.Join(labels, ",")))
	failures := e.Check(r)
	if len(failures) != 3+21 {
		t.Errorf("%d failures: %q", len(failures), texts(failures))
	}
	for _, text := range texts(failures) {
		if len(text) > 1200 || strings.Contains(text, "\n") {
			t.Errorf("%d bytes: %s", len(text), text)
		}
	}
}

// TestCheckInParallel compares one response with one expectation from many
// goroutines.
func TestCheckInParallel(t *testing.T) {
	t.Parallel()
	e, r := compile(t, typical+", webhooks: [{name: mesh.example.com, why: rules}]}"), created(t, "")
	want := texts(e.Check(r))
	if len(want) != 1 {
		t.Fatalf("got %q", want)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if d := cmp.Diff(want, texts(e.Check(r))); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
	group.Wait()
}

// typical is what most cases expect, but for the bracket at the end.
const typical = `{allowed: true, object: {metadata: {labels: {team: blue}}, spec: {containers: [{name: web, image: "a:1"}]}}`

func BenchmarkCheck(b *testing.B) {
	e, r := compile(b, typical+"}"), created(b, "")
	b.ReportAllocs()
	for b.Loop() {
		if failures := e.Check(r); failures != nil {
			b.Fatal(texts(failures))
		}
	}
}

func BenchmarkCheckWhy(b *testing.B) {
	e, r := compile(b, "{webhooks: [{name: mesh.example.com, why: objectSelector}]}"), created(b, "")
	for b.Loop() {
		if failures := e.Check(r); failures != nil {
			b.Fatal(texts(failures))
		}
	}
}
