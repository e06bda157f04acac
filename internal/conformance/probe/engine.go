package probe

import (
	"context"
	"fmt"
	"net/http"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/matching"
)

// Variant is a way to run a request through webhooks.
type Variant struct {
	// Webhooks are those that the request may visit, the mutating and the validating
	// ones each in this order.
	Webhooks []*Webhook
	// Reinvocation is the policy of all mutating webhooks; empty for their own.
	Reinvocation registrationv1.ReinvocationPolicyType

	// instead answers in place of the webhooks.
	instead dispatcher.Client
}

// Run takes a request through webhooks with the engine: defaults, conversions and rounds
// are those of kube-apiserver. Slips of the protocol are mended on the way, so that the
// engine can go on. All webhooks have failurePolicy Fail: if a call fails, the response
// says so. The error is about the request, or the end of ctx.
func (c *Collection) Run(ctx context.Context, r *admission.Request, variant Variant) (*admission.Response, error) {
	d, err := c.engine(variant)
	if err != nil {
		return nil, err
	}
	response, err := d.Simulate(ctx, r, c.Objects)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("admitting %s: %w", nameOf(r), err)
	}
	c.notice(response)
	return response, nil
}

// notice has the webhooks' moods know what came of the engine's calls.
func (c *Collection) notice(response *admission.Response) {
	for i := range response.Calls {
		call := &response.Calls[i]
		if w := c.find(call.Webhook); w != nil && call.Trace != nil {
			w.notice(&Exchange{Status: call.Trace.StatusCode, Err: call.Err})
		}
	}
}

// gone says why a webhook is asked no more; nil if it is.
func (c *Collection) gone(w *admission.Webhook) error {
	if known := c.find(w); known != nil {
		return known.Unreachable
	}
	return nil
}

// Alone takes a request through this webhook and no other, once.
func (w *Webhook) Alone(ctx context.Context, r *admission.Request) (*admission.Response, error) {
	return w.collection.Run(ctx, r, Variant{Webhooks: []*Webhook{w}, Reinvocation: registrationv1.NeverReinvocationPolicy})
}

// Exchanges returns what was exchanged with webhooks while a request was run, in order.
// The answers are the mended ones.
func Exchanges(response *admission.Response) []*Exchange {
	var all []*Exchange
	for i := range response.Calls {
		if x := ExchangeOf(&response.Calls[i], response.Request); x != nil {
			all = append(all, x)
		}
	}
	return all
}

// ExchangeOf returns what was exchanged in one call, made for a request; nil if nothing was
// sent. The answer is the mended one.
func ExchangeOf(call *admission.Call, request *admission.Request) *Exchange {
	if call.Trace == nil || call.Trace.Request == nil {
		return nil
	}
	return &Exchange{
		Sample: nameOf(request), Method: http.MethodPost, URL: call.URL,
		Sent: call.Trace.Request(), Status: call.Trace.StatusCode, Body: call.Trace.Response,
		Elapsed: call.Duration, Answer: parse(call.Trace.Response),
	}
}

func (c *Collection) engine(variant Variant) (*dispatcher.Dispatcher, error) {
	if variant.instead == nil {
		variant.instead = &mending{next: c.Careless, objects: c.Objects, gone: c.gone}
	}
	return dispatcher.New(dispatcher.Config{
		Source:     variant.source(c.compiler),
		Client:     variant.instead,
		Namespaces: c.Namespaces,
		Authorizer: c.Authorizer,
		Trace:      true,
	})
}

// set is a Source that never changes.
type set struct{ snapshot *matching.Snapshot }

func (s set) Current(context.Context) (*matching.Snapshot, error) { return s.snapshot, nil }

func (v Variant) source(compiler *matching.Compiler) set {
	phases := map[admission.Phase][]*admission.Webhook{}
	for _, w := range v.Webhooks {
		copied, fail := *w.Webhook, registrationv1.Fail
		copied.FailurePolicy = &fail
		if v.Reinvocation != "" && copied.Phase == admission.Mutating {
			copied.ReinvocationPolicy = &v.Reinvocation
		}
		phases[copied.Phase] = append(phases[copied.Phase], &copied)
	}
	return set{matching.NewSnapshot(compiler.Compile(phases[admission.Mutating]), compiler.Compile(phases[admission.Validating]))}
}

// yes is a client of somebody who always says yes.
func yes() dispatcher.Client {
	return client.InProcess(func(*admission.Webhook) http.Handler {
		return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			review, _, err := read(r)
			if err != nil {
				http.Error(out, err.Error(), http.StatusBadRequest)
				return
			}
			out.Header().Set("Content-Type", "application/json")
			_, _ = out.Write(reviewOf(review, map[string]any{"uid": review.UID(), "allowed": true}))
		})
	})
}
