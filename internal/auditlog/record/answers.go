package record

import (
	"encoding/json"
	"errors"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/rawjson"
)

// calls returns the calls of webhooks whose answers the log has: each call of a mutating
// webhook (S-313), those that failed open (S-315), and the one that ended the request.
func calls(e *auditlog.Event) (all []admission.Call) {
	end := endOf(e)
	for i := range e.Calls {
		c := &e.Calls[i]
		if end != nil && end.mayBe(e.Calls, i) {
			// A mutating webhook that denied the request looks like one that did not change
			// the object before a validating webhook of the same name denied it.
			return all
		}
		if c.FailedOpen {
			all = append(all, callOf(c, admission.FailedOpen, nil))
		} else if answer := allowed(c); answer != nil {
			all = append(all, callOf(c, admission.Allowed, answer))
		}
	}
	if end != nil {
		all = append(all, end.call())
	}
	return all
}

// callOf returns a call that was answered; without an answer for nil.
func callOf(
	c *auditlog.Call, outcome admission.Outcome, answer *admissionv1.AdmissionResponse,
) admission.Call {
	phase := admission.Validating
	if c.Mutating {
		phase = admission.Mutating
	}
	call := admission.Call{
		Webhook: &admission.Webhook{Phase: phase, Configuration: c.Configuration, Name: c.Webhook},
		Round:   c.Round, Outcome: outcome,
	}
	if answer != nil {
		// A response that was made of JSON can be encoded.
		text, _ := json.Marshal(&admissionv1.AdmissionReview{Response: answer})
		call.Trace = &admission.Trace{Response: text}
	}
	return call
}

// allowed returns the answer of a call that did not fail; nil if it changed the object and the
// log does not have the patch.
func allowed(c *auditlog.Call) *admissionv1.AdmissionResponse {
	answer := &admissionv1.AdmissionResponse{Allowed: true}
	switch {
	case c.Patch != nil:
		answer.Patch, answer.PatchType = c.Patch, new(admissionv1.PatchTypeJSONPatch)
	case c.Changed:
		return nil
	}
	return answer
}

// end is the call that ended the request.
type end struct {
	webhook string
	// failure is the error of the call; otherwise answer is the denial.
	failure string
	answer  *admissionv1.AdmissionResponse
}

// endOf returns the call that ended a request; nil if none did.
func endOf(e *auditlog.Event) *end {
	if m := failedClosed.FindStringSubmatch(e.Message); m != nil {
		return &end{webhook: m[2], failure: m[1]}
	}
	m := rejected.FindStringSubmatch(e.Message)
	if !e.Failed() || m == nil {
		return nil
	}
	status := status(e)
	status.Message = m[2]
	return &end{webhook: m[1], answer: &admissionv1.AdmissionResponse{Result: status}}
}

// mayBe reports whether a call may be the one that ended the request.
func (n *end) mayBe(calls []auditlog.Call, i int) bool {
	c := &calls[i]
	last := i == len(calls)-1
	return last && c.Mutating && c.Webhook == n.webhook && !c.Changed && !c.FailedOpen &&
		c.Patch == nil
}

// call returns the call. It is one of the validating phase, of which the log does not have
// the configuration.
func (n *end) call() admission.Call {
	c := &auditlog.Call{Webhook: n.webhook}
	if n.answer != nil {
		return callOf(c, admission.Rejected, n.answer)
	}
	call := callOf(c, admission.FailedClosed, nil)
	call.Err = errors.New(n.failure)
	return call
}

// annotations returns the audit annotations that admission made. Those of other parts of a
// server are of domains of Kubernetes.
func annotations(e *auditlog.Event) (all []admission.AuditAnnotation) {
	rawjson.Members(e.Annotations, 0, func(key, value []byte) bool {
		domain, _, ok := strings.Cut(string(key), "/")
		ofKubernetes := strings.HasSuffix(domain, "k8s.io") || strings.HasSuffix(domain, "kubernetes.io")
		if ok && (!ofKubernetes || strings.HasSuffix(domain, ".admission.k8s.io")) {
			all = append(all, admission.AuditAnnotation{
				Key: string(key), Value: rawjson.Text(value)})
		}
		return true
	})
	return all
}
