package protocol

import (
	"encoding/json"
	"fmt"
	"maps"
	"mime"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func doesNotPanic(w *probe.Webhook, r *check.Record) {
	for _, x := range w.Exchanges {
		known := x.Cause != probe.Unknown && x.Answer == nil // another check reports the cause
		switch why := x.Breakdown(); {
		case why != "" && !known:
			r.Fail(x, "%s", why)
		case x.Answer != nil:
			r.Checked()
		}
	}
	r.Missing(nothingAnswered)
}

func answersReviews(w *probe.Webhook, r *check.Record) {
	for _, x := range w.Exchanges {
		switch {
		case x.Answer != nil:
			r.Checked()
			if why := unreadable(w, x); why != nil && isSuccess(x) {
				r.Fail(x, "the answer cannot be read: %v", why)
			}
		case x.Breakdown() != "": // C-PANIC reports it
		case x.Cause == probe.Unknown && !x.Truncated:
			r.Fail(x, "%s", missing(x))
		}
	}
	r.Missing(nothingAnswered)
}

// missing describes why there is no answer.
func missing(x *probe.Exchange) string {
	var review map[string]json.RawMessage
	switch {
	case x.Err != nil:
		return fmt.Sprintf("there is no answer: %v", x.Err)
	case len(x.Body) == 0:
		return fmt.Sprintf("the answer is empty, with HTTP %d", x.Status)
	case json.Unmarshal(x.Body, &review) != nil:
		return fmt.Sprintf("the answer is no JSON object, with HTTP %d", x.Status)
	case len(review["response"]) == 0:
		return fmt.Sprintf("the answer has no response in it, with HTTP %d", x.Status)
	default:
		return fmt.Sprintf("the response in the answer is no object, with HTTP %d", x.Status)
	}
}

// unreadable returns why kube-apiserver cannot decode an answer that looks like
// one (S-225).
func unreadable(w *probe.Webhook, x *probe.Exchange) error {
	if x.Err != nil {
		return x.Err
	}
	if _, _, err := mime.ParseMediaType(contentType(x)); err != nil {
		return fmt.Errorf("content type %q: %w", contentType(x), err)
	}
	response := maps.Clone(x.Answer.Response)
	for _, field := range checked(w, x) {
		delete(response, field)
	}
	others, err := json.Marshal(response)
	if err != nil {
		return err
	}
	return utiljson.Unmarshal(others, &admissionv1.AdmissionResponse{})
}

// checked returns the fields of a response that other checks cover.
func checked(w *probe.Webhook, x *probe.Exchange) []string {
	switch {
	case x.Review.Version() == probe.V1:
		return []string{"allowed", "uid", "patch", "patchType"}
	case w.Phase == admission.Mutating:
		return []string{"allowed", "patch"}
	}
	return []string{"allowed"}
}

// contentType returns the Content-Type of the response, by default JSON.
func contentType(x *probe.Exchange) string {
	if written := x.Header.Get("Content-Type"); written != "" {
		return written
	}
	return runtime.ContentTypeJSON
}

func answersWithSuccess(w *probe.Webhook, r *check.Record) {
	for _, x := range w.Answered() {
		r.Checked()
		if !isSuccess(x) {
			r.Fail(x, "the answer comes with HTTP %d", x.Status)
		}
	}
	r.Missing(nothingAnswered)
}

func answersJSON(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		media, _, err := mime.ParseMediaType(contentType(x))
		if err != nil {
			continue // C-ANSWER reports it
		}
		r.Checked()
		switch {
		case x.Header.Get("Content-Type") == "":
			r.Fail(x, "the answer has no content type")
		case media != runtime.ContentTypeJSON:
			r.Fail(x, "the answer has the content type %q", contentType(x))
		}
	}
	r.Missing(nothingRead)
}
