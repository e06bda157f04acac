package behaviour

import (
	"context"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// identities are the checks of the metadata that are none of a webhook's business.
func identities() []check.Check {
	return []check.Check{
		{
			Check: report.Check{
				ID: "C-IDENTITY", Group: report.Behaviour, Level: report.Must,
				Title: "leaves alone which object it is",
				Why:   "kube-apiserver refuses an object that is in another namespace than the request, and an update that changes name or uid. An object that is created under another name is not found by whoever created it; a changed resourceVersion is a conflict; timestamps are overwritten.",
				Fix:   "Change no name, generateName, namespace, uid, resourceVersion or creationTimestamp in metadata. Patch single fields rather than metadata as a whole.",
			},
			Each: ifMutating(leavesIdentity),
		},
		{
			Check: report.Check{
				ID: "C-MANAGED-FIELDS", Group: report.Behaviour, Level: report.Must,
				Title: "leaves managedFields alone",
				Why:   "kube-apiserver has written down who owns which field before it calls webhooks, and stores what they make of it if that can be read. Server-side apply then misses conflicts, or leaves behind what nobody owns any more.",
				Fix:   "Patch single fields, and never metadata.managedFields. If the patch is computed from two objects, see that both have the same managedFields.",
			},
			Each: ifMutating(leavesManagedFields),
		},
	}
}

func leavesIdentity(_ context.Context, w *probe.Webhook, r *check.Record) {
	r.Lacks("no answer has a patch that applies to an object")
	for _, x := range w.Answered() {
		patched, err := x.Patched()
		if err != nil || len(x.Answer.Patch) == 0 || x.Review.Operation() == string(admissionv1.Connect) {
			continue
		}
		r.Saw()
		if where := touched(differences(x.Object(), patched), identityOf(x.Review)); len(where) > 0 {
			r.Find(finding(x.Sample, where, x), "the patch changes %s", strings.Join(where, ", "))
		}
	}
}

// identityOf returns what of an object in a review is not to be changed. One that has no name
// yet may be given one.
func identityOf(review probe.Review) []string {
	parts := identity()
	if name, _, err := unstructured.NestedString(review.Object(), "metadata", "name"); err == nil && name == "" {
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "metadata.name" })
	}
	return parts
}

// touched returns the paths of the changes of some parts.
func touched(all []explain.Change, parts []string) []string {
	return paths(slices.DeleteFunc(all, func(c explain.Change) bool { return !touches(c.Path, parts) }))
}

func leavesManagedFields(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Lacks("the webhook has no good answer to a sample that is created or updated")
	for _, v := range w.Good() {
		review := managed(v)
		if review == nil {
			continue
		}
		x := w.Send(ctx, v.Name, review)
		if x.Answer == nil {
			r.Fail(x, "there is no answer if the object has managedFields: %s", x.Outcome())
			continue
		}
		patched, err := x.Patched()
		if err != nil {
			continue
		}
		r.Saw()
		if where := touched(differences(x.Object(), patched), managedFields()); len(where) > 0 {
			r.Find(finding(v.Name, where, x), "the patch changes metadata.managedFields")
		}
	}
}

// managed returns a review whose object has managedFields, as kube-apiserver sends all
// objects that are stored; nil if it is not about one.
func managed(v *probe.Visit) probe.Review {
	review := v.Review()
	metadata, ok := review.Object()["metadata"].(map[string]any)
	if !ok || v.Request.Subresource != "" || v.Request.Operation == admissionv1.Connect {
		return nil
	}
	if _, ok := metadata["managedFields"]; ok {
		return review
	}
	return review.SetObject([]any{map[string]any{
		"manager": "conformance", "operation": "Apply", "apiVersion": review.Object()["apiVersion"],
		"time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1",
		"fieldsV1": map[string]any{"f:metadata": map[string]any{"f:labels": map[string]any{"f:conformance.gatehouse/managed": map[string]any{}}}},
	}}, "metadata", "managedFields")
}
