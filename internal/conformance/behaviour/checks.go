package behaviour

import (
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/report"
)

// Checks returns the checks, in their order.
func Checks() []check.Check {
	repeats := &reruns{}
	return slices.Concat(repeatedCalls(repeats, &combinedRuns{repeats: repeats}), singleCalls())
}

// repeatedCalls are the checks that call webhooks on the output of webhooks.
func repeatedCalls(repeats *reruns, t *combinedRuns) []check.Check {
	return []check.Check{
		{Check: report.Check{
			ID: "C-IDEMPOTENT", Group: report.Behaviour, Level: report.Must,
			Title: "does not change its own output",
			Why:   "A webhook receives its own output again: with every update of the object, and in the same request if its reinvocationPolicy is IfNeeded and a later webhook changed the object. If it is not idempotent, it adds the same item twice, or sets another value each time.",
			Fix:   "Before you add an item, such as a container, a variable or a volume, check whether the object has one of that name. If a field is already set, do not overwrite it with a value that changes with every call, such as the time.",
		}, Phase: admission.Mutating, Each: repeats.checkIdempotent},
		{Check: report.Check{
			ID: "C-ORDER", Group: report.Behaviour, Level: report.Should,
			Title: "makes the same object before another webhook as after it",
			Why:   "kube-apiserver calls webhooks in the order of the names of their configurations, and may reinvoke some of them. If two webhooks set the same field, the names of their configurations decide which one wins.",
			Fix:   "Let only one webhook set each field. If two webhooks must set it, give one of them reinvocationPolicy: IfNeeded, so that it runs last in any order, and let the other keep an existing value.",
		}, All: ordersAgree(maxPairings)},
		{Check: report.Check{
			ID: "C-REINVOCATION", Group: report.Behaviour, Level: report.Should,
			Title: "sets reinvocationPolicy IfNeeded if it needs reinvocation",
			Why:   "kube-apiserver calls a webhook with reinvocationPolicy Never once. The webhook does not see later changes by other webhooks, and the stored object lacks the changes that it would have made.",
			Fix:   "Set reinvocationPolicy: IfNeeded for the webhooks in the finding.",
		}, All: t.find(convergedIfReinvoked, func(v *verdict) string {
			return "called again, " + names(
				v.webhooks) + " would change the object, but reinvocationPolicy is Never"
		})},
		{Check: report.Check{
			ID: "C-FIXPOINT", Group: report.Behaviour, Level: report.Should,
			Title: "needs no more than two passes",
			Why:   "kube-apiserver calls all mutating webhooks once, and makes at most one more pass with those that request reinvocation. Changes that need a third pass are missing from the object until its next update.",
			Fix:   "Let each webhook make all of its changes at once, whatever other webhooks do. Or merge the webhooks that depend on each other.",
		}, All: t.find(convergedLate, func(v *verdict) string {
			return names(v.webhooks) + " would change the object again: " + passCount(v.passes) + " would be needed, and kube-apiserver makes two"
		})},
		{Check: report.Check{
			ID: "C-COLLECTION", Group: report.Behaviour, Level: report.Must,
			Title: "reaches a stable object together with the other webhooks",
			Why:   "If webhooks undo each other's changes, the object never becomes stable: every update changes it again, and controllers that watch it loop.",
			Fix:   "Let only one webhook set each field, or let one webhook keep the value that the other set.",
		}, All: t.find(diverged, func(v *verdict) string {
			return names(v.webhooks) + " would change the object again, and so on after " + passCount(passes+apiserverPasses)
		})},
	}
}

// singleCalls are the checks of single answers.
func singleCalls() []check.Check {
	return []check.Check{
		{Check: report.Check{
			ID: "C-DRY-RUN", Group: report.Behaviour, Level: report.Should,
			Title: "answers a dry run like the real request",
			Why:   "kubectl apply --dry-run=server and kubectl diff show the result of a dry run. If the real request has another result, they mislead the user. The stored object is not affected.",
			Fix:   "Use request.dryRun only to decide about side effects. Do not let it change the response.",
		}, Each: answersAlike},
		{Check: report.Check{
			ID: "C-SIDE-EFFECTS", Group: report.Behaviour, Level: report.Must,
			Title: "has no side effects in a dry run if it promises none",
			Why:   "kube-apiserver sends dry runs to webhooks with sideEffects None and NoneOnDryRun, because these values promise that a dry run has no side effects. If the promise is false, a user who only wanted a preview changes something.",
			Fix:   "If request.dryRun is true, do nothing but respond. If there are side effects otherwise, set sideEffects: NoneOnDryRun.",
		}, Each: hasNoSideEffects},
		{Check: report.Check{
			ID: "C-IDENTITY", Group: report.Behaviour, Level: report.Must,
			Title: "keeps the identity of the object",
			Why:   "kube-apiserver rejects an object whose namespace differs from that of the request, and an update that changes the name or the uid. If a webhook changes the name of a new object, the client cannot find the object. A changed resourceVersion is a conflict. kube-apiserver overwrites changed timestamps.",
			Fix:   "Do not change name, generateName, namespace, uid, resourceVersion or creationTimestamp in metadata. Patch single fields instead of the whole metadata.",
		}, Phase: admission.Mutating, Each: leavesIdentity},
		{Check: report.Check{
			ID: "C-MANAGED-FIELDS", Group: report.Behaviour, Level: report.Must,
			Title: "keeps managedFields",
			Why:   "kube-apiserver records which manager owns which field before it calls webhooks. It stores the managedFields that webhooks return, if it can decode them. If they are wrong, server-side apply misses conflicts, or leaves behind fields that no manager owns.",
			Fix:   "Patch single fields, and never metadata.managedFields. If you compute the patch from two objects, make sure that both have the same managedFields.",
		}, Phase: admission.Mutating, Each: leavesManagedFields},
		{Check: report.Check{
			ID: "C-MIRROR-PODS", Group: report.Behaviour, Level: report.Must,
			Title: "keeps the spec of mirror pods and the annotations of the kubelet",
			Why:   "A mirror pod shows a static pod that the kubelet runs from a file. If a webhook changes the spec of the mirror pod, the change has no effect on the static pod. If the change adds a reference to a Secret or a service account, kube-apiserver rejects the mirror pod, and the pod is not visible in the API. The kubelet identifies mirror pods by the annotations kubernetes.io/config.*: if the hash differs, it deletes the mirror pod and creates it again.",
			Fix:   "Do not change the spec of pods with the annotation kubernetes.io/config.mirror, or exclude these pods with a matchCondition. Never change annotations that begin with kubernetes.io/config.",
		}, Phase: admission.Mutating, Each: leavesMirrors},
		{Check: report.Check{
			ID: "C-MINIMAL-PATCH", Group: report.Behaviour, Level: report.Should,
			Title: "replaces no more than it changes",
			Why:   "If a patch replaces a whole list or object, the result has only what the webhook decoded. If the webhook decodes into Go types, fields that are newer than these types are lost. In the audit log, the patch shows the whole value instead of the change.",
			Fix:   "Add, replace and remove single items and fields: use {\"op\": \"add\", \"path\": \"/spec/containers/-\", …} instead of replacing /spec/containers. Compute patches from the JSON of the review, not from Go types.",
		}, Phase: admission.Mutating, Each: replacesLittle},
		{Check: report.Check{
			ID: "C-LATENCY", Group: report.Behaviour, Level: report.Should,
			Title: "takes at most half of its timeout",
			Why:   "The client waits for one mutating webhook after another. After timeoutSeconds the call fails, and failurePolicy decides. A webhook that comes close to its timeout when idle exceeds it under load.",
			Fix:   "Answer from a cache instead of calling other servers, do unrelated work after the response, or set a larger timeoutSeconds.",
		}, Each: answersQuickly},
	}
}

// nothingToChange is the skip message of checks that need a patched object.
const nothingToChange = "the webhook has no good answer to a sample that has an object"
