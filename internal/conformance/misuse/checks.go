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
			Title: "tolerates fields that it does not know",
			Why:   "Newer servers have new fields, in reviews and in objects. A webhook that takes offence at them fails calls, or denies objects, from the day on which the cluster is upgraded. One that makes its patch from what its own types can hold removes them from the objects or, where it shifts the items of a list, leaves them with the wrong item.",
			Fix:   "Decode without DisallowUnknownFields and without strict decoders. Write patches for what you change, or for the difference between the object as you decoded it and what you made of it: not for the difference to the JSON that was sent. Add items at the end of lists: a difference that goes by position makes one item into another, and what it does not know of stays where it was.",
		}, Each: toleratesUnknown},
		{Check: report.Check{
			ID: "C-UNLISTED-VERSION", Group: report.Protocol, Level: report.Should,
			Title: "refuses reviews of a version that it does not know",
			Why:   "kube-apiserver sends the first of admissionReviewVersions that it knows. If a later version is listed by mistake, or another client sends one, a webhook that does not look at apiVersion reads it as what it is not, and may say yes to what it has not seen. A page without a review admits nothing, but does not report the error.",
			Fix:   "Look at apiVersion before anything else, and answer HTTP 400 to all but the versions in admissionReviewVersions.",
		}, Each: refuses("C-UNLISTED-VERSION", isNoRefusal)},
		{Check: report.Check{
			ID: "C-GARBAGE", Group: report.Protocol, Level: report.Should,
			Title: "refuses what is no review",
			Why:   "A yes would be to something that the webhook has not read. A broken connection or a status of 5xx looks like a webhook that is ill, to those who watch it and to balancers that take it out of service, where it is the client that is wrong. A status of 200 without a review admits nothing, but reports success: a client that sends this by mistake does not notice.",
			Fix:   "Answer HTTP 400, or a denial, if the body cannot be decoded or has no request. Check that request is there before using it.",
		}, Each: refuses("C-GARBAGE", isNoRefusal)},
		{Check: report.Check{
			ID: "C-EMPTY-BODY", Group: report.Protocol, Level: report.Should,
			Title: "refuses an empty body",
			Why:   "Probes and clients that lost the body while being redirected send none. A yes would be to something that the webhook has not read; a broken connection or a status of 5xx looks like a webhook that is ill. A status of 200 without a review admits nothing, but reports success: a client that sends this by mistake does not notice.",
			Fix:   "Answer HTTP 400, or a denial, if there is no body.",
		}, Each: refuses("C-EMPTY-BODY", isNoRefusal)},
		{Check: report.Check{
			ID: "C-REQUEST-TYPE", Group: report.Protocol, Level: report.Should,
			Title: "refuses reviews that are not application/json",
			Why:   "kube-apiserver always sends application/json. A web page can make browsers send text/plain to any server that they reach, without asking that server first: a webhook that reads this as a review can be made to act on input of others. A broken connection or a status of 5xx looks like a webhook that is ill, and one of 200 without a review as if all was well.",
			Fix:   "Answer HTTP 415, or a denial, if Content-Type is not application/json.",
		}, Each: refuses("C-REQUEST-TYPE", isNoRefusal)},
		{Check: report.Check{
			ID: "C-GET", Group: report.Protocol, Level: report.Should,
			Title: "admits nothing in answer to GET",
			Why:   "kube-apiserver only sends POST. But when something on the way redirects it with 301, 302 or 303 it asks again with GET, without the review: a yes would admit what the webhook has not seen. A page that is no review, for those who want to know whether the webhook is well, does no harm: the call fails. A broken connection or a status of 5xx tells them that it is ill.",
			Fix:   "Answer HTTP 405, or a denial, to all methods but POST. Serve pages about health at a path of their own, if there is a choice.",
		}, Each: refuses("C-GET", admitsOrFails)},
		{Check: report.Check{
			ID: "C-ALIVE", Group: report.Protocol, Level: report.Must,
			Title: "still answers after bad input",
			Why:   "A client that reaches the port could stop the webhook: with failurePolicy Fail all requests that match it are rejected then, and with Ignore none is checked.",
			Fix:   "Never end the process because of a request: no log.Fatal, os.Exit or panic that is not recovered in a handler. Give locks and slots back on every way out (defer).",
		}, Each: check.WithReview(survivesBadInput)},
	}
}
