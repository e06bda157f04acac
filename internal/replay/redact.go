package replay

import (
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/dispatcher/corpus"
)

// holdsSecrets reports whether objects of a kind hold what no result may have.
func holdsSecrets(kind schema.GroupKind) bool {
	return kind == corev1.SchemeGroupVersion.WithKind("Secret").GroupKind() ||
		kind.Group == authenticationv1.GroupName
}

// redact redacts a result as a corpus is redacted: what the corpus has of a Secret
// may be the original, and a webhook may have written more.
func (r *Result) redact(e *corpus.Entry) error {
	scratch := &corpus.Entry{Review: e.Review, Verdict: &corpus.Verdict{
		Status: r.Status, Object: r.Object, Warnings: r.Warnings, AuditAnnotations: r.AuditAnnotations,
	}}
	for i := range r.Calls {
		response, err := json.Marshal(&admissionv1.AdmissionResponse{Patch: r.Calls[i].Patch})
		if err != nil {
			return err
		}
		scratch.Answers = append(scratch.Answers,
			corpus.Answer{Response: response, Error: r.Calls[i].Error})
	}
	for i := range r.Policies {
		for _, text := range r.Policies[i].Messages {
			scratch.Answers = append(scratch.Answers, corpus.Answer{Error: text})
		}
	}
	scratch.Redact()
	v := scratch.Verdict
	r.Status, r.Object = v.Status, v.Object
	r.Warnings, r.AuditAnnotations = v.Warnings, v.AuditAnnotations
	r.Redacted = r.Redacted || len(scratch.Redacted) > 0
	return r.takeAnswers(scratch.Answers)
}

// takeAnswers takes the redacted texts of calls and policies.
func (r *Result) takeAnswers(answers []corpus.Answer) error {
	for i := range r.Calls {
		var response admissionv1.AdmissionResponse
		if err := json.Unmarshal(answers[i].Response, &response); err != nil {
			return err
		}
		r.Calls[i].Error = answers[i].Error
		if r.Calls[i].Patch != nil {
			r.Calls[i].Patch = response.Patch
		}
	}
	answers = answers[len(r.Calls):]
	for i := range r.Policies {
		for j := range r.Policies[i].Messages {
			r.Policies[i].Messages[j], answers = answers[0].Error, answers[1:]
		}
	}
	return nil
}
