package misuse

import (
	"context"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// refusals are the checks of what a webhook has to refuse.
func refusals() []check.Check {
	return []check.Check{
		{
			Check: report.Check{
				ID: "C-UNLISTED-VERSION", Group: report.Protocol, Level: report.Should,
				Title: "refuses reviews of a version that it does not know",
				Why:   "kube-apiserver sends the first of admissionReviewVersions that it knows. If a later version is listed by mistake, or is sent by somebody else, a webhook that does not look at apiVersion reads it as what it is not, and may say yes to what it has not seen. A page without a review admits nothing, but does not say what is wrong.",
				Fix:   "Look at apiVersion before anything else, and answer HTTP 400 to all but the versions in admissionReviewVersions.",
			},
			Each: refuses(unlisted, isNoRefusal),
		},
		{
			Check: report.Check{
				ID: "C-GARBAGE", Group: report.Protocol, Level: report.Should,
				Title: "refuses what is no review",
				Why:   "A yes would be to something that the webhook has not read. A broken connection or a status of 5xx looks like a webhook that is ill, to those who watch it and to balancers that take it out of service, where it is the client that is wrong. A status of 200 without a review admits nothing, but says that all was well: whoever sends this by mistake does not learn of it.",
				Fix:   "Answer HTTP 400, or a denial, if the body cannot be decoded or has no request. Check that request is there before using it.",
			},
			Each: refuses(garbage, isNoRefusal),
		},
		{
			Check: report.Check{
				ID: "C-EMPTY-BODY", Group: report.Protocol, Level: report.Should,
				Title: "refuses an empty body",
				Why:   "Probes and clients that lost the body while being redirected send none. A yes would be to something that the webhook has not read; a broken connection or a status of 5xx looks like a webhook that is ill. A status of 200 without a review admits nothing, but says that all was well: whoever sends this by mistake does not learn of it.",
				Fix:   "Answer HTTP 400, or a denial, if there is no body.",
			},
			Each: refuses(emptyBody, isNoRefusal),
		},
		{
			Check: report.Check{
				ID: "C-REQUEST-TYPE", Group: report.Protocol, Level: report.Should,
				Title: "refuses reviews that are not application/json",
				Why:   "kube-apiserver always sends application/json. A web page can make browsers send text/plain to any server that they reach, without asking that server first: a webhook that reads this as a review can be made to act on what others wrote. A broken connection or a status of 5xx looks like a webhook that is ill, and one of 200 without a review as if all was well.",
				Fix:   "Answer HTTP 415, or a denial, if Content-Type is not application/json.",
			},
			Each: refuses(otherType, isNoRefusal),
		},
		{
			Check: report.Check{
				ID: "C-GET", Group: report.Protocol, Level: report.Should,
				Title: "admits nothing in answer to GET",
				Why:   "kube-apiserver only sends POST. But when something on the way redirects it with 301, 302 or 303 it asks again with GET, without the review: a yes would admit what the webhook has not seen. A page that is no review, for those who want to know whether the webhook is well, does no harm: the call fails. A broken connection or a status of 5xx tells them that it is ill.",
				Fix:   "Answer HTTP 405, or a denial, to all methods but POST. Serve pages about health at a path of their own, if there is a choice.",
			},
			Each: refuses(get, isYesOrIll),
		},
	}
}

// refuses returns a check that a webhook refuses these inputs. A status of 4xx does that;
// isWrong is asked about all other answers.
func refuses(inputs func(*probe.Exchange) []input, isWrong func(*probe.Exchange) bool) func(context.Context, *probe.Webhook, *check.Record) {
	return func(ctx context.Context, w *probe.Webhook, r *check.Record) {
		typical := w.AllowedFirst()
		if len(typical) == 0 {
			r.Lacks(check.Unanswered)
			return
		}
		good := typical[0]
		r.Lacks("the webhook denies good reviews as well")
		for _, in := range inputs(good) {
			bad, _ := in.send(ctx, w, good)
			switch {
			case bad.Status/100 == 4:
				r.Saw()
			case isWrong(bad):
				r.Fail(bad, "the answer to %s is %s", in.what, bad.Outcome())
			case good.Answer.IsAllowed() || !denied(bad):
				r.Saw()
			}
		}
	}
}

// isNoRefusal reports whether an answer is no denial.
func isNoRefusal(x *probe.Exchange) bool { return !denied(x) }

// isYesOrIll reports whether an answer admits something, or is none for which the server is
// to blame. Pages are neither.
func isYesOrIll(x *probe.Exchange) bool {
	if x.Answer != nil {
		return x.Answer.IsAllowed()
	}
	return x.Err != nil || x.Status/100 == 5
}

// denied reports whether an answer says no. The other slips that it may have are for the
// checks of answers.
func denied(x *probe.Exchange) bool {
	return x.Answer != nil && x.Answer.Refuses()
}
