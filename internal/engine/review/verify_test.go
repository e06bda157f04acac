package review

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// verifyCase is a review and its content, or the error. Without a phase it is
// checked in both.
type verifyCase struct {
	row
	phase  admission.Phase
	review runtime.Object
	want   *Response
	err    string
}

func runVerify(t *testing.T, cases []verifyCase) {
	t.Helper()
	testtable.Run(t, cases, func(t *testing.T, tc verifyCase) {
		phases := []admission.Phase{tc.phase}
		if tc.phase == 0 {
			phases = []admission.Phase{admission.Mutating, admission.Validating}
		}
		for _, phase := range phases {
			got, err := Verify(uid, phase, tc.review)
			if testtable.Text(err) != tc.err {
				t.Errorf("%v: error %q, want %q", phase, testtable.Text(err), tc.err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%v: answer (-want +got):\n%s", phase, diff)
			}
		}
	})
}

// v1Review is a review that allows, with edits.
func v1Review(edits ...func(*admissionv1.AdmissionReview)) *admissionv1.AdmissionReview {
	r := &admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Response: &admissionv1.AdmissionResponse{UID: uid, Allowed: true},
	}
	for _, edit := range edits {
		edit(r)
	}
	return r
}

func patched(patch string) func(*admissionv1.AdmissionReview) {
	return func(r *admissionv1.AdmissionReview) { r.Response.Patch = []byte(patch) }
}

func patchTyped(t admissionv1.PatchType) func(*admissionv1.AdmissionReview) {
	return func(r *admissionv1.AdmissionReview) { r.Response.PatchType = &t }
}

func typed(apiVersion, kind string) func(*admissionv1.AdmissionReview) {
	return func(r *admissionv1.AdmissionReview) { r.TypeMeta = metav1.TypeMeta{APIVersion: apiVersion, Kind: kind} }
}

func denied(r *admissionv1.AdmissionReview) { r.Response.Allowed = false }

func identified(as types.UID) func(*admissionv1.AdmissionReview) {
	return func(r *admissionv1.AdmissionReview) { r.Response.UID = as }
}

func TestVerifyV1(t *testing.T) {
	t.Parallel()
	const (
		kinds    = "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got "
		uids     = `expected response.uid="0df28fbd-5f5f-11e8-bc74-36e6bb280816", got `
		jsonType = admissionv1.PatchTypeJSONPatch
	)
	allow := &Response{Allowed: true}
	full := v1Review(denied, func(r *admissionv1.AdmissionReview) {
		r.Response.Result = &metav1.Status{Message: "no", Code: 418}
		r.Response.Warnings = []string{"b", "a"}
		r.Response.AuditAnnotations = map[string]string{"k": "v"}
	})
	fullAnswer := &Response{
		Result: full.Response.Result, Warnings: full.Response.Warnings, AuditAnnotations: full.Response.AuditAnnotations,
	}
	mutating, validating := admission.Mutating, admission.Validating
	runVerify(t, []verifyCase{
		{row: row{"allowed", "the plain case"}, review: v1Review(), want: allow},
		{row: row{"denied with everything", "all of it is handed on"}, review: full, want: fullAnswer},
		{row: row{"no response", "S-220: the first check"}, review: v1Review(func(r *admissionv1.AdmissionReview) { r.Response = nil }), err: "webhook response was absent"},
		{row: row{"another uid", "S-220: the answer to another question"}, review: v1Review(identified("x")), err: uids + `"x"`},
		{row: row{"no uid", "S-220: the answer to no question"}, review: v1Review(identified("")), err: uids + `""`},
		{row: row{"another uid of another kind", "S-220: the uid is checked before the kind"}, review: v1Review(identified("x"), typed("", "")), err: uids + `"x"`},
		{row: row{"no kind and version", "S-223: decoded, but refused here"}, review: v1Review(typed("", "")), err: kinds + "/, Kind="},
		{row: row{"no version", "S-220: the version is required"}, review: v1Review(typed("", "AdmissionReview")), err: kinds + "/, Kind=AdmissionReview"},
		{row: row{"no kind", "S-220: the kind is required"}, review: v1Review(typed("admission.k8s.io/v1", "")), err: kinds + "admission.k8s.io/v1, Kind="},
		{row: row{"another kind", "S-220: the kind before the patch"}, review: v1Review(typed("v1", "Pod"), patched("[]")), err: kinds + "/v1, Kind=Pod"},
		{row: row{"denied with another uid", "S-221: checked even in a denial"}, review: v1Review(denied, identified("x")), err: uids + `"x"`},
		{row: row{"patch", "S-220: patch and type come together"}, phase: mutating, review: v1Review(patched("[]"), patchTyped(jsonType)),
			want: &Response{Allowed: true, Patch: []byte("[]"), PatchType: jsonType}},
		{row: row{"denied with a patch", "the patch is returned but not applied"}, phase: mutating, review: v1Review(denied, patched("[]"), patchTyped(jsonType)),
			want: &Response{Patch: []byte("[]"), PatchType: jsonType}},
		{row: row{"unknown patch type", "S-176: the phase that applies the patch rejects it"}, phase: mutating, review: v1Review(patched("[]"), patchTyped("Foo")),
			want: &Response{Allowed: true, Patch: []byte("[]"), PatchType: "Foo"}},
		{row: row{"patch without a type", "S-220"}, phase: mutating, review: v1Review(patched("[]")), err: "webhook returned response.patch but not response.patchType"},
		{row: row{"type without a patch", "S-220"}, phase: mutating, review: v1Review(patchTyped(jsonType)), err: "webhook returned response.patchType but not response.patch"},
		{row: row{"type with an empty patch", "S-220: an empty patch is none"}, phase: mutating, review: v1Review(patched(""), patchTyped(jsonType)), err: "webhook returned response.patchType but not response.patch"},
		{row: row{"empty type", "S-220"}, phase: mutating, review: v1Review(patched("[]"), patchTyped("")), err: `webhook returned invalid response.patchType of ""`},
		{row: row{"empty type without a patch", "S-220: the missing patch comes first"}, phase: mutating, review: v1Review(patchTyped("")), err: "webhook returned response.patchType but not response.patch"},
		{row: row{"denied without a type", "S-221: checked even in a denial"}, phase: mutating, review: v1Review(denied, patched("[]")), err: "webhook returned response.patch but not response.patchType"},
		{row: row{"empty patch", "an empty patch is none"}, review: v1Review(patched("")), want: &Response{Allowed: true, Patch: []byte{}}},
		{row: row{"validating with a patch", "S-220: validating webhooks change nothing"}, phase: validating, review: v1Review(patched("[]"), patchTyped(jsonType)), err: "validating webhook may not return response.patch"},
		{row: row{"validating with a type", "S-220: validating webhooks change nothing"}, phase: validating, review: v1Review(patchTyped(jsonType)), err: "validating webhook may not return response.patchType"},
	})
}

func TestVerifyV1beta1(t *testing.T) {
	t.Parallel()
	review := func(r *admissionv1beta1.AdmissionResponse) runtime.Object {
		return &admissionv1beta1.AdmissionReview{Response: r}
	}
	withPatch := func(kind string) runtime.Object {
		patchType := admissionv1beta1.PatchType(kind)
		return review(&admissionv1beta1.AdmissionResponse{Allowed: true, Patch: []byte("[]"), PatchType: &patchType})
	}
	answer := &Response{Allowed: true, Patch: []byte("[]"), PatchType: admissionv1.PatchTypeJSONPatch}
	result := &metav1.Status{Message: "no"}
	runVerify(t, []verifyCase{
		{row: row{"allowed", "S-222: neither uid nor kind is checked"}, review: review(&admissionv1beta1.AdmissionResponse{Allowed: true}), want: &Response{Allowed: true}},
		{row: row{"another uid", "S-222: any uid will do"}, review: review(&admissionv1beta1.AdmissionResponse{UID: "x", Allowed: true}), want: &Response{Allowed: true}},
		{row: row{"denied with everything", "all of it is handed on"},
			review: review(&admissionv1beta1.AdmissionResponse{Result: result, Warnings: []string{"w"}, AuditAnnotations: map[string]string{"k": "v"}}),
			want:   &Response{Result: result, Warnings: []string{"w"}, AuditAnnotations: map[string]string{"k": "v"}}},
		{row: row{"no response", "S-222: the only check"}, review: review(nil), err: "webhook response was absent"},
		{row: row{"patch without a type", "S-222: the default is a JSON patch"}, phase: admission.Mutating, review: review(&admissionv1beta1.AdmissionResponse{Allowed: true, Patch: []byte("[]")}), want: answer},
		{row: row{"patch of another type", "S-222: the type does not matter here"}, phase: admission.Mutating, review: withPatch("Foo"), want: answer},
		{row: row{"validating with a patch", "S-222: ignored"}, phase: admission.Validating, review: withPatch("JSONPatch"), want: &Response{Allowed: true}},
	})
}

func TestVerifyUnknownType(t *testing.T) {
	t.Parallel()
	runVerify(t, []verifyCase{
		{row: row{"another type", "the decoder never returns it, but it must not panic"}, review: &metav1.Status{}, err: "unexpected response type *v1.Status"},
		{row: row{"nothing", "likewise"}, review: nil, err: "unexpected response type <nil>"},
	})
}
