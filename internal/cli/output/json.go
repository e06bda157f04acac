package output

import (
	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/offline/session"
)

// itemOf returns the entry of a visit. Lists are empty rather than absent, so
// that programs need not distinguish the two.
func itemOf(v *session.Result) RunItem {
	r, response := v.Request, v.Response
	item := RunItem{
		Kind:             r.Kind.Kind,
		APIVersion:       r.Kind.GroupVersion().String(),
		Resource:         r.Resource.GroupResource().String(),
		Subresource:      r.Subresource,
		Namespace:        r.Namespace,
		Name:             v.Name(),
		Operation:        string(r.Operation),
		Allowed:          response.Allowed,
		Undecided:        v.Undecided(),
		Status:           response.Status,
		DeniedBy:         explain.Denier(response),
		Warnings:         append([]string{}, response.Warnings...),
		Calls:            []RunCall{},
		Skipped:          []RunSkip{},
		AuditAnnotations: map[string]string{},
	}
	for i := range response.Calls {
		item.Calls = append(item.Calls, callOf(&response.Calls[i], v))
	}
	skipped(v, func(r *explain.Round, w *explain.Webhook) {
		item.Skipped = append(item.Skipped, skipOf(r, w))
	})
	for _, a := range response.AuditAnnotations {
		item.AuditAnnotations[a.Key] = a.Value
	}
	if response.Object != nil {
		item.Object = identified(response.Object, r.Kind)
	}
	return item
}

func callOf(c *admission.Call, v *session.Result) RunCall {
	call := RunCall{
		RunWebhook: RunWebhook{
			Phase: c.Webhook.Phase.String(), Configuration: c.Webhook.Configuration,
			Webhook: c.Webhook.Name, Round: c.Round,
		},
		Index:            c.Index,
		URL:              c.URL,
		Fault:            v.Fault(c.Webhook),
		Seconds:          c.Duration.Seconds(),
		Outcome:          v.Outcome(c),
		Hint:             v.Hint(c),
		Code:             c.Code,
		Mutated:          c.Changed,
		Patch:            c.Patch,
		Warnings:         c.Warnings,
		AuditAnnotations: c.AuditAnnotations,
	}
	if c.Err != nil {
		call.Error = c.Err.Error()
	}
	return call
}

func skipOf(r *explain.Round, w *explain.Webhook) RunSkip {
	return RunSkip{
		RunWebhook: RunWebhook{Phase: r.Phase, Configuration: w.Configuration, Webhook: w.Name,
			Round: r.Round},
		Stage:  w.Stage,
		Reason: w.Reason,
	}
}
