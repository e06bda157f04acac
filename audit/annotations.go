package audit

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/admission"
)

// Prefixes of the keys that the API server writes, followed by the round and the index of
// the call: for its patch (S-314), its effect (S-313), and its failure if the request
// continued (S-315).
const (
	PatchPrefix                = "patch.webhook.admission.k8s.io/"
	MutationPrefix             = "mutation.webhook.admission.k8s.io/"
	MutationFailedOpenPrefix   = "failed-open.mutation.webhook.admission.k8s.io/"
	ValidatingFailedOpenPrefix = "failed-open.validating.webhook.admission.k8s.io/"
)

// Annotations returns the audit annotations of a finished call, in the order in
// which the engine adds them (S-310 to S-315). It returns nil if there are
// none.
//
// The webhook's annotations are sorted by key, so that the order is
// deterministic; kube-apiserver adds them in the random order of a map.
func Annotations(call *admission.Call) []admission.AuditAnnotation {
	w := call.Webhook
	list := webhookAnnotations(call)
	if w.Phase == admission.Mutating {
		list = appendPatch(list, call)
		list = append(list, mutation(call))
	}
	if failedOpen(call) {
		list = append(list, admission.AuditAnnotation{
			Key:   key(failedOpenPrefix(w), call),
			Value: w.Name,
			Level: admission.AuditMetadata,
		})
	}
	return list
}

// webhookAnnotations returns the annotations of the webhook's response,
// whatever the outcome: a webhook that denies a request may explain why in the
// audit event.
func webhookAnnotations(call *admission.Call) []admission.AuditAnnotation {
	if len(call.AuditAnnotations) == 0 {
		return nil
	}
	const admissionAnnotations = 3 // capacity for the other annotations
	list := make([]admission.AuditAnnotation, 0, len(call.AuditAnnotations)+admissionAnnotations)
	for _, k := range slices.Sorted(maps.Keys(call.AuditAnnotations)) {
		list = append(list, admission.AuditAnnotation{
			Key:   call.Webhook.Name + "/" + k,
			Value: call.AuditAnnotations[k],
			Level: admission.AuditMetadata,
		})
	}
	return list
}

// patchValue is the value of a patch annotation. The order of the fields is
// that of kube-apiserver's JSON.
type patchValue struct {
	Configuration string                `json:"configuration"`
	Webhook       string                `json:"webhook"`
	Patch         json.RawMessage       `json:"patch"`
	PatchType     admissionv1.PatchType `json:"patchType"`
}

// appendPatch appends the annotation of the patch, if one was applied. Encoding
// compacts the operations and escapes <, > and & in them (S-314).
func appendPatch(
	list []admission.AuditAnnotation, call *admission.Call,
) []admission.AuditAnnotation {
	if call.Patch == nil {
		return list
	}
	value, err := json.Marshal(patchValue{
		Configuration: call.Webhook.Configuration,
		Webhook:       call.Webhook.Name,
		Patch:         call.Patch,
		PatchType:     admissionv1.PatchTypeJSONPatch,
	})
	if err != nil {
		// The engine has encoded the patch, so this does not happen. If it
		// does, leave the patch out of the audit event.
		return list
	}
	return append(list, admission.AuditAnnotation{
		Key:   key(PatchPrefix, call),
		Value: string(value),
		Level: admission.AuditRequest,
	})
}

// mutationValue is the value of a mutation annotation.
type mutationValue struct {
	Configuration string `json:"configuration"`
	Webhook       string `json:"webhook"`
	Mutated       bool   `json:"mutated"`
}

// mutation returns the annotation of every mutating call, including calls that
// failed before a request was sent (S-313).
func mutation(call *admission.Call) admission.AuditAnnotation {
	// Encoding two strings and a bool cannot fail.
	value, _ := json.Marshal(mutationValue{
		Configuration: call.Webhook.Configuration,
		Webhook:       call.Webhook.Name,
		Mutated:       call.Changed,
	})
	return admission.AuditAnnotation{
		Key:   key(MutationPrefix, call),
		Value: string(value),
		Level: admission.AuditMetadata,
	}
}

// failedOpen reports whether the request passed although the call failed. A
// canceled request does not count (S-255), a panic does (S-193).
func failedOpen(call *admission.Call) bool {
	if call.Outcome == admission.Panicked {
		return call.Webhook.IgnoresFailures()
	}
	return call.Outcome == admission.FailedOpen
}

func failedOpenPrefix(w *admission.Webhook) string {
	if w.Phase == admission.Mutating {
		return MutationFailedOpenPrefix
	}
	return ValidatingFailedOpenPrefix
}

// key returns an annotation key that is unique within the request and phase.
func key(prefix string, call *admission.Call) string {
	return prefix + "round_" + strconv.Itoa(call.Round) + "_index_" + strconv.Itoa(call.Index)
}
