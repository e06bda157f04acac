package audit_test

import (
	"encoding/json"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
)

// patchRows are about how a patch is shown.
func patchRows() []callRow {
	return []callRow{{
		row: row{"patch without a change", "S-314: a patch that was applied is shown even if it made no difference"},
		call: mutating(func(c *admission.Call) {
			c.Patch = json.RawMessage(`[{"op":"add","path":"/metadata/labels/a","value":"b"}]`)
		}),
		want: []admission.AuditAnnotation{
			request("patch.webhook.admission.k8s.io/round_0_index_0",
				`{"configuration":"config","webhook":"hook.example.com","patch":[{"op":"add","path":"/metadata/labels/a","value":"b"}],"patchType":"JSONPatch"}`),
			unmutated(),
		},
	}, {
		row: row{"HTML in a patch", "S-314: <, > and & are escaped and white space between tokens is dropped, also in what arrives as JSON"},
		call: mutating(func(c *admission.Call) {
			c.Changed, c.Patch = true, json.RawMessage(`[ {"op":"add", "path":"/data/x", "value":"<a href=\"?b&c\"> é`+"\u2028"+`"} ]`)
		}),
		want: []admission.AuditAnnotation{
			request("patch.webhook.admission.k8s.io/round_0_index_0",
				`{"configuration":"config","webhook":"hook.example.com","patch":[{"op":"add","path":"/data/x","value":"\u003ca href=\"?b\u0026c\"\u003e é\u2028"}],"patchType":"JSONPatch"}`),
			metadata("mutation.webhook.admission.k8s.io/round_0_index_0",
				`{"configuration":"config","webhook":"hook.example.com","mutated":true}`),
		},
	}, {
		row:  row{"broken patch", "what cannot be encoded is left out, the rest stays"},
		call: mutating(func(c *admission.Call) { c.Patch = json.RawMessage(`[{`) }),
		want: []admission.AuditAnnotation{unmutated()},
	}}
}

// nameRows are about how keys and values name the call.
func nameRows() []callRow {
	return []callRow{{
		row: row{"position", "S-313, S-314: round and index are in every key that admission makes"},
		call: mutating(func(c *admission.Call) {
			c.Round, c.Index, c.Changed, c.Patch = 1, 12, true, json.RawMessage(`[]`)
		}),
		want: []admission.AuditAnnotation{
			request("patch.webhook.admission.k8s.io/round_1_index_12",
				`{"configuration":"config","webhook":"hook.example.com","patch":[],"patchType":"JSONPatch"}`),
			metadata("mutation.webhook.admission.k8s.io/round_1_index_12",
				`{"configuration":"config","webhook":"hook.example.com","mutated":true}`),
		},
	}, {
		row: row{"quotes and HTML in names", "names come from files too, where nothing has checked them; as values they are escaped, as plain text they are not"},
		call: mutating(func(c *admission.Call) {
			ends(admission.FailedOpen, registrationv1.Ignore)(c)
			c.Webhook.Name, c.Webhook.Configuration = `a "quoted" <hook>`, `con\fig & co`
		}),
		want: []admission.AuditAnnotation{
			metadata("mutation.webhook.admission.k8s.io/round_0_index_0",
				`{"configuration":"con\\fig \u0026 co","webhook":"a \"quoted\" \u003chook\u003e","mutated":false}`),
			metadata("failed-open.mutation.webhook.admission.k8s.io/round_0_index_0", `a "quoted" <hook>`),
		},
	}, {
		row: row{"position of a validating call", "S-315: the index counts the webhooks that matched; the engine has counted already"},
		call: validating(func(c *admission.Call) {
			ends(admission.FailedOpen, registrationv1.Ignore)(c)
			c.Index = 3
		}),
		want: []admission.AuditAnnotation{metadata("failed-open.validating.webhook.admission.k8s.io/round_0_index_3", hook)},
	}}
}

// ownRows are about the webhook's own annotations.
func ownRows() []callRow {
	return []callRow{{
		row: row{"own annotations of an allowed mutating call", "S-310: they come first, under the webhook's name, and are not escaped"},
		call: mutating(func(c *admission.Call) {
			c.Changed, c.Patch = true, json.RawMessage(`[{"op":"remove","path":"/a"}]`)
			c.AuditAnnotations = map[string]string{"zone": "<eu>", "by": "policy-7"}
		}),
		want: []admission.AuditAnnotation{
			metadata("hook.example.com/by", "policy-7"),
			metadata("hook.example.com/zone", "<eu>"),
			request("patch.webhook.admission.k8s.io/round_0_index_0",
				`{"configuration":"config","webhook":"hook.example.com","patch":[{"op":"remove","path":"/a"}],"patchType":"JSONPatch"}`),
			metadata("mutation.webhook.admission.k8s.io/round_0_index_0",
				`{"configuration":"config","webhook":"hook.example.com","mutated":true}`),
		},
	}, {
		row: row{"own annotations of a denying validating call", "S-310: a denial keeps them"},
		call: validating(func(c *admission.Call) {
			ends(admission.Rejected, registrationv1.Fail)(c)
			c.AuditAnnotations = map[string]string{"reason": "no owner"}
		}),
		want: []admission.AuditAnnotation{metadata("hook.example.com/reason", "no owner")},
	}, {
		row: row{"own annotations with malformed keys", "S-311: the host checks the keys, so they are passed on"},
		call: validating(func(c *admission.Call) {
			c.AuditAnnotations = map[string]string{"a/b": "1", "": "2"}
		}),
		want: []admission.AuditAnnotation{metadata("hook.example.com/", "2"), metadata("hook.example.com/a/b", "1")},
	}, {
		row: row{"own annotations of a failed call", "a patch of an unknown type fails the call after verification, when they have been added (S-310)"},
		call: mutating(func(c *admission.Call) {
			ends(admission.FailedOpen, registrationv1.Ignore)(c)
			c.AuditAnnotations = map[string]string{"k": "v"}
		}),
		want: []admission.AuditAnnotation{
			metadata("hook.example.com/k", "v"),
			unmutated(),
			metadata("failed-open.mutation.webhook.admission.k8s.io/round_0_index_0", hook),
		},
	}}
}
