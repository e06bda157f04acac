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
)

func leavesIdentity(_ context.Context, w *probe.Webhook, r *check.Record) {
	r.Missing("no answer has a patch that applies to an object")
	for _, x := range w.Answered() {
		patched, err := x.Patched()
		if err != nil || len(x.Answer.Patch) == 0 || x.Review.Operation() == string(admissionv1.Connect) {
			continue
		}
		r.Checked()
		if where := touched(diff(x.Object(), patched), identityOf(x.Review)); len(where) > 0 {
			r.Add(newFinding(x.Sample, where, x), "the patch changes %s", strings.Join(where, ", "))
		}
	}
}

// identityOf returns the fields of an object that must not change. A webhook
// may name an object that has no name yet.
func identityOf(review probe.Review) []string {
	parts := identity()
	if name, _, err := unstructured.NestedString(review.Object(), "metadata", "name"); err == nil && name == "" {
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "metadata.name" })
	}
	return parts
}

// touched returns the paths of the changes that touch the parts.
func touched(all []explain.Change, parts []string) []string {
	return paths(
		slices.DeleteFunc(all, func(c explain.Change) bool { return !touches(c.Path, parts) }))
}

func leavesManagedFields(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Missing("the webhook has no good answer to a sample that is created or updated")
	for _, v := range w.AnsweredVisits() {
		review := withManagedFields(v)
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
		r.Checked()
		if where := touched(diff(x.Object(), patched), managedFields()); len(where) > 0 {
			r.Add(newFinding(v.Name, where, x), "the patch changes metadata.managedFields")
		}
	}
}

// withManagedFields returns a review whose object has managedFields, as all
// objects that kube-apiserver stores; nil if it has no such object.
func withManagedFields(v *probe.Visit) probe.Review {
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
