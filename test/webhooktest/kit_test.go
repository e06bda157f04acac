package webhooktest

import (
	_ "embed"
	"fmt"
	"net/http"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

func TestMain(m *testing.M) { leaktest.Main(m) }

// answer is what a webhook says to a review.
type answer = reviewtest.Answer

// deny denies everything.
func deny(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{
		Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: fmt.Sprintf("%s may not %s", r.UserInfo.Username, r.Operation),
	}}
}

// label labels objects with the user who asks, warns, and leaves an audit
// annotation.
func label(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	patch := fmt.Sprintf(`[{"op":"add","path":"/metadata/labels","value":{"by":%q}}]`, r.UserInfo.Username)
	return &admissionv1.AdmissionResponse{
		Allowed: true, Patch: []byte(patch), PatchType: new(admissionv1.PatchTypeJSONPatch),
		Warnings: []string{"labels are replaced"}, AuditAnnotations: map[string]string{"by": r.UserInfo.Username},
	}
}

// labeler is a mutating webhook, called label.example.com.
//
//go:embed testdata/webhooks/labeler.yaml
var labeler string

// policy is a validating webhook, called policy.example.com.
//
//go:embed testdata/webhooks/policy.yaml
var policy string

// configMap is an object as short as can be.
const configMap = "{apiVersion: v1, kind: ConfigMap, metadata: {name: colours}, data: {sky: blue}}"

// told denies objects of some names with what it knows of the request, and
// admits others.
func told(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	text, told := map[string]string{
		"":          "no name",
		"dry-run":   fmt.Sprint(*r.DryRun),
		"forbidden": "no forbidden",
		"options":   string(r.Options.Raw),
		"user":      fmt.Sprint(r.UserInfo.Username, " ", r.UserInfo.Groups),
	}[r.Name]
	if !told {
		return reviewtest.Allow(r)
	}
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: text}}
}

// remember admits everything and keeps the names.
func remember(names *[]string) answer {
	return func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		*names = append(*names, r.Name)
		return reviewtest.Allow(r)
	}
}
