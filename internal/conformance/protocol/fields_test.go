package protocol

import (
	"encoding/json"
	"net/http"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

func TestUID(t *testing.T) {
	t.Parallel()
	const id = "C-UID"
	runAll(t, []seen{
		{row{"good", "the uid comes back"}, id, validating(), good(), one(), report.Pass, ""},
		{row{"none", "an answer without a uid is to no review"}, id, validating(), sets("uid", nil), one(), report.Fail,
			`the answer has the uid "", not "UID"`},
		{row{"number", "a uid is text, and kube-apiserver cannot decode anything else"}, id, validating(), sets("uid", 7), one(), report.Fail,
			`the answer has the uid "", not "UID"`},
		{row{"other", "it may be that of the object, or of another review"}, id, validating(), sets("uid", "7"), one(), report.Fail,
			`the answer has the uid "7", not "UID"`},
		{row{"v1beta1", "kube-apiserver does not look at it there"}, id, validating("v1beta1"), sets("uid", "7"), one(), report.Skip,
			"the webhook answered no review of v1, and kube-apiserver does not compare the uid in v1beta1"},
		{row{"unvisited", "without an answer there is no uid"}, id, validating(), good(), nil, report.Skip,
			"the webhook answered no review of v1, and kube-apiserver does not compare the uid in v1beta1"},
	})
}

// titled is a webhook that writes something into the review around the
// response; nil takes it out.
func titled(field string, value any) http.Handler {
	return writes(func(_ http.ResponseWriter, review map[string]any) { set(review, field, value) })
}

func TestAPIVersion(t *testing.T) {
	t.Parallel()
	const id = "C-API-VERSION"
	both := validating("v1", "v1beta1")
	runAll(t, []seen{
		{row{"good", "the version comes back"}, id, both, good(), one(), report.Pass, ""},
		{row{"v1 alone", "an answer in v1 cannot be decoded where v1beta1 was asked for"}, id, both, titled("apiVersion", probe.V1), one(), report.Fail,
			`the answer has apiVersion "admission.k8s.io/v1" and kind "AdmissionReview", not "admission.k8s.io/v1beta1" and "AdmissionReview"`},
		{row{"v1beta1 alone", "nor the other way round"}, id, both, titled("apiVersion", probe.V1beta1), one(), report.Fail,
			`the answer has apiVersion "admission.k8s.io/v1beta1" and kind "AdmissionReview", not "admission.k8s.io/v1" and "AdmissionReview"`},
		{row{"no version", "v1 wants one"}, id, validating(), titled("apiVersion", nil), one(), report.Fail,
			`the answer has apiVersion "" and kind "AdmissionReview", not "admission.k8s.io/v1" and "AdmissionReview"`},
		{row{"no kind", "v1 wants that, too"}, id, validating(), titled("kind", nil), one(), report.Fail,
			`the answer has apiVersion "admission.k8s.io/v1" and kind "", not "admission.k8s.io/v1" and "AdmissionReview"`},
		{row{"other kind", "a response is not a review"}, id, validating("v1beta1"), titled("kind", "AdmissionResponse"), one(), report.Fail,
			`the answer has apiVersion "admission.k8s.io/v1beta1" and kind "AdmissionResponse", not "admission.k8s.io/v1beta1" and "AdmissionReview"`},
		{row{"neither in v1beta1", "there kube-apiserver fills in what it asked for"}, id, validating("v1beta1"), titled("apiVersion", nil), one(), report.Pass, ""},
		{row{"unvisited", "without an answer there is no version"}, id, validating(), good(), nil, report.Skip, nothingRead},
	})
}

func TestVersions(t *testing.T) {
	t.Parallel()
	const id = "C-VERSIONS"
	both := mutating("v2", "v1", "v1beta1")
	silentIn := func(version string) http.Handler {
		return silentAt(func(r probe.Review) bool { return r.Version() == version })
	}
	runAll(t, []seen{
		{row{"good", "both versions are answered, and v2 is never sent"}, id, both, good(), one(), report.Pass, ""},
		{row{"one", "those that are not listed need no answer"}, id, mutating("v1"), silentIn(probe.V1beta1), one(), report.Pass, ""},
		{row{"second", "it will be the first one somewhere"}, id, both, silentIn(probe.V1beta1), pods(admissionv1.Create, admissionv1.Delete), report.Fail,
			"it has no answer in admission.k8s.io/v1beta1, although that is listed"},
		{row{"first", "then all calls fail; the cause is the version still"}, id, both, silentIn(probe.V1), one(), report.Fail,
			"it has no answer in admission.k8s.io/v1, although that is listed"},
		{row{"unvisited", "without a review no version is asked for"}, id, both, good(), nil, report.Skip, nothingAnswered},
	})
}

func TestVersionsAreFoundOnce(t *testing.T) {
	t.Parallel()
	s := seen{id: "C-VERSIONS", webhook: mutating("v1", "v1beta1"), requests: pods(admissionv1.Create, admissionv1.Update, admissionv1.Delete),
		handler: silentAt(func(r probe.Review) bool { return r.Version() == probe.V1beta1 })}
	if got := len(s.look(t).Findings); got != 1 {
		t.Errorf("%d findings for one version, want 1", got)
	}
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	const id = "C-ALLOWED"
	runAll(t, []seen{
		{row{"yes", "it says true"}, id, mutating(), good(), one(), report.Pass, ""},
		{row{"no", "it says false"}, id, mutating(), denies403("no pods today"), one(), report.Pass, ""},
		{row{"missing", "it means no"}, id, mutating(), sets("allowed", nil), one(), report.Fail, "response.allowed is missing, which means no"},
		{row{"null", "it is as if it were missing"}, id, mutating(), sets("allowed", json.RawMessage("null")), one(), report.Fail,
			"response.allowed is null, which means no"},
		{row{"text", "it cannot be decoded"}, id, mutating(), sets("allowed", "true"), one(), report.Fail, "response.allowed is neither true nor false"},
		{row{"unvisited", "without an answer nothing is said"}, id, mutating(), good(), nil, report.Skip, nothingRead},
	})
}
