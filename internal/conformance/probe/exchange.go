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
	// enough is how much of an answer is read. The engine reads no more by default
	// (limits.Limits.ResponseBody).
	enough = 8 << 20
	// kept is how much is kept of an answer that is longer.
	kept = 64 << 10
)

// Exchange is one request to a webhook, and what came back.
type Exchange struct {
	// Sample names what it is about; empty if it is not about a sample.
	Sample string
	// Review is what was sent; nil if that was no review.
	Review Review
	// Cause is why there is no Answer. It is known of the exchanges of Meet.
	Cause Cause

	// Method, URL, Sent and SentType are those of the request; SentType is its
	// Content-Type, "-" if it had none.
	Method   string
	URL      string
	Sent     []byte
	SentType string

	// Status, Header and Body are those of the answer. The status is 0 if there is none.
	Status int
	Header http.Header
	Body   []byte
	// Err says why there is no answer, or not the whole of it.
	Err error
	// Elapsed is how long it took.
	Elapsed time.Duration
	// Answer is the body as far as it could be read; nil if it is no AdmissionReview
	// with a response.
	Answer *Answer

	// cut says that the body was longer than is read.
	cut bool
	// patched remembers what Patched has found out.
	patched *patched
}

// Ask is a request that is not, or not quite, what kube-apiserver would send. The zero
// value of a field is what it would.
type Ask struct {
	// Sample is that of Exchange.
	Sample string
	// Review is the body; Body is it if there is no review.
	Review Review
	Body   []byte
	// Method is POST by default, and ContentType application/json. "-" is none.
	Method, ContentType string
	// Timeout is what the webhook is told; by default what is configured.
	Timeout time.Duration
	// Wait is how long an answer is waited for; by default a little longer than the
	// webhook is told. Whoever sets it asks for too much, and if there is no answer it is
	// not because the webhook is gone.
	Wait time.Duration
	// Client sends it; by default that of Webhook.Endpoint.
	Client *http.Client
}

// jsonType is the Content-Type of reviews.
const jsonType = "application/json"

// grace is for the way to the webhook and back.
const grace = time.Second

// Send sends a review.
func (w *Webhook) Send(ctx context.Context, sample string, r Review) *Exchange {
	return w.Ask(ctx, Ask{Sample: sample, Review: r})
}

// Ask sends a request. It returns when there is an answer, the time is up, or ctx is done.
func (w *Webhook) Ask(ctx context.Context, a Ask) *Exchange {
	x := &Exchange{Sample: a.Sample, Review: a.Review, Method: a.Method, Sent: a.Body, SentType: cmp.Or(a.ContentType, jsonType)}
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
	late := &lateError{cmp.Or(a.Wait, a.Timeout)}
	limited, cancel := context.WithTimeoutCause(ctx, cmp.Or(a.Wait, a.Timeout+grace), late)
	defer cancel()
	began := time.Now()
	x.Err = w.exchange(limited, a, x)
	x.Elapsed = time.Since(began)
	if x.Err != nil && limited.Err() != nil {
		x.Err = context.Cause(limited)
	}
	x.Answer = parse(x.Body)
	if a.Wait == 0 && ctx.Err() == nil {
		w.notice(x)
	}
	return x
}

func (w *Webhook) exchange(ctx context.Context, a Ask, x *Exchange) error {
	endpoint, err := w.Endpoint(ctx)
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
	x.Body, err = io.ReadAll(io.LimitReader(response.Body, enough+1))
	if x.cut = len(x.Body) > enough; x.cut {
		x.Body = bytes.Clone(x.Body[:kept])
	}
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	return nil
}

// Again returns a copy of the review that was sent, for the caller to change.
func (x *Exchange) Again() Review { return runtime.DeepCopyJSON(x.Review) }

// Outcome says in a few words what came back.
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

// WithoutURL takes from an error of an exchange the method and the URL, which the Exchange
// says anyway.
func WithoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// Unconnected reports whether an error says that no connection could be made.
func Unconnected(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && operation.Op == "dial"
}
