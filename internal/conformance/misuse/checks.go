package misuse

import (
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/report"
)

// Checks returns the checks, in their order.
func Checks() []check.Check {
	return []check.Check{
		{Check: report.Check{
			ID: "C-UNKNOWN-FIELDS", Group: report.Protocol, Level: report.Must,
			Title: "tolerates unknown fields",
			Why:   "Newer API servers add fields to reviews and objects. If the webhook rejects unknown fields, calls fail or objects are denied as soon as the cluster is upgraded. If the webhook computes its patch from its own types, the patch removes the unknown fields from the object. If the patch also shifts the items of a list, it moves these fields to the wrong item.",
			Fix:   "Decode without DisallowUnknownFields and without strict decoders. Write patches for your own changes, or compute the patch from the decoded object and your changed copy, not from the JSON of the review. Append new items to lists: a patch by position turns one item into another, and leaves its unknown fields in the old position.",
		}, Each: toleratesUnknown},
		{Check: report.Check{
			ID: "C-UNLISTED-VERSION", Group: report.Protocol, Level: report.Should,
			Title: "rejects reviews of an unknown version",
			Why:   "kube-apiserver sends the first of admissionReviewVersions that it knows. If the list wrongly has a later version, or another client sends one, a webhook that ignores apiVersion misreads the review and may allow a request that it did not check. A response that is not a review allows nothing, but hides the error.",
			Fix:   "Check apiVersion first. Answer HTTP 400 to all versions that are not in admissionReviewVersions.",
		}, Each: rejects("C-UNLISTED-VERSION", isNotDenial)},
		{Check: report.Check{
			ID: "C-GARBAGE", Group: report.Protocol, Level: report.Should,
			Title: "rejects a body that is not a review",
			Why:   "If the webhook allows the request, it allows something that it has not read. If it breaks the connection or answers 5xx, monitoring and load balancers treat the webhook as unhealthy, although the client is at fault. If it answers 200 without a review, it allows nothing but reports success, and a client that sends such a body by mistake does not notice.",
			Fix:   "If the body cannot be decoded or has no request, answer HTTP 400 or a denial. Check that request is not null before you use it.",
		}, Each: rejects("C-GARBAGE", isNotDenial)},
		{Check: report.Check{
			ID: "C-EMPTY-BODY", Group: report.Protocol, Level: report.Should,
			Title: "rejects an empty body",
			Why:   "Probes, and clients that lost the body in a redirect, send an empty body. If the webhook allows the request, it allows something that it has not read. If it breaks the connection or answers 5xx, it looks unhealthy. If it answers 200 without a review, it allows nothing but reports success, and the client does not notice its mistake.",
			Fix:   "If there is no body, answer HTTP 400 or a denial.",
		}, Each: rejects("C-EMPTY-BODY", isNotDenial)},
		{Check: report.Check{
			ID: "C-REQUEST-TYPE", Group: report.Protocol, Level: report.Should,
			Title: "rejects reviews that are not application/json",
			Why:   "kube-apiserver always sends application/json. A web page can make a browser send text/plain to any server that the browser reaches, without a preflight request: if the webhook reads this as a review, other sites can control its input. If it breaks the connection or answers 5xx, it looks unhealthy. If it answers 200 without a review, it reports success.",
			Fix:   "If Content-Type is not application/json, answer HTTP 415 or a denial.",
		}, Each: rejects("C-REQUEST-TYPE", isNotDenial)},
		{Check: report.Check{
			ID: "C-GET", Group: report.Protocol, Level: report.Should,
			Title: "allows nothing in response to GET",
			Why:   "kube-apiserver sends only POST. But if a proxy redirects the call with 301, 302 or 303, kube-apiserver repeats it as a GET without the review. If the webhook then allows the request, it allows something that it has not seen. A health page does no harm, because it is not a review: the call fails. If the webhook breaks the connection or answers 5xx, it looks unhealthy.",
			Fix:   "Answer HTTP 405 or a denial to all methods except POST. If possible, serve health checks on a separate path.",
		}, Each: rejects("C-GET", admitsOrFails)},
		{Check: report.Check{
			ID: "C-ALIVE", Group: report.Protocol, Level: report.Must,
			Title: "still answers after malformed requests",
			Why:   "Any client that reaches the port could stop the webhook. After that, with failurePolicy Fail, kube-apiserver rejects all matching requests; with Ignore, it allows them unchecked.",
			Fix:   "Never end the process because of a request: do not call log.Fatal or os.Exit in a handler, and recover panics. Release locks and slots on every return path (defer).",
		}, Each: check.WithReview(survivesBadInput)},
	}
}
