package protocol

import (
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
)

func TestPatchedKind(t *testing.T) {
	t.Parallel()
	const id = "C-PATCHED-KIND"
	add := func(path, value string) string { return `[{"op":"add","path":"` + path + `","value":` + value + `}]` }
	widget := []*admission.Request{probetest.Widget(admissionv1.Create)}
	odd := []*admission.Request{probetest.Widget(admissionv1.Create, func(u *unstructured.Unstructured) {
		u.Object["metadata"].(map[string]any)["lables"] = map[string]any{}
	})}
	exec := pods(admissionv1.Connect)
	gadget := func(operation admissionv1.Operation) []*admission.Request {
		return []*admission.Request{probetest.Gadget(operation)}
	}
	runAll(t, []seen{
		{row{"good", "pods have labels"}, id, mutating(), patching(add("/metadata/labels", `{"team":"shop"}`)), one(), report.Pass, ""},
		{row{"unknown field", "it would be dropped without a word"}, id, mutating(), patching(add("/spec/nodename", `"n1"`)), one(), report.Fail,
			`the patched object is no v1 Pod: strict decoding error: unknown field "spec.nodename"`},
		{row{"wrong type", "labels are text"}, id, mutating(), patching(add("/metadata/labels", `{"replicas":3}`)), one(), report.Fail,
			"the patched object is no v1 Pod: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"},
		{row{"other kind", "a pod cannot become a service"}, id, mutating(), patching(`[{"op":"replace","path":"","value":{"apiVersion":"v1","kind":"Service"}}]`), one(), report.Fail,
			"the patched object is no v1 Pod: it is of the kind v1 Service"},
		{row{"kind removed", "it is known from the request"}, id, mutating(), patching(`[{"op":"remove","path":"/kind"}]`), one(), report.Pass, ""},
		{row{"options", "what is connected to has options of a kind"}, id, mutating(), patching(add("/tty", `"yes"`)), exec, report.Fail,
			"the patched object is no v1 PodExecOptions: json: cannot unmarshal string into Go struct field PodExecOptions.tty of type bool"},
		{row{"custom", "anything may be in a custom resource"}, id, mutating(), patching(add("/spec/colour", `"red"`)), widget, report.Pass, ""},
		{row{"custom metadata", "but not in its metadata"}, id, mutating(), patching(add("/metadata/lables", `{}`)), widget, report.Fail,
			"the patched object is no example.com/v1 Widget: unknown fields in metadata: lables"},
		{row{"custom type", "which has types"}, id, mutating(), patching(add("/metadata/labels", `"team"`)), widget, report.Fail,
			`the patched object is no example.com/v1 Widget: metadata: cannot restore map from string`},
		{row{"custom kind", "and a kind"}, id, mutating(), patching(`[{"op":"replace","path":"/kind","value":"Gear"}]`), widget, report.Fail,
			"the patched object is no example.com/v1 Widget: it is of the kind example.com/v1 Gear"},
		{row{"schema", "a custom resource may have what its schema has"}, id, mutating(), patching(add("/spec/size", `7`)), gadget("CREATE"), report.Pass, ""},
		{row{"schema type", "kube-apiserver rejects it"}, id, mutating(), patching(add("/spec/size", `"large"`)), gadget("CREATE"), report.Fail,
			`the patched object is no example.com/v1 Gadget: spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"`},
		{row{"schema value", "kube-apiserver rejects that, too"}, id, mutating(), patching(add("/spec/size", `70`)), gadget("UPDATE"), report.Fail,
			"the patched object is no example.com/v1 Gadget: spec.size: Invalid value: 70: spec.size in body should be less than or equal to 9"},
		{row{"schema field", "it is pruned"}, id, mutating(), patching(add("/spec/sizes", `7`)), gadget("CREATE"), report.Fail,
			`the patched object is no example.com/v1 Gadget: unknown field "spec.sizes"`},
		{row{"odd before", "what is unknown is pruned before the webhook sees it"}, id, mutating(), patching(add("/spec/colour", `"red"`)), odd, report.Pass, ""},
		{row{"unpatched", "nothing came of it"}, id, mutating(), good(), one(), report.Skip, noPatch},
		{row{"validating", "it may have no patch"}, id, validating(), good(), one(), report.Skip, "it is a validating webhook"},
	})
}
