package dispatcher_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing/iotest"

	"golang.org/x/net/http2"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

const statusBody = `{"kind":"Status","apiVersion":"v1","status":"Failure","code":418,"reason":"Teapot","message":"I am a teapot"}`

// unreachableRows are webhooks that no review came back from.
func unreachableRows() []outcomeRow {
	return []outcomeRow{{
		row:    row{"connection refused", "S-240: every network error is a 503"},
		answer: fails(errors.New("connection refused")),
	}, {
		row:    row{"connection with a status error", "S-240: a status that is wrapped does not give its code to the metrics"},
		answer: fails(apierrors.NewUnauthorized("who are you")),
	}, {
		row: row{"no endpoint", "S-242: a client that cannot be made is a 500"},
		client: clientFunc(func(context.Context, *admission.Webhook) (*dispatcher.Endpoint, error) {
			return nil, errors.New("no such service")
		}),
	}, {
		row:     row{"no common version", "S-210, S-243: nothing is sent"},
		webhook: func(w *admission.Webhook) { w.AdmissionReviewVersions = []string{"v2"} },
	}, {
		row:    row{"http 500", "S-241, S-286: the code is the server's, the text its body"},
		answer: says(500, "text/plain", "out of order"),
	}, {
		row:    row{"http 404", "S-286: some codes have texts of their own"},
		answer: says(404, "text/plain", "what?"),
	}, {
		row:    row{"http 503 with a Status", "S-286: also for codes that have a text of their own"},
		answer: says(503, "application/json", statusBody),
	}, {
		row:    row{"http 418 with a Status", "S-286: a Status in the body replaces the generic error"},
		answer: says(418, "application/json", statusBody),
	}, {
		row:    row{"http 206", "S-286: everything up to 206 is success"},
		answer: withCode(206, allow()),
	}, {
		row:    row{"http 207", "S-286: everything above is not"},
		answer: withCode(207, allow()),
	}, {
		row:    row{"http 101", "there is no body to wait for; kube-apiserver waits, and then reports an empty answer as 503"},
		answer: switchesProtocols,
	}}
}

func withCode(code int, e exchange) exchange {
	return func(r *http.Request) (*http.Response, error) {
		answer, err := e(r)
		if err == nil {
			answer.StatusCode = code
		}
		return answer, err
	}
}

// switchesProtocols answers with a body that would keep a reader for ever.
func switchesProtocols(*http.Request) (*http.Response, error) {
	r := response(http.StatusSwitchingProtocols, "", "")
	r.Body = endless{}
	return r, nil
}

type endless struct{}

func (endless) Read([]byte) (int, error) { select {} }
func (endless) Close() error             { return nil }

// breaksOff answers with a body that cannot be read.
func breaksOff(err error) exchange {
	return func(*http.Request) (*http.Response, error) {
		answer := response(http.StatusOK, "application/json", "")
		answer.Body = io.NopCloser(iotest.ErrReader(err))
		return answer, nil
	}
}

// invalidRows are answers that are no valid reviews.
//
// An answer that can be decoded but is no valid review is one class (S-244).
func invalidRows() []outcomeRow {
	const kind = `"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"`
	return []outcomeRow{{
		row:    row{"body that is empty", "S-225: an empty body is no answer, whatever the code"},
		answer: says(200, "application/json", ""),
	}, {
		row:    row{"body that breaks off", "the connection may close in the middle of an answer"},
		answer: breaksOff(io.ErrUnexpectedEOF),
	}, {
		row:    row{"body whose stream ends", "HTTP/2 has a way of its own to break off, and a text of its own"},
		answer: breaksOff(http2.StreamError{StreamID: 1, Code: http2.ErrCodeInternal}),
	}, {
		row:    row{"body that is no JSON", "S-225: the text is the decoder's"},
		answer: says(200, "application/json", "{"),
	}, {
		row:    row{"body that is too long to be true", "S-226: within the limit, length is no reason to refuse an answer"},
		answer: reply(`"allowed":true,"auditAnnotations":{"a":"1"},"other":"` + strings.Repeat("x", 1<<20) + `"`),
	}, {
		row:    row{"content type that is none", "S-225: this one is a status, so that metrics show 500"},
		answer: says(200, "a/b; c", "{}"),
	}, {
		row:    row{"review without response", "S-220: a review that is only a question"},
		answer: says(200, "application/json", `{`+kind+`}`),
	}, {
		row:    row{"review in capitals", "S-224: names of members are case-sensitive"},
		answer: says(200, "application/json", `{`+kind+`,"Response":{"uid":"UID","allowed":true}}`),
	}, {
		row:    row{"review of another uid", "S-220: an answer has to be the answer to what was asked"},
		answer: says(200, "application/json", `{`+kind+`,"response":{"uid":"other","allowed":true}}`),
	}, {
		row:    row{"review without kind", "S-223: it is decoded and then refused"},
		answer: says(200, "application/json", `{"response":{"uid":"UID","allowed":true}}`),
	}, {
		row:    row{"review of the other version", "S-223: it cannot be decoded"},
		answer: says(200, "application/json", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","response":{"uid":"UID","allowed":true}}`),
	}, {
		row:    row{"review that is a Status", "S-223: a Status is an answer only to a failure"},
		answer: says(200, "application/json", statusBody),
	}, {
		row:    row{"review with patch but no type", "S-220: checked also if the webhook denies"},
		answer: reply(`"allowed":false,"patch":"W10="`),
	}, {
		row:    row{"review with type but no patch", "S-220: they come together or not at all"},
		answer: reply(`"allowed":true,"patchType":"JSONPatch"`),
	}, {
		row:    row{"review with empty type", "S-220: an empty type is not the same as none"},
		answer: reply(`"allowed":true,"patchType":"","patch":"W10="`),
	}}
}

// dryRunRows are requests that must not have side effects.
//
// Undeclared side effects are one class of failure (S-247), declared ones
// another (S-249).
func dryRunRows() []outcomeRow {
	with := func(c *registrationv1.SideEffectClass) func(*admission.Webhook) {
		return func(w *admission.Webhook) { w.SideEffects = c }
	}
	return []outcomeRow{{
		row:     row{"dry run with side effects undeclared", "S-200: a failed call, which the policy may forgive"},
		webhook: with(nil), request: request{dryRun: true},
	}, {
		row:     row{"dry run with side effects Some", "S-201: refused, whatever the policy, and nothing is sent"},
		webhook: with(new(registrationv1.SideEffectClassSome)), request: request{dryRun: true},
	}, {
		row:     row{"dry run with side effects Unknown", "S-201: as Some"},
		webhook: with(new(registrationv1.SideEffectClassUnknown)), request: request{dryRun: true},
	}, {
		row:     row{"dry run with side effects None", "S-201: the call is made"},
		webhook: with(new(registrationv1.SideEffectClassNone)), request: request{dryRun: true}, answer: allow(),
	}, {
		row:     row{"dry run with side effects NoneOnDryRun", "S-201: the call is made"},
		webhook: with(new(registrationv1.SideEffectClassNoneOnDryRun)), request: request{dryRun: true}, answer: allow(),
	}, {
		row:     row{"real run with side effects undeclared", "S-200: what is not declared matters only for dry runs"},
		webhook: with(nil), answer: allow(),
	}}
}

// goneRows are requests that are over before the webhook has answered.
func goneRows() []outcomeRow {
	return []outcomeRow{{
		row:    row{"caller goes away", "N2, S-255, S-256: a request in the metrics, nothing else, and 504 in any case"},
		leaves: true,
	}, {
		row:    row{"deadline passes", "N3, S-263: a failed call, and 504 in any case"},
		lapses: true,
	}, {
		row:    row{"caller goes away, exactly", "S-255, S-256: the policy decides; Ignore leads to 504 when mutating (S-182)"},
		leaves: true,
		exact:  true,
	}, {
		row:    row{"deadline passes, exactly", "S-182, S-263: the policy decides; Ignore leads to 504 when mutating"},
		lapses: true,
		exact:  true,
	}}
}

// panicRows are panics in what reaches the webhook.
func panicRows() []outcomeRow {
	return []outcomeRow{{
		row:    row{"panic in the transport", "S-193: validating, a panic is no request in the metrics; mutating, it is a failed call"},
		answer: panics,
	}, {
		row:    row{"panic in the client", "S-193: as in the transport"},
		client: clientFunc(func(context.Context, *admission.Webhook) (*dispatcher.Endpoint, error) { panic("boom") }),
	}}
}
