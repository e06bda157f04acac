package protocol

import (
	"context"
	"net/http"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
	admissionv1 "k8s.io/api/admission/v1"
)

// Checks returns the checks, in their order.
func Checks() []check.Check { return slices.Concat(answers(), patches(), details()) }

// answers are the checks that there is an answer to each review.
func answers() []check.Check {
	return []check.Check{
		{Check: report.Check{
			ID: "C-PANIC", Group: report.Protocol, Level: report.Must,
			Title: "neither panics nor fails with HTTP 500",
			Why:   "A server that recovers a panic closes the connection, sends HTTP 500 or makes a denial with the status code 500 of it. The first two are failed calls, and failurePolicy decides: it refuses the request with HTTP 500, or passes the webhook over, and a user who knows such an object gets it past the webhook. The third denies the request for no fault of its own.",
			Fix:   "Send the request of the finding to the webhook and read the stack in its log. Usual causes are a pointer, a map or the first item of a list that an object need not have. Return an error of your own as a denial or, if nothing is wrong with the object, as a yes with a warning.",
		}, Each: collected(doesNotPanic)},
		{Check: report.Check{
			ID: "C-ANSWER", Group: report.Protocol, Level: report.Must,
			Title: "answers every review",
			Why:   "Without an AdmissionReview that has a response and can be decoded, the call has failed, and failurePolicy decides: it refuses the request with HTTP 500, or the webhook is passed over.",
			Fix:   "Answer every review with an AdmissionReview in JSON, also those that are of no interest: with allowed true. Take the types of the fields from k8s.io/api/admission/v1.",
		}, Each: collected(answersReviews)},
		{Check: report.Check{
			ID: "C-STATUS", Group: report.Protocol, Level: report.Must,
			Title: "answers with HTTP 200",
			Why:   "With an HTTP status outside of 200 to 206 the call has failed, whatever the body says, and failurePolicy decides. A denial that is sent with 403 reaches the user as an internal error, or not at all.",
			Fix:   "Send every AdmissionReview with HTTP 200. What the user shall see goes into response.status.code.",
		}, Each: collected(answersWithSuccess)},
		{Check: report.Check{
			ID: "C-CONTENT-TYPE", Group: report.Protocol, Level: report.Should,
			Title: "answers with the content type application/json",
			Why:   "kube-apiserver decodes the body whatever type it is said to have, as long as the header can be parsed. But proxies and other clients go by the header, and Go's server guesses text/plain where there is none.",
			Fix:   "Set the header Content-Type: application/json before the first byte of the body is written.",
		}, Each: collected(answersJSON)},
		{Check: report.Check{
			ID: "C-UID", Group: report.Protocol, Level: report.Must,
			Title: "echoes the uid",
			Why:   "In v1, kube-apiserver takes an answer with another uid for no answer: the call has failed, and failurePolicy decides.",
			Fix:   "Copy request.uid to response.uid. Keep it in a variable of the request, not in one that requests share.",
		}, Each: collected(echoesUID)},
		{Check: report.Check{
			ID: "C-API-VERSION", Group: report.Protocol, Level: report.Must,
			Title: "answers in the version of the review",
			Why:   "kube-apiserver decodes an answer to a v1 review as admission.k8s.io/v1 and one to a v1beta1 review as v1beta1. Another version or kind, and in v1 also none, is a failed call, and failurePolicy decides.",
			Fix:   "Copy apiVersion and kind of the review to the answer, instead of writing those that are current.",
		}, Each: collected(echoesVersion)},
		{Check: report.Check{
			ID: "C-VERSIONS", Group: report.Protocol, Level: report.Must,
			Title: "answers every version of AdmissionReview that it lists",
			Why:   "kube-apiserver sends the first of admissionReviewVersions that it knows. If that one is not answered, every call fails; if it is another one, calls fail as soon as the list is put in another order, or at a server that does not know the first.",
			Fix:   "Decode the versions that admissionReviewVersions lists, or take out of the list those that the webhook does not know.",
		}, Each: collected(answersVersions)},
		{Check: report.Check{
			ID: "C-ALLOWED", Group: report.Protocol, Level: report.Must,
			Title: "says whether the request is allowed",
			Why:   "An answer without response.allowed, or with null for it, is a no: the request is refused, whatever failurePolicy says. With any value but true, false and null the call has failed, and failurePolicy decides.",
			Fix:   "Set response.allowed to true or false in every answer. In a type of your own, leave out omitempty.",
		}, Each: collected(saysAllowed)},
		{Check: report.Check{
			ID: "C-DENIAL", Group: report.Protocol, Level: report.Should,
			Title: "explains a denial, with a status code of an error",
			Why:   "Without a message the user reads at most a reason, and otherwise that the request was denied “without explanation”. A code below 400 becomes 400, Bad Request, which clients take for a malformed request.",
			Fix:   "Set response.status.code, 403 for what is forbidden and 422 for what is invalid, and say in response.status.message what is wrong and how to mend it.",
		}, Each: collected(explainsDenials)},
	}
}

// patches are the checks of patches and patched objects.
func patches() []check.Check {
	return []check.Check{
		{Check: report.Check{
			ID: "C-VALIDATING-PATCH", Group: report.Protocol, Level: report.Must,
			Title: "sends no patch as a validating webhook",
			Why:   "A validating webhook that answers a v1 review with a patch or a patchType has failed to answer, and failurePolicy decides. Answers to v1beta1 reviews are not looked at: there both are ignored.",
			Fix:   "Leave out response.patch and response.patchType, or register the webhook as a mutating one.",
		}, Phase: admission.Validating, Each: collected(leavesOutPatches)},
		{Check: report.Check{
			ID: "C-PATCH-TYPE", Group: report.Protocol, Level: report.Must,
			Title: "sends patch and patchType together, and JSONPatch as the type",
			Why:   "In v1 a patch without a patchType, a patchType without a patch, or another type than JSONPatch is a failed call, and failurePolicy decides.",
			Fix:   "Set response.patchType to JSONPatch if there is a patch, and leave out both if there is none.",
		}, Phase: admission.Mutating, Each: collected(typesPatches)},
		{Check: report.Check{
			ID: "C-PATCH-DECODES", Group: report.Protocol, Level: report.Must,
			Title: "sends a JSON patch, in base64",
			Why:   "A patch that is not base64, or not a list of operations once it is decoded, is a failed call, and failurePolicy decides.",
			Fix:   "Make an array of RFC 6902 operations (not a merge patch, not the object) and encode it in base64. In Go, assign its bytes to AdmissionResponse.Patch: encoding/json does the rest.",
		}, Phase: admission.Mutating, Each: collected(encodesPatches)},
		{Check: report.Check{
			ID: "C-PATCH-APPLIES", Group: report.Protocol, Level: report.Must,
			Title: "sends patches that apply to the object that was sent",
			Why:   "A patch that does not apply refuses the request with HTTP 500, whatever failurePolicy says.",
			Fix:   "Compute the patch from request.object itself. Add a map or a list that is missing before adding to it, remove only what is there, and write “/” in a key as “~1”.",
		}, Phase: admission.Mutating, Each: collected(appliesPatches)},
		{Check: report.Check{
			ID: "C-PATCHED-KIND", Group: report.Protocol, Level: report.Must,
			Title: "makes objects that are of their kind",
			Why:   "If the object is of another kind after the patch, or a field of a built-in kind is of a wrong type, the request is refused with HTTP 500, whatever failurePolicy says. If the schema of a custom resource does not allow a type or a value, it is refused with HTTP 422, as if the user had written that. A field that the kind does not have is dropped without a word.",
			Fix:   "Write only fields of the kind in the version that was sent, spelt and typed as in its API reference. Go types from k8s.io/api make sure of that for built-in kinds, and the CustomResourceDefinition says what a custom resource may have.",
		}, Phase: admission.Mutating, Each: collected(keepsKinds)},
		{Check: report.Check{
			ID: "C-PATCH-ON-DELETE", Group: report.Protocol, Level: report.Must,
			Title: "sends no patch for a DELETE",
			Why:   "What is deleted cannot be changed: with a patch the DELETE is refused with HTTP 500, whatever failurePolicy says.",
			Fix:   "Answer a DELETE without a patch, or take it out of the rules of the webhook.",
		}, Phase: admission.Mutating, Each: collected(leavesDeletionsAlone)},
	}
}

// details are the checks of nulls in reviews, and of the other fields of
// answers.
func details() []check.Check {
	return []check.Check{
		{Check: report.Check{
			ID: "C-NULL-OBJECT", Group: report.Protocol, Level: report.Must,
			Title: "answers a DELETE, whose object is null",
			Why:   "What is deleted is in oldObject; object is null. A webhook that has no answer to that refuses all deletions, also those of the garbage collector and of a namespace that ends, or it is passed over, as failurePolicy says.",
			Fix:   "Look at request.oldObject if request.operation is DELETE, and decode request.object only if it is there.",
		}, Each: collected(tolerates(admissionv1.Delete, probe.NullObject, "the answer is missing because object is null: there is one if it is not"))},
		{Check: report.Check{
			ID: "C-NULL-OLD-OBJECT", Group: report.Protocol, Level: report.Must,
			Title: "answers a CREATE, whose oldObject is null",
			Why:   "What is created has no predecessor; oldObject is null. A webhook that has no answer to that refuses all new objects, or it is passed over, as failurePolicy says.",
			Fix:   "Decode request.oldObject only if request.operation is UPDATE or DELETE.",
		}, Each: collected(tolerates(admissionv1.Create, probe.NullOldObject, "the answer is missing because oldObject is null: there is one if it is not"))},
		{Check: report.Check{
			ID: "C-NULL-OPTIONS", Group: report.Protocol, Level: report.Must,
			Title: "answers a CONNECT, whose options are null",
			Why:   "Requests such as pods/exec have no options of the operation; options is null. A webhook that has no answer to that refuses all of them, or it is passed over, as failurePolicy says.",
			Fix:   "Decode request.options only if they are there. What a user wants to run in a pod is in request.object, a PodExecOptions.",
		}, Each: collected(tolerates(admissionv1.Connect, probe.NullOptions, "the answer is missing because options is null: there is one if it is not"))},
		{Check: report.Check{
			ID: "C-WARNINGS", Group: report.Protocol, Level: report.Should,
			Title: "keeps warnings short",
			Why:   "When the warnings of a request, those of all its webhooks together, exceed 4096 characters, kube-apiserver cuts each of them to 256 and drops those that are still too many.",
			Fix:   "Write warnings of at most 256 characters, better of 120, without a prefix such as “Warning:”, and few of them.",
		}, Each: collected(keepsWarningsShort)},
		{Check: report.Check{
			ID: "C-WARNINGS-PRINTABLE", Group: report.Protocol, Level: report.Should,
			Title: "has no control characters in warnings",
			Why:   "Warnings travel in HTTP headers. kube-apiserver drops one with a control character, such as the end of a line, without a word.",
			Fix:   "Write each warning in one line, and replace control characters in what is quoted from the object.",
		}, Each: collected(keepsWarningsPrintable)},
		{Check: report.Check{
			ID: "C-AUDIT-KEYS", Group: report.Protocol, Level: report.Should,
			Title: "has valid keys of audit annotations",
			Why:   "In the audit event the key is that of the webhook's name, a slash and the key of the answer. If that is no qualified name, kube-apiserver drops the annotation and says so in its log alone.",
			Fix:   "Use keys of at most 63 letters, digits, “-”, “_” and “.” that begin and end with a letter or digit. The name of the webhook comes by itself: there is no “/” in a key.",
		}, Each: collected(namesAnnotations)},
		{Check: report.Check{
			ID: "C-RESPONSE-SIZE", Group: report.Protocol, Level: report.Should,
			Title: "answers with less than 1 MiB",
			Why:   "kube-apiserver reads every answer into its memory and has no limit for that: large ones cost it memory, once for each of the requests that are on their way, and their users time.",
			Fix:   "Send only the operations that are needed, instead of a patch that replaces the whole object, and few and short warnings and audit annotations.",
		}, Each: collected(answersBriefly)},
	}
}

// collected returns a check that reads the exchanges of Collect.
func collected(
	look func(w *probe.Webhook, r *check.Record),
) func(context.Context, *probe.Webhook, *check.Record) {
	return func(_ context.Context, w *probe.Webhook, r *check.Record) { look(w, r) }
}

// isSuccess reports whether kube-apiserver decodes a response with this status.
func isSuccess(x *probe.Exchange) bool {
	return x.Status >= http.StatusOK && x.Status <= http.StatusPartialContent
}

// readAnswers returns the answers that kube-apiserver decodes. C-STATUS reports
// the others, which often come from error handlers and lack more than the
// status.
func readAnswers(w *probe.Webhook) []*probe.Exchange {
	return slices.DeleteFunc(w.Answered(), func(x *probe.Exchange) bool { return !isSuccess(x) })
}

// Skip messages.
const (
	nothingAnswered = "the webhook answered nothing"
	nothingRead     = "the webhook answered nothing with HTTP 200"
)
