package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// recordedAnswer is session.Options.Stub.
func recordedAnswer(
	ctx context.Context, w *admission.Webhook, routed bool,
) (*dispatcher.Endpoint, error) {
	v := visitOf(ctx)
	if routed || v == nil {
		return nil, nil
	}
	address, err := addresses.Endpoint(ctx, w)
	if err != nil {
		return nil, err
	}
	k := callKey{w, v.answered.next(w)}
	a := findAnswer(v.entry.Answers, w, address.URL.String(), k.round)
	return &dispatcher.Endpoint{
		URL: address.URL, HTTP: &http.Client{Transport: &replayer{v, k, a}},
	}, nil
}

// addresses returns the endpoints of webhooks for their URLs.
var addresses = client.InProcess(
	func(*admission.Webhook) http.Handler { return http.NotFoundHandler() })

// findAnswer returns the answer of a webhook in a round; nil if none is recorded.
// An answer without a configuration, as audit logs have it, is that of the name. A
// webhook that was renamed has the answer of the one at its address, if there was
// one only.
func findAnswer(
	answers []corpus.Answer, w *admission.Webhook, address string, round int,
) (found *corpus.Answer) {
	phase := w.Phase.String()
	for i := range answers {
		a := &answers[i]
		if a.Phase == phase && a.Round == round && a.Webhook == w.Name &&
			(a.Configuration == w.Configuration || a.Configuration == "") {
			return usable(a)
		}
	}
	for i := range answers {
		a := &answers[i]
		if a.Phase != phase || a.Round != round || a.URL == "" || a.URL != address {
			continue
		}
		if found != nil {
			return nil
		}
		found = a
	}
	return usable(found)
}

// usable returns an answer unless the webhook did not receive the request, as when
// it does not support dry runs.
func usable(a *corpus.Answer) *corpus.Answer {
	if a == nil || a.Response == nil && a.Outcome == admission.Internal.String() {
		return nil
	}
	return a
}

// notRecordedError says that there is no answer of a webhook. It wraps a
// resolve.NotReachedError, so that the call counts as not reached.
type notRecordedError struct{ address string }

// Error names the reason.
func (*notRecordedError) Error() string { return "no answer of the webhook is recorded" }

// Unwrap returns the error of a call that may not be made.
func (e *notRecordedError) Unwrap() error { return &resolve.NotReachedError{Address: e.address} }

// replayer answers a call as recorded. It implements http.RoundTripper.
type replayer struct {
	visit  *visit
	call   callKey
	answer *corpus.Answer // nil if there is none
}

// RoundTrip returns the recorded response, or the error of the recorded call.
func (r *replayer) RoundTrip(q *http.Request) (*http.Response, error) {
	defer q.Body.Close()
	if r.answer == nil {
		address, _, _ := webhookconfig.Address(r.call.webhook) // the URL was made of it
		return nil, &notRecordedError{address}
	}
	review, err := io.ReadAll(q.Body)
	if err != nil {
		return nil, err
	}
	of, err := headOf(review)
	if err != nil {
		return nil, err
	}
	asked, err := r.visit.answered.asked(review, of.uid)
	if err != nil {
		return nil, err
	}
	if asked != r.answer.Asked {
		r.visit.answered.assume(r.call)
	}
	if r.answer.Response == nil {
		return nil, errors.New(reasonOf(r.answer))
	}
	body, err := of.respond(r.answer.Response)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Request: q,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

// head is what a response repeats of a review.
type head struct{ apiVersion, uid string }

// headOf reads a review that the engine has made, which begins with them.
func headOf(review []byte) (h head, err error) {
	const version, uid = `"apiVersion":"`, `"uid":"`
	for _, field := range []struct {
		name  string
		value *string
	}{{version, &h.apiVersion}, {uid, &h.uid}} {
		_, rest, _ := bytes.Cut(review, []byte(field.name))
		value, _, ok := bytes.Cut(rest, []byte(`"`))
		if !ok {
			return h, fmt.Errorf("reading the review: %s is missing", field.name)
		}
		*field.value = string(value)
	}
	return h, nil
}

// respond returns a review with a recorded response.
func (h head) respond(response json.RawMessage) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(response, &fields); err != nil {
		return nil, fmt.Errorf("reading the recorded response: %w", err)
	}
	if fields == nil {
		return nil, errors.New("the recorded response is null")
	}
	uid, err := json.Marshal(h.uid)
	if err != nil {
		return nil, err
	}
	fields["uid"] = uid
	return json.Marshal(struct {
		metav1.TypeMeta
		Response map[string]json.RawMessage `json:"response"`
	}{metav1.TypeMeta{Kind: "AdmissionReview", APIVersion: h.apiVersion}, fields})
}

// reasonOf returns the error of a recorded call without the texts that the engine
// adds again.
func reasonOf(a *corpus.Answer) string {
	text := strings.TrimPrefix(a.Error, fmt.Sprintf("failed calling webhook %q: ", a.Webhook))
	text = strings.TrimPrefix(text, "failed to call webhook: ")
	if _, reason, ok := strings.Cut(text, `": `); ok && strings.HasPrefix(text, `Post "`) {
		text = reason
	}
	if text == "" {
		return "the call failed when it was recorded"
	}
	return text
}
