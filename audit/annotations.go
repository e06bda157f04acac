package audit

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/admission"
)

// The beginnings of the keys that admission itself writes; the position of the
// call follows.
const (
	patchPrefix                = "patch.webhook.admission.k8s.io/"
	mutationPrefix             = "mutation.webhook.admission.k8s.io/"
	mutationFailedOpenPrefix   = "failed-open.mutation.webhook.admission.k8s.io/"
	validatingFailedOpenPrefix = "failed-open.validating.webhook.admission.k8s.io/"
)

// Annotations returns the audit annotations of a finished call, in the order in
// which they are to be added (S-310 to S-315). It returns nil when there are
// none.
//
// The webhook's own annotations come sorted by key, so that a record always
// gives the same list; upstream adds them in the random order of a map.
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

// own returns what the webhook asked to have written, whatever the outcome: a
// webhook that denies may say why in the audit event.
func webhookAnnotations(call *admission.Call) []admission.AuditAnnotation {
	if len(call.AuditAnnotations) == 0 {
		return nil
	}
	const admissionAnnotations = 3 // room for what admission itself adds
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

// patchValue is the value of a patch annotation; the order of the fields is
// that of the keys.
type patchValue struct {
	Configuration string                `json:"configuration"`
	Webhook       string                `json:"webhook"`
	Patch         json.RawMessage       `json:"patch"`
	PatchType     admissionv1.PatchType `json:"patchType"`
}

// appendPatch adds the patch to list, if one was applied. Encoding compacts the
// operations and escapes <, > and & in them (S-314).
func appendPatch(list []admission.AuditAnnotation, call *admission.Call) []admission.AuditAnnotation {
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
		// The engine encoded the patch itself. Should it be broken all the
		// same, an event without it is better than none.
		return list
	}
	return append(list, admission.AuditAnnotation{
		Key:   key(patchPrefix, call),
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

// mutation returns the annotation that every mutating call has, even one that
// was refused before anything was sent (S-313).
func mutation(call *admission.Call) admission.AuditAnnotation {
	// Two strings and a bool always encode.
	value, _ := json.Marshal(mutationValue{
		Configuration: call.Webhook.Configuration,
		Webhook:       call.Webhook.Name,
		Mutated:       call.Changed,
	})
	return admission.AuditAnnotation{
		Key:   key(mutationPrefix, call),
		Value: string(value),
		Level: admission.AuditMetadata,
	}
}

// failedOpen reports whether the request passed although the webhook did not
// answer as it should. A caller who went away is not held against the webhook
// (S-255); a panic is (S-193).
func failedOpen(call *admission.Call) bool {
	if call.Outcome == admission.Panicked {
		return call.Webhook.IgnoresFailures()
	}
	return call.Outcome == admission.FailedOpen
}

func failedOpenPrefix(w *admission.Webhook) string {
	if w.Phase == admission.Mutating {
		return mutationFailedOpenPrefix
	}
	return validatingFailedOpenPrefix
}

// key names the call within its request and phase.
func key(prefix string, call *admission.Call) string {
	return prefix + "round_" + strconv.Itoa(call.Round) + "_index_" + strconv.Itoa(call.Index)
}
