package requestfile_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/testutil/manifesttest"
)

// FuzzRead checks what holds for any input: nothing panics, each line
// of an error says where, and a request that is written down again is read as the
// same.
func FuzzRead(f *testing.F) {
	for _, tc := range slices.Concat(readCases(), looseCases(), reviewCases()) {
		f.Add(tc.input)
	}
	for _, tc := range slices.Concat(documentRejections(), operationRejections(), objectRejections(), patchRejections(), reviewRejections(), schemaRejections()) {
		f.Add(tc.input)
	}
	for _, example := range pageExamples(f) {
		f.Add(example)
	}
	f.Fuzz(func(t *testing.T, input string) {
		for d, err := range manifest.Documents("a.yaml", strings.NewReader(input)) {
			if err != nil {
				continue
			}
			r, err := requestfile.Read(d)
			if (r == nil) == (err == nil) {
				t.Fatalf("got request %v and error %v", r, err)
			}
			if err != nil {
				checkErrorText(t, d, err)
				continue
			}
			checkRewritten(t, r)
		}
	})
}

func checkErrorText(t *testing.T, d *manifest.Document, err error) {
	t.Helper()
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if !strings.HasPrefix(line, d.File+": document ") {
			t.Errorf("bad error text %q", err)
		}
	}
}

// checkRewritten writes a request down and reads it again.
func checkRewritten(t *testing.T, r *requestfile.Request) {
	t.Helper()
	written := write(t, r)
	for d, err := range manifest.Documents("again.json", bytes.NewReader(written)) {
		if err != nil {
			t.Fatalf("%v in %s", err, written)
		}
		again, err := requestfile.Read(d)
		if err != nil {
			t.Fatalf("%v in %s", err, written)
		}
		if diff := cmp.Diff(r, again, cmpopts.EquateEmpty(), cmp.Transformer("text", untitled), cmp.Transformer("compact", func(raw json.RawMessage) string {
			return manifesttest.Compact(raw)
		})); diff != "" {
			t.Errorf("the request has changed (-before +after):\n%s\n%s", diff, written)
		}
	}
}

// untitled describes a document without its place in a file. That of the
// request is what was written and may differ.
func untitled(d *manifest.Document) string {
	if d == nil {
		return "none"
	}
	if requestfile.Is(d.Kind) {
		return d.Kind.Kind
	}
	return d.Kind.String() + manifesttest.Compact(d.JSON)
}

// write returns the document that asks for a request.
func write(t *testing.T, r *requestfile.Request) []byte {
	t.Helper()
	var document any = &requestfile.AdmissionRequest{
		TypeMeta:  metav1.TypeMeta{APIVersion: "gatehouse/v1alpha1", Kind: "AdmissionRequest"},
		Operation: r.Operation, Collection: r.Collection, Resource: r.Resource, SubResource: r.Subresource,
		Namespace: r.Namespace, Name: r.Name, Object: raw(r.Object), OldObject: raw(r.OldObject),
		Patch: r.Patch, UserInfo: r.User, DryRun: r.DryRun, Options: r.Options,
	}
	if r.Review != nil {
		document = writeReview(r)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func writeReview(r *requestfile.Request) *admissionv1.AdmissionReview {
	var kind schema.GroupVersionKind
	for _, object := range []*manifest.Document{r.Object, r.OldObject} {
		if object != nil {
			kind = object.Kind
		}
	}
	return &admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Request: &admissionv1.AdmissionRequest{
			Kind: metav1.GroupVersionKind(kind), Resource: metav1.GroupVersionResource(r.Review.Resource),
			RequestKind: new(metav1.GroupVersionKind(r.Review.Kind)), RequestSubResource: r.Subresource,
			Operation: r.Operation, Name: r.Name, Namespace: r.Namespace, UserInfo: *r.User, DryRun: &r.DryRun,
			Object:    runtime.RawExtension{Raw: raw(r.Object)},
			OldObject: runtime.RawExtension{Raw: raw(r.OldObject)},
		},
	}
}

func raw(d *manifest.Document) json.RawMessage {
	if d == nil {
		return nil
	}
	return d.JSON
}
