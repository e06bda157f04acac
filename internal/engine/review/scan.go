package review

import (
	"unicode/utf8"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// reviewKind is the kind of nearly all responses.
const reviewKind = "AdmissionReview"

// scan decodes an AdmissionReview of v1 without reflection. It decodes only
// reviews of known fields, each at most once and of the right type, with
// strings without escapes. It returns false for all others, valid or not, and
// leaves them to the codec, so that the two cannot disagree.
//
// With the codec alone, 20 calls take 1.6 times as long.
func scan(body []byte) (*admissionv1.AdmissionReview, bool) {
	s := &scanner{rest: body}
	both := &struct { // one allocation
		review   admissionv1.AdmissionReview
		response admissionv1.AdmissionResponse
	}{}
	review := &both.review
	s.object(func(name []byte) {
		switch string(name) {
		case "kind":
			review.Kind = s.text()
		case "apiVersion":
			review.APIVersion = s.text()
		case "response":
			review.Response = &both.response
			s.response(review.Response)
		default:
			s.failed = true
		}
	})
	s.skipBlanks()
	complete := !s.failed && len(s.rest) == 0 && utf8.Valid(body)
	return review, complete && review.APIVersion == apiVersionV1 && review.Kind == reviewKind
}

func (s *scanner) response(r *admissionv1.AdmissionResponse) {
	s.object(func(name []byte) {
		switch string(name) {
		case "uid":
			r.UID = types.UID(s.text())
		case "allowed":
			r.Allowed = s.boolean()
		case "status":
			r.Result = s.status()
		case "patch":
			r.Patch = s.base64()
		case "patchType":
			r.PatchType = new(admissionv1.PatchType(s.text()))
		case "auditAnnotations":
			r.AuditAnnotations = map[string]string{}
			s.members(func(key []byte) { r.AuditAnnotations[string(key)] = s.text() })
		case "warnings":
			r.Warnings = s.textList()
		default:
			s.failed = true
		}
	})
}

func (s *scanner) status() *metav1.Status {
	status := &metav1.Status{}
	s.object(func(name []byte) {
		switch string(name) {
		case "metadata":
			s.members(func([]byte) { s.failed = true }) // has to be empty
		case "status":
			status.Status = s.text()
		case "message":
			status.Message = s.text()
		case "reason":
			status.Reason = metav1.StatusReason(s.text())
		case "code":
			status.Code = s.number()
		default:
			s.failed = true
		}
	})
	return status
}
