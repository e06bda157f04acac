package behaviour

import (
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe"
)

func TestIdentity(t *testing.T) {
	t.Parallel()
	const missing = "skip: no answer has a patch that applies to an object"
	fixed := func(operations ...op) hook { return func(probe.Review) []op { return operations } }
	unnamed := created()
	pod := unnamed[0].Object.(*corev1.Pod)
	pod.Name, pod.GenerateName, unnamed[0].Name = "", "web-", ""
	whole := fixed(replace("/metadata", map[string]any{"labels": map[string]any{"app": "web"}}))
	runLooks(t, "C-IDENTITY", []look{
		{row{"label", "it is not what an object is found by"}, mutating(1), patching(always("team", "a")), created(), []string{"pass"}},
		{row{"nameless label", "a path may begin as that of the name does"}, mutating(1), patching(fixed(add("/metadata/namesake", "x"))), created(), []string{"pass"}},
		{row{"name", "it would be created as another"}, mutating(1), patching(fixed(replace("/metadata/name", "other"))), created(),
			[]string{"fail: CREATE pods/web in shop: the patch changes metadata.name [metadata.name]"}},
		{row{"uid and namespace", "all is named in one finding"}, mutating(1), patching(fixed(add("/metadata/uid", "1"), replace("/metadata/namespace", "x"))), one(admissionv1.Update),
			[]string{"fail: UPDATE pods/web in shop: the patch changes metadata.namespace, metadata.uid [metadata.namespace metadata.uid]"}},
		{row{"null timestamp", "Go's types write it that way, and it means nothing"}, mutating(1), patching(fixed(add("/metadata/creationTimestamp", nil), setLabel("x", "y"))), created(), []string{"pass"}},
		{row{"metadata as a whole", "what is left out is gone"}, mutating(1), patching(whole), created(),
			[]string{"fail: CREATE pods/web in shop: the patch changes metadata.name, metadata.namespace [metadata.name metadata.namespace]"}},
		{row{"metadata removed", "the name is gone with it"}, mutating(1), patching(fixed(op{"op": "remove", "path": "/metadata"})), created(),
			[]string{"fail: CREATE pods/web in shop: the patch changes metadata [metadata]"}},
		{row{"first name", "without it the server would make one up"}, mutating(1), patching(fixed(add("/metadata/name", "web-1"))), unnamed, []string{"pass"}},
		{row{"no patch", "nothing was changed"}, mutating(1), patching(nothing), created(), []string{missing}},
		{row{"broken patch", "it is for other checks"}, mutating(1), patching(fixed(op{"op": "remove", "path": "/none"})), created(), []string{missing}},
		{row{"deletion", "there is no object to change"}, mutating(1), patching(fixed(replace("/metadata/name", "x"))), one(admissionv1.Delete), []string{missing}},
		{row{"connect", "options have no name"}, mutating(1), patching(fixed(add("/stdin", true))), one(admissionv1.Connect), []string{missing}},
		{row{"validating", "it has no way to change anything"}, validating(), patching(nothing), created(), []string{"skip: it is a validating webhook"}},
	})
}

func TestManagedFields(t *testing.T) {
	t.Parallel()
	const missing = "skip: the webhook has no good answer to a sample that is created or updated"
	managed := func(r probe.Review) bool { return at(r, "metadata", "managedFields") != nil }
	strips := func(r probe.Review) []op {
		if !managed(r) {
			return nil
		}
		return []op{{"op": "remove", "path": "/metadata/managedFields"}}
	}
	renames := func(r probe.Review) []op {
		if !managed(r) {
			return nil
		}
		return []op{replace("/metadata/managedFields/0/manager", "x")}
	}
	owned := one(admissionv1.Update)
	owned[0].Object.(*corev1.Pod).ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "ann", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1"}}
	runLooks(t, "C-MANAGED-FIELDS", []look{
		{row{"label", "it is a field like any other"}, mutating(1), patching(always("team", "a")), created(), []string{"pass"}},
		{row{"nothing", "without a patch all is as it was"}, mutating(1), patching(nothing), one(admissionv1.Update), []string{"pass"}},
		{row{"removed", "who owns what is forgotten"}, mutating(1), patching(strips), created(),
			[]string{"fail: CREATE pods/web in shop: the patch changes metadata.managedFields [metadata.managedFields]"}},
		{row{"another manager", "another manager owns the fields now"}, mutating(1), patching(renames), created(),
			[]string{"fail: CREATE pods/web in shop: the patch changes metadata.managedFields [metadata.managedFields[0].manager]"}},
		{row{"own managed fields", "a sample may have some"}, mutating(1), patching(renames), owned,
			[]string{"fail: UPDATE pods/web in shop: the patch changes metadata.managedFields [metadata.managedFields[0].manager]"}},
		{row{"silent", "all stored objects have them"}, mutating(1), silent(managed, nothing), created(),
			[]string{"fail: CREATE pods/web in shop: there is no answer if the object has managedFields: HTTP 500 without an AdmissionReview that has a response"}},
		{row{"broken patch", "it is for other checks"}, mutating(1), patching(func(probe.Review) []op { return []op{{"op": "remove", "path": "/none"}} }), created(), []string{missing}},
		{row{"connect", "options have none"}, mutating(1), patching(nothing), one(admissionv1.Connect), []string{missing}},
		{row{"deletion", "there is no object to change"}, mutating(1), patching(nothing), []*admission.Request{one(admissionv1.Delete)[0]}, []string{missing}},
		{row{"validating", "it has no way to change anything"}, validating(), patching(nothing), created(), []string{"skip: it is a validating webhook"}},
	})
}
