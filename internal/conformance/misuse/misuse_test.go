package misuse

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// findings has the messages of the checks that failed.
type findings map[string][]string

type blameRow struct {
	row
	hook hook
	want findings
}

// TestBlame runs every check on every webhook: a webhook with one fault fails
// one check, and all others pass.
func TestBlame(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []blameRow{
		{row{"good", "a webhook that rejects with a status of 4xx passes"}, hook{}, findings{}},
		{row{"denials", "a webhook of the usual framework rejects with denials, of HTTP 200 and without a uid"},
			hook{method: no, contentType: no, empty: no, garbage: no}, findings{}},

		{row{"method yes", "a redirected review must not be admitted"}, hook{method: yes},
			findings{"C-GET": {"the answer to a GET is a yes"}}},
		{row{"method page", "a page about health admits nothing"}, hook{method: ok}, findings{}},
		{row{"method neither", "nothing is admitted by what does not say yes"}, hook{method: neither}, findings{}},
		{row{"method sick", "a status of 5xx says that the webhook is ill"}, hook{method: sick},
			findings{"C-GET": {"the answer to a GET is HTTP 500 without an AdmissionReview that has a response"}}},
		{row{"type yes", "a webhook that looks at no Content-Type reads what browsers send"}, hook{contentType: yes},
			findings{"C-REQUEST-TYPE": {"the answer to a review as text/plain is a yes"}}},
		{row{"type page", "a page that is no denial does not reject"}, hook{contentType: ok},
			findings{"C-REQUEST-TYPE": {"the answer to a review as text/plain is HTTP 200 without an AdmissionReview that has a response"}}},
		{row{"empty page", "a status of 200 says that all was well"}, hook{empty: ok},
			findings{"C-EMPTY-BODY": {"the answer to an empty body is HTTP 200 without an AdmissionReview that has a response"}}},
		{row{"empty yes", "what has not been read must not be admitted"}, hook{empty: yes},
			findings{"C-EMPTY-BODY": {"the answer to an empty body is a yes"}}},
		{row{"empty sick", "a status of 5xx says that the webhook is ill"}, hook{empty: sick},
			findings{"C-EMPTY-BODY": {"the answer to an empty body is HTTP 500 without an AdmissionReview that has a response"}}},
		{row{"garbage yes", "every kind of garbage is a finding of its own"}, hook{garbage: yes},
			findings{"C-GARBAGE": {
				"the answer to what is no JSON is a yes", "the answer to half a review is a yes", "the answer to a list is a yes",
				"the answer to an empty object is a yes", "the answer to a review without a request is a yes",
			}}},
		{row{"garbage neither", "a response that does not say no is no denial"}, hook{garbage: onlyFor("AdmissionReview", neither)},
			findings{"C-GARBAGE": {"the answer to what is no JSON is an answer that is neither yes nor no"}}},
		{row{"version", "a webhook that does not look at apiVersion says yes to all"}, hook{version: yes},
			findings{"C-UNLISTED-VERSION": {"the answer to a review of admission.k8s.io/v9 is a yes"}}},

		{row{"stumbles over garbage", "it rejects well and is dead: that is about the next review only"},
			hook{before: stumbling(func(r *http.Request) bool { return r.ContentLength == int64(len("AdmissionReview")) })},
			findings{"C-ALIVE": {"there was no answer right after what is no JSON: HTTP 500 without an AdmissionReview that has a response"}}},
		{row{"stumbles over GET", "the last kind of bad input has a good review after it, too"},
			hook{before: stumbling(func(r *http.Request) bool { return r.Method == http.MethodGet })},
			findings{"C-ALIVE": {"there was no answer right after a GET: HTTP 500 without an AdmissionReview that has a response"}}},

		{row{"unknown denied", "a strict decoder makes an error, and the error a denial"}, hook{answer: strict},
			inEvery("with an unknown field in the object, the answer is no longer a yes but a no", 4)},
		{row{"unknown in the review", "there may be none beside request and response today"}, hook{chokes: func(r probe.Review) bool { return r[unknownField] != nil }},
			inEvery("with an unknown field in the review, there is no answer: HTTP 400 without an AdmissionReview that has a response", 4)},
		{row{"unknown in the request", "requests have got fields before, and will again"}, hook{chokes: func(r probe.Review) bool { return requestOf(r)[unknownField] != nil }},
			inEvery("with an unknown field in the request, there is no answer: HTTP 400 without an AdmissionReview that has a response", 4)},
		{row{"unknown removed", "a patch from typed objects forgets what the types do not have"}, hook{answer: forgetting},
			inEvery("with an unknown field in the object, the patch removes it", 3)}, // not in DELETE
		{row{"unknown removed within", "a list that goes through types loses as much"}, hook{answer: patching(forgettingWithin)},
			inEvery("with an unknown field in the object, the patch removes it", 2)}, // in CREATE and UPDATE of a pod
		{row{"unknown moved", "a difference by position makes the first container another one"}, hook{answer: patching(shifting)},
			inEvery("with an unknown field in the object, the patch leaves it with another item", 2)},
		{row{"unknown kept", "the whole list may be replaced, and items moved, as long as they keep what they have"}, hook{answer: patching(putFirst)}, findings{}},
		{row{"unknown gone", "an item that is taken away takes its fields along"}, hook{answer: patching(renaming)}, findings{}},
	}, func(t *testing.T, tc blameRow) {
		got := findings{}
		for id, result := range results(t, meet(t, tc.hook, everything())) {
			for _, f := range result.Findings {
				got[id] = append(got[id], f.Message)
			}
			if result.Verdict == report.Skip {
				t.Errorf("%s was skipped: %s", id, result.Message)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("findings (-want +got):\n%s", diff)
		}
	})
}

type crashRow struct {
	row
	hook     hook
	id, what string
}

// TestCrash is about what two checks are about: it is rejected badly, and the
// connection is gone.
func TestCrash(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []crashRow{
		{row{"empty", "a connection that is cut is no rejection"}, hook{empty: crash}, "C-EMPTY-BODY", "an empty body"},
		{row{"GET", "nor is it a page"}, hook{method: crash}, "C-GET", "a GET"},
	}, func(t *testing.T, tc crashRow) {
		all := results(t, meet(t, tc.hook, everything()))
		got := all[tc.id]
		if got.Verdict != report.Fail || len(got.Findings) != 1 || !strings.HasPrefix(got.Findings[0].Message, "the answer to "+tc.what+" is ") {
			t.Errorf("got %+v", got)
		}
		if all["C-ALIVE"].Verdict != report.Pass {
			t.Errorf("the server is still there, but C-ALIVE says %+v", all["C-ALIVE"])
		}
	})
}

type skipRow struct {
	row
	handler  http.Handler
	requests []*admission.Request
	want     map[string]string
}

func TestSkip(t *testing.T) {
	t.Parallel()
	created := []*admission.Request{probetest.Pod(admissionv1.Create)}
	rejecting := map[string]string{
		"C-UNLISTED-VERSION": "the webhook denies good reviews as well", "C-GARBAGE": "the webhook denies good reviews as well",
		"C-EMPTY-BODY": "the webhook denies good reviews as well", "C-REQUEST-TYPE": "the webhook denies good reviews as well",
		"C-GET": "the webhook denies good reviews as well",
	}
	nothing := map[string]string{"C-UNKNOWN-FIELDS": check.NothingAnswered, "C-ALIVE": check.NothingAnswered}
	for id := range rejecting {
		nothing[id] = check.NothingAnswered
	}
	testtable.Run(t, []skipRow{
		{row{"answers nothing", "what is left of a webhook without answers is for C-ANSWER"}, http.HandlerFunc(sick), created, nothing},
		{row{"denies everything", "a denial from one who always denies says nothing"}, http.HandlerFunc(no), created, rejecting},
		{row{"denies good reviews", "a status of 4xx is a rejection all the same"},
			hook{answer: func(_ probe.Review, response map[string]any) { response["allowed"] = false }}, created, map[string]string{}},
	}, func(t *testing.T, tc skipRow) {
		got := map[string]string{}
		for id, result := range results(t, meet(t, tc.handler, tc.requests)) {
			switch result.Verdict {
			case report.Skip:
				got[id] = result.Message
			case report.Fail:
				t.Errorf("%s failed: %+v", id, result.Findings)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("skipped (-want +got):\n%s", diff)
		}
	})
}

// onlyFor does something about bodies of the same length as this one, and
// rejects others.
func onlyFor(body string, do http.HandlerFunc) http.HandlerFunc {
	return func(out http.ResponseWriter, r *http.Request) {
		if r.ContentLength == int64(len(body)) {
			do(out, r)
			return
		}
		out.WriteHeader(http.StatusBadRequest)
	}
}

// strict denies objects with fields that it does not know.
func strict(review probe.Review, response map[string]any) {
	response["allowed"] = review.Object()[unknownField] == nil && review.OldObject()[unknownField] == nil
}

func requestOf(r probe.Review) map[string]any {
	request, _ := r["request"].(map[string]any)
	return request
}

// inEvery are the findings if it is the same with n operations.
func inEvery(message string, n int) findings {
	return findings{"C-UNKNOWN-FIELDS": slices.Repeat([]string{message}, n)}
}
