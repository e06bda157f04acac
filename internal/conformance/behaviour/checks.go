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
			Title: "changes nothing about what it has made itself",
			Why:   "A webhook sees its own work again: with every update of the object, and in the same request if its reinvocationPolicy is IfNeeded and another webhook changed the object after it. What it adds is there twice then, or what it sets changes each time.",
			Fix:   "Look for what is to be added before adding it: a container by its name, a variable, a volume. Use no value that is another one with every call, such as the time, if there is one already.",
		}, Phase: admission.Mutating, Each: repeats.checkIdempotent},
		{Check: report.Check{
			ID: "C-ORDER", Group: report.Behaviour, Level: report.Should,
			Title: "makes the same object before another webhook as after it",
			Why:   "Webhooks are called in the order of the names of their configurations, and perhaps again after others. Which of two webhooks prevails depends on the names of their configurations.",
			Fix:   "Have one webhook decide each field. Where two have to, let one of them be the last whatever the order is: set reinvocationPolicy: IfNeeded, and let the other leave alone what is there.",
		}, All: ordersAgree(maxPairings)},
		{Check: report.Check{
			ID: "C-REINVOCATION", Group: report.Behaviour, Level: report.Should,
			Title: "is called again if it needs to be",
			Why:   "A webhook with reinvocationPolicy Never is called once. What others change after that it does not see, and the object is stored without what the webhook would have made of it.",
			Fix:   "Set reinvocationPolicy: IfNeeded for the webhooks that are named.",
		}, All: t.find(convergedIfReinvoked, func(v *verdict) string {
			return "called again, " + names(
				v.webhooks) + " would change the object, but reinvocationPolicy is Never"
		})},
		{Check: report.Check{
			ID: "C-FIXPOINT", Group: report.Behaviour, Level: report.Should,
			Title: "is done after two passes",
			Why:   "kube-apiserver makes one pass through all mutating webhooks and at most one more, through those that ask for it. What would take a third is missing from the object until it is updated.",
			Fix:   "Have a webhook make all of its changes at once, whatever others have or have not done, or make one webhook of those that wait for each other.",
		}, All: t.find(convergedLate, func(v *verdict) string {
			return names(v.webhooks) + " would change the object again: " + passCount(v.passes) + " would be needed, and kube-apiserver makes two"
		})},
		{Check: report.Check{
			ID: "C-COLLECTION", Group: report.Behaviour, Level: report.Must,
			Title: "agrees with the other webhooks in the end",
			Why:   "Webhooks that undo each other's work never come to an end: every update changes the object again, and controllers that react to that go round with it.",
			Fix:   "Have one webhook decide each field, or have one leave alone what the other has set.",
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
			Title: "answers a dry run as it does the real request",
			Why:   "kubectl apply --dry-run=server and kubectl diff show what a dry run makes of the object. If that is not what the real request makes of it, they mislead those who decide by it; nothing is stored that should not be.",
			Fix:   "Let request.dryRun decide about side effects only, and about nothing that is in the answer.",
		}, Each: answersAlike},
		{Check: report.Check{
			ID: "C-SIDE-EFFECTS", Group: report.Behaviour, Level: report.Must,
			Title: "has no side effects that it says it has not",
			Why:   "kube-apiserver shows dry runs to webhooks with sideEffects None and NoneOnDryRun because these promise that a dry run has no side effect. Otherwise a user who only wanted a preview changes something.",
			Fix:   "Do nothing but answer if request.dryRun is true. If there are side effects otherwise, set sideEffects: NoneOnDryRun.",
		}, Each: hasNoSideEffects},
		{Check: report.Check{
			ID: "C-IDENTITY", Group: report.Behaviour, Level: report.Must,
			Title: "leaves alone which object it is",
			Why:   "kube-apiserver refuses an object that is in another namespace than the request, and an update that changes name or uid. An object that is created under another name is not found by the client that created it; a changed resourceVersion is a conflict; timestamps are overwritten.",
			Fix:   "Change no name, generateName, namespace, uid, resourceVersion or creationTimestamp in metadata. Patch single fields rather than metadata as a whole.",
		}, Phase: admission.Mutating, Each: leavesIdentity},
		{Check: report.Check{
			ID: "C-MANAGED-FIELDS", Group: report.Behaviour, Level: report.Must,
			Title: "leaves managedFields alone",
			Why:   "kube-apiserver has written down who owns which field before it calls webhooks, and stores what they make of it if that can be read. Server-side apply then misses conflicts, or leaves behind fields that no manager owns any more.",
			Fix:   "Patch single fields, and never metadata.managedFields. If the patch is computed from two objects, see that both have the same managedFields.",
		}, Phase: admission.Mutating, Each: leavesManagedFields},
		{Check: report.Check{
			ID: "C-MIRROR-PODS", Group: report.Behaviour, Level: report.Must,
			Title: "leaves the spec of mirror pods alone, and the annotations of the kubelet",
			Why:   "A mirror pod shows a static pod that a kubelet runs from a file, whatever becomes of the mirror. What a webhook changes in its spec is not what runs, and if it adds a reference to a Secret or a service account, the mirror is refused, and the pod is not visible in the API. The kubelet knows its mirrors by the annotations kubernetes.io/config.*: one with another hash it deletes and creates again.",
			Fix:   "Leave alone the spec of pods with the annotation kubernetes.io/config.mirror, or leave these pods out by a matchCondition. Never touch annotations that begin with kubernetes.io/config.",
		}, Phase: admission.Mutating, Each: leavesMirrors},
		{Check: report.Check{
			ID: "C-MINIMAL-PATCH", Group: report.Behaviour, Level: report.Should,
			Title: "replaces no more than it changes",
			Why:   "A list or an object that is replaced as a whole is what the webhook understood of it: where it went through types, fields that are newer than these are lost. And a reader of the audit log who looks for the change finds the whole value.",
			Fix:   "Add, replace and remove single items and fields: {\"op\": \"add\", \"path\": \"/spec/containers/-\", …} instead of replacing /spec/containers. Compute patches from the JSON that was received rather than from Go types.",
		}, Phase: admission.Mutating, Each: replacesLittle},
		{Check: report.Check{
			ID: "C-LATENCY", Group: report.Behaviour, Level: report.Should,
			Title: "takes at most half of its timeout",
			Why:   "The client waits for every mutating webhook in turn, and at timeoutSeconds the call has failed: failurePolicy decides. A webhook that is near that when idle exceeds it under load.",
			Fix:   "Answer from a cache rather than by calls to other servers, do what is not about the answer afterwards, or set a larger timeoutSeconds.",
		}, Each: answersQuickly},
	}
}

// nothingToChange is the skip message of checks that need a patched object.
const nothingToChange = "the webhook has no good answer to a sample that has an object"
