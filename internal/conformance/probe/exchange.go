package probe

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
)

const (
	// maxResponse is the number of bytes read of a response, which is the
	// dispatcher's default too (limits.Limits.ResponseBody).
	maxResponse = 8 << 20
	// maxKept is the number of bytes kept of a response that exceeds
	// maxResponse.
	maxKept = 64 << 10
)

// Exchange is one HTTP request to a webhook, with its response.
type Exchange struct {
	// Sample is the name of the sample; empty if there is none.
	Sample string
	// Review is the review in the request; nil if the body is not a review.
	Review Review
	// Cause is the reason for a missing Answer. Only Collect determines it.
	Cause Cause

	// Method, URL, Sent and SentType are those of the request; SentType is its
	// Content-Type, "-" if it had none.
	Method   string
	URL      string
	Sent     []byte
	SentType string

	// Status, Header and Body are those of the response. Status is 0 if there
	// was none.
	Status int
	Header http.Header
	Body   []byte
	// Err is the reason for a missing or incomplete response.
	Err error
	// Elapsed is the time from request to response.
	Elapsed time.Duration
	// Answer is the decoded body; nil if the body is not an AdmissionReview
	// with a response.
	Answer *Answer

	// Truncated is true if the body exceeded the limit. Answer is then nil.
	Truncated bool

	// patched caches the result of Patched.
	patched *patched
}

// RawRequest is a request that differs from those of kube-apiserver. Zero
// fields have the values that kube-apiserver sends.
type RawRequest struct {
	// Sample is copied to the Exchange.
	Sample string
	// Review is the body. If it is nil, Body is sent.
	Review Review
	Body   []byte
	// Method defaults to POST, ContentType to application/json. The ContentType
	// "-" sends none.
	Method, ContentType string
	// Timeout is sent in the query; the default is the configured one.
	Timeout time.Duration
	// Wait limits the time to wait for a response; the default is Timeout plus
	// a second. With Wait set, a missing response does not count against the
	// health of the webhook.
	Wait time.Duration
	// Client sends the request; the default is that of Webhook.Endpoint.
	Client *http.Client
	// Gate holds the request back, if it is not nil. Elapsed begins when the
	// gate opens.
	Gate *Gate
}

// jsonType is the Content-Type of reviews.
const jsonType = "application/json"

// roundTripGrace allows for the network on top of the webhook's timeout.
const roundTripGrace = time.Second

// Send sends a review.
func (w *Webhook) Send(ctx context.Context, sample string, r Review) *Exchange {
	return w.Do(ctx, RawRequest{Sample: sample, Review: r})
}

// Do sends a request. It returns on a response, on a timeout, or when ctx ends.
func (w *Webhook) Do(ctx context.Context, a RawRequest) *Exchange {
	x := &Exchange{Sample: a.Sample, Review: a.Review, Method: a.Method, Sent: a.Body,
		SentType: cmp.Or(a.ContentType, jsonType)}
	if x.Method == "" {
		x.Method = http.MethodPost
	}
	if a.Review != nil {
		x.Sent = a.Review.Bytes()
	}
	if w.Unreachable != nil {
		x.Err = w.Unreachable
		return x
	}
	a.Timeout = cmp.Or(a.Timeout, w.Timeout())
	late := &timeoutError{cmp.Or(a.Wait, a.Timeout)}
	limited, cancel := context.WithTimeoutCause(ctx, cmp.Or(a.Wait, a.Timeout+roundTripGrace), late)
	defer cancel()
	began := time.Now()
	x.Err = w.exchange(limited, a, x)
	if a.Gate != nil {
		<-a.Gate.open
		began = a.Gate.opened
	}
	x.Elapsed = time.Since(began)
	if x.Err != nil && limited.Err() != nil {
		x.Err = context.Cause(limited)
	}
	x.Answer = parse(x.Body)
	if a.Wait == 0 && ctx.Err() == nil {
		w.record(x)
	}
	return x
}

func (w *Webhook) exchange(ctx context.Context, a RawRequest, x *Exchange) error {
	endpoint, err := w.collection.InsecureClient.Endpoint(ctx, w.Webhook)
	if err != nil {
		return err
	}
	address := endpoint.URL
	address.RawQuery = "timeout=" + a.Timeout.String()
	x.URL = address.String()
	request, err := http.NewRequestWithContext(ctx, x.Method, x.URL, bytes.NewReader(x.Sent))
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json, */*")
	if a.Gate != nil {
		a.Gate.hold(request, x.Sent)
	}
	if x.SentType != "-" {
		request.Header.Set("Content-Type", x.SentType)
	}
	if a.Client == nil {
		a.Client = endpoint.HTTP
	}
	response, err := a.Client.Do(request)
	if err != nil {
		return WithoutURL(err)
	}
	defer func() { _ = response.Body.Close() }() // everything was read
	x.Status, x.Header = response.StatusCode, response.Header
	x.Body, err = io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	if x.Truncated = len(x.Body) > maxResponse; x.Truncated {
		x.Body = bytes.Clone(x.Body[:maxKept])
	}
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	return nil
}

// ReviewCopy returns a copy of the review that was sent, for the caller to
// change.
func (x *Exchange) ReviewCopy() Review { return runtime.DeepCopyJSON(x.Review) }

// Outcome describes the response in a few words.
func (x *Exchange) Outcome() string {
	switch {
	case x.Err != nil:
		return x.Err.Error()
	case x.Answer == nil:
		return fmt.Sprintf("HTTP %d without an AdmissionReview that has a response", x.Status)
	case x.Answer.Allowed == nil:
		return "an answer that is neither yes nor no"
	case *x.Answer.Allowed:
		return "a yes"
	}
	return "a no"
}

// WithoutURL unwraps a *url.Error. The Exchange has the method and the URL
// already.
func WithoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// IsDialError reports whether no connection could be made.
func IsDialError(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && operation.Op == "dial"
}
