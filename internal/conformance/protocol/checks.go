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
			Why:   "A server that recovers a panic closes the connection, answers HTTP 500, or returns a denial with the status code 500. In the first two cases the call fails, and failurePolicy decides. With Fail, kube-apiserver rejects the request with HTTP 500. With Ignore, it skips the webhook, so a user who knows such an object can bypass the webhook. In the third case, a valid request is denied.",
			Fix:   "Send the request of the finding to the webhook, and read the stack trace in its log. Usual causes are a nil pointer, a nil map, or the first item of an empty list. Return your own errors as denials. If the object is valid, allow the request with a warning.",
		}, Each: collected(doesNotPanic)},
		{Check: report.Check{
			ID: "C-ANSWER", Group: report.Protocol, Level: report.Must,
			Title: "answers every review",
			Why:   "The call fails unless the response is an AdmissionReview that kube-apiserver can decode and that has a response. failurePolicy then decides: kube-apiserver rejects the request with HTTP 500, or skips the webhook.",
			Fix:   "Answer every review with an AdmissionReview in JSON. For requests that do not concern the webhook, set allowed to true. Use the types of k8s.io/api/admission/v1.",
		}, Each: collected(answersReviews)},
		{Check: report.Check{
			ID: "C-STATUS", Group: report.Protocol, Level: report.Must,
			Title: "answers with HTTP 200",
			Why:   "If the HTTP status is not in the range 200 to 206, the call fails, whatever the body says, and failurePolicy decides. If the webhook sends a denial with HTTP 403, the user gets an internal error, or the request is allowed.",
			Fix:   "Send every AdmissionReview with HTTP 200. Put the status code for the user into response.status.code.",
		}, Each: collected(answersWithSuccess)},
		{Check: report.Check{
			ID: "C-CONTENT-TYPE", Group: report.Protocol, Level: report.Should,
			Title: "answers with the content type application/json",
			Why:   "kube-apiserver decodes the body with any content type, if it can parse the header. But proxies and other clients rely on the header, and Go's server guesses text/plain if the handler sets none.",
			Fix:   "Set the header Content-Type: application/json before you write the first byte of the body.",
		}, Each: collected(answersJSON)},
		{Check: report.Check{
			ID: "C-UID", Group: report.Protocol, Level: report.Must,
			Title: "echoes the uid",
			Why:   "In v1, kube-apiserver rejects an answer with another uid: the call fails, and failurePolicy decides.",
			Fix:   "Copy request.uid to response.uid. Keep it in a local variable of the handler, not in a variable that requests share.",
		}, Each: collected(echoesUID)},
		{Check: report.Check{
			ID: "C-API-VERSION", Group: report.Protocol, Level: report.Must,
			Title: "answers in the version of the review",
			Why:   "kube-apiserver decodes an answer to a v1 review as admission.k8s.io/v1, and an answer to a v1beta1 review as v1beta1. If the version or the kind differs, or in v1 is missing, the call fails, and failurePolicy decides.",
			Fix:   "Copy apiVersion and kind from the review to the answer. Do not hard-code a version.",
		}, Each: collected(echoesVersion)},
		{Check: report.Check{
			ID: "C-VERSIONS", Group: report.Protocol, Level: report.Must,
			Title: "answers every version of AdmissionReview that it lists",
			Why:   "kube-apiserver sends the first of admissionReviewVersions that it knows. If the webhook does not answer that version, every call fails. If it does not answer another version of the list, calls fail when the order of the list changes, or with a server that does not know the first version.",
			Fix:   "Decode all versions in admissionReviewVersions, or remove from the list the versions that the webhook does not decode.",
		}, Each: collected(answersVersions)},
		{Check: report.Check{
			ID: "C-ALLOWED", Group: report.Protocol, Level: report.Must,
			Title: "says whether the request is allowed",
			Why:   "If response.allowed is missing or null, kube-apiserver denies the request, whatever failurePolicy says. If it has any other value than true, false and null, the call fails, and failurePolicy decides.",
			Fix:   "Set response.allowed to true or false in every answer. If you define your own type, do not use omitempty.",
		}, Each: collected(saysAllowed)},
		{Check: report.Check{
			ID: "C-DENIAL", Group: report.Protocol, Level: report.Should,
			Title: "explains a denial, with a status code of an error",
			Why:   "Without a message, the user sees the reason if there is one, and otherwise only that the webhook denied the request “without explanation”. kube-apiserver replaces a code below 400 by 400, Bad Request, which clients read as a malformed request.",
			Fix:   "Set response.status.code to 403 for a forbidden request, or to 422 for an invalid object. Explain in response.status.message what is wrong and how to correct it.",
		}, Each: collected(explainsDenials)},
	}
}

// patches are the checks of patches and patched objects.
func patches() []check.Check {
	return []check.Check{
		{Check: report.Check{
			ID: "C-VALIDATING-PATCH", Group: report.Protocol, Level: report.Must,
			Title: "sends no patch as a validating webhook",
			Why:   "If a validating webhook answers a v1 review with a patch or a patchType, the call fails, and failurePolicy decides. The check ignores answers to v1beta1 reviews, because kube-apiserver ignores both fields there.",
			Fix:   "Remove response.patch and response.patchType, or register the webhook as a mutating webhook.",
		}, Phase: admission.Validating, Each: collected(leavesOutPatches)},
		{Check: report.Check{
			ID: "C-PATCH-TYPE", Group: report.Protocol, Level: report.Must,
			Title: "sends patch and patchType together, and JSONPatch as the type",
			Why:   "In v1, the call fails if the response has a patch without a patchType, a patchType without a patch, or another type than JSONPatch. failurePolicy then decides.",
			Fix:   "If there is a patch, set response.patchType to JSONPatch. Otherwise leave out both fields.",
		}, Phase: admission.Mutating, Each: collected(typesPatches)},
		{Check: report.Check{
			ID: "C-PATCH-DECODES", Group: report.Protocol, Level: report.Must,
			Title: "sends a JSON patch, in base64",
			Why:   "If the patch is not base64, or does not decode to a list of operations, the call fails, and failurePolicy decides.",
			Fix:   "Create an array of RFC 6902 operations (not a merge patch, not the object) and encode it in base64. In Go, assign the JSON bytes to AdmissionResponse.Patch; encoding/json encodes them.",
		}, Phase: admission.Mutating, Each: collected(encodesPatches)},
		{Check: report.Check{
			ID: "C-PATCH-APPLIES", Group: report.Protocol, Level: report.Must,
			Title: "sends patches that apply to the object of the review",
			Why:   "If the patch does not apply to the object, kube-apiserver rejects the request with HTTP 500, whatever failurePolicy says.",
			Fix:   "Compute the patch from request.object. Add a missing map or list before you add to it, remove only what exists, and write “/” in a key as “~1”.",
		}, Phase: admission.Mutating, Each: collected(appliesPatches)},
		{Check: report.Check{
			ID: "C-PATCHED-KIND", Group: report.Protocol, Level: report.Must,
			Title: "keeps the kind of the object, and its schema",
			Why:   "If the patch changes the kind of the object, or gives a field of a built-in kind a wrong type, kube-apiserver rejects the request with HTTP 500, whatever failurePolicy says. If the patched custom resource does not match its schema, kube-apiserver rejects it with HTTP 422, as if the user had written the error. It drops unknown fields silently.",
			Fix:   "Set only fields that the kind has in the version of the review, with the names and types of the API reference. For built-in kinds, use the Go types of k8s.io/api. For custom resources, follow the schema of the CustomResourceDefinition.",
		}, Phase: admission.Mutating, Each: collected(keepsKinds)},
		{Check: report.Check{
			ID: "C-PATCH-ON-DELETE", Group: report.Protocol, Level: report.Must,
			Title: "sends no patch for a DELETE",
			Why:   "A deletion has no object to patch. If there is a patch, kube-apiserver rejects the DELETE with HTTP 500, whatever failurePolicy says.",
			Fix:   "Answer a DELETE without a patch, or remove DELETE from the rules of the webhook.",
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
			Why:   "In a DELETE, oldObject has the object, and object is null. If the webhook does not answer such a review, failurePolicy decides: kube-apiserver rejects all deletions, including those of the garbage collector and of a terminating namespace, or it skips the webhook.",
			Fix:   "If request.operation is DELETE, read request.oldObject. Decode request.object only if it is not null.",
		}, Each: collected(tolerates(admissionv1.Delete, probe.NullObject, "the answer is missing because object is null: there is one if it is not"))},
		{Check: report.Check{
			ID: "C-NULL-OLD-OBJECT", Group: report.Protocol, Level: report.Must,
			Title: "answers a CREATE, whose oldObject is null",
			Why:   "In a CREATE, oldObject is null. If the webhook does not answer such a review, failurePolicy decides: kube-apiserver rejects all new objects, or it skips the webhook.",
			Fix:   "Decode request.oldObject only if request.operation is UPDATE or DELETE.",
		}, Each: collected(tolerates(admissionv1.Create, probe.NullOldObject, "the answer is missing because oldObject is null: there is one if it is not"))},
		{Check: report.Check{
			ID: "C-NULL-OPTIONS", Group: report.Protocol, Level: report.Must,
			Title: "answers a CONNECT, whose options are null",
			Why:   "A CONNECT, for example to pods/exec, has no operation options: options is null. If the webhook does not answer such a review, failurePolicy decides: kube-apiserver rejects all of these requests, or it skips the webhook.",
			Fix:   "Decode request.options only if they are not null. The command of an exec is in request.object, a PodExecOptions.",
		}, Each: collected(tolerates(admissionv1.Connect, probe.NullOptions, "the answer is missing because options is null: there is one if it is not"))},
		{Check: report.Check{
			ID: "C-WARNINGS", Group: report.Protocol, Level: report.Should,
			Title: "keeps warnings short",
			Why:   "If the warnings of all webhooks for a request exceed 4096 characters in total, kube-apiserver truncates each warning to 256 characters, and drops the warnings that still exceed the limit.",
			Fix:   "Write warnings of at most 256 characters, better 120, without a prefix such as “Warning:”. Send few of them.",
		}, Each: collected(keepsWarningsShort)},
		{Check: report.Check{
			ID: "C-WARNINGS-PRINTABLE", Group: report.Protocol, Level: report.Should,
			Title: "sends no control characters in warnings",
			Why:   "kube-apiserver sends warnings in HTTP headers. It silently drops a warning with a control character, such as a newline.",
			Fix:   "Write each warning on one line. If you quote the object, replace its control characters.",
		}, Each: collected(keepsWarningsPrintable)},
		{Check: report.Check{
			ID: "C-AUDIT-KEYS", Group: report.Protocol, Level: report.Should,
			Title: "sends valid keys of audit annotations",
			Why:   "In the audit event, kube-apiserver builds the key from the webhook's name, a slash, and the key in the response. If the result is not a qualified name, it drops the annotation and only logs an error.",
			Fix:   "Use keys of at most 63 letters, digits, “-”, “_” and “.” that begin and end with a letter or digit. Do not put “/” into a key: kube-apiserver adds the name of the webhook.",
		}, Each: collected(namesAnnotations)},
		{Check: report.Check{
			ID: "C-RESPONSE-SIZE", Group: report.Protocol, Level: report.Should,
			Title: "answers with less than 1 MiB",
			Why:   "kube-apiserver reads each response into memory, without a limit. Large responses cost memory for every request in flight, and delay the users.",
			Fix:   "Send only the necessary operations, not a patch that replaces the whole object. Send few and short warnings and audit annotations.",
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
