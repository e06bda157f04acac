package probe

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/matching"
)

// Variant selects and configures the webhooks of one run.
type Variant struct {
	// Webhooks may be called; each phase keeps this order.
	Webhooks []*Webhook
	// Reinvocation overrides the policy of all mutating webhooks; empty keeps
	// their own.
	Reinvocation registrationv1.ReinvocationPolicyType

	// client is called in place of the webhooks; nil calls them.
	client dispatcher.Client
	// namespaces are used in place of those of the Config; nil uses these.
	namespaces matching.Namespaces
}

// Run admits a request with the dispatcher: defaults, conversions and rounds
// are those of kube-apiserver. Protocol errors in responses are corrected on
// the way, so that the dispatcher can continue. All webhooks have failurePolicy
// Fail, so that the response shows a failed call. The error is about the
// request, or the end of ctx.
func (c *Collection) Run(
	ctx context.Context, r *admission.Request, variant Variant,
) (*admission.Response, error) {
	d, err := c.newDispatcher(variant)
	if err != nil {
		return nil, err
	}
	response, err := simulate.Request(ctx, d, r, c.Objects)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("admitting %s: %w", nameOf(r), err)
	}
	c.recordCalls(response, admission.Mutating, admission.Validating)
	return response, nil
}

// recordCalls updates the health of the webhooks of these phases from the
// dispatcher's calls.
func (c *Collection) recordCalls(response *admission.Response, phases ...admission.Phase) {
	for i := range response.Calls {
		call := &response.Calls[i]
		w := c.find(call.Webhook)
		if w != nil && call.Trace != nil && slices.Contains(phases, w.Phase) {
			w.record(&Exchange{Status: call.Trace.StatusCode, Err: call.Err})
		}
	}
}

// unreachable returns why the webhook is no longer called; nil if it still is.
func (c *Collection) unreachable(w *admission.Webhook) error {
	if known := c.find(w); known != nil {
		return known.Unreachable
	}
	return nil
}

// Alone admits a request with this webhook only, called once.
func (w *Webhook) Alone(ctx context.Context, r *admission.Request) (*admission.Response, error) {
	return w.collection.Run(ctx, r,
		Variant{Webhooks: []*Webhook{w}, Reinvocation: registrationv1.NeverReinvocationPolicy})
}

// IsCalled reports whether kube-apiserver calls the webhook for a request.
// IsCalled itself does not call it. An undescribed namespace has only the label
// of its name.
func (w *Webhook) IsCalled(ctx context.Context, r *admission.Request) bool {
	c := w.collection
	d, err := c.newDispatcher(Variant{Webhooks: []*Webhook{w}, client: allowAll(),
		namespaces: anyNamespace{c.Namespaces}})
	if err != nil {
		return false
	}
	response, err := simulate.Request(ctx, d, r, c.Objects)
	return err == nil && w.sentIn(response) != nil
}

// anyNamespace adds the namespaces that are missing.
type anyNamespace struct{ matching.Namespaces }

func (n anyNamespace) Labels(ctx context.Context, name string) (map[string]string, error) {
	labels, err := n.Namespaces.Labels(ctx, name)
	if apierrors.IsNotFound(err) {
		return map[string]string{corev1.LabelMetadataName: name}, nil
	}
	return labels, err
}

// Exchanges returns the exchanges of a run, in order. Their answers are the
// corrected ones.
func Exchanges(response *admission.Response) []*Exchange {
	var all []*Exchange
	for i := range response.Calls {
		if x := ExchangeOf(&response.Calls[i], response.Request); x != nil {
			all = append(all, x)
		}
	}
	return all
}

// ExchangeOf returns the exchange of one call made for a request; nil if
// nothing was sent. The answer is the corrected one.
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

func (c *Collection) newDispatcher(variant Variant) (*dispatcher.Dispatcher, error) {
	if variant.client == nil {
		variant.client = c.tolerantClient()
	}
	if variant.namespaces == nil {
		variant.namespaces = c.Namespaces
	}
	return dispatcher.New(dispatcher.Config{
		Source:     variant.source(c.compiler),
		Client:     variant.client,
		Namespaces: variant.namespaces,
		Authorizer: c.Authorizer,
		Trace:      true,
	})
}

func (c *Collection) tolerantClient() *tolerantClient {
	return &tolerantClient{next: c.InsecureClient, objects: c.Objects, unreachable: c.unreachable}
}

// fixedSource is a dispatcher.Source that never changes.
type fixedSource struct{ snapshot *matching.Snapshot }

func (s fixedSource) Current(context.Context) (*matching.Snapshot, error) { return s.snapshot, nil }

func (v Variant) source(compiler *matching.Compiler) fixedSource {
	phases := map[admission.Phase][]*admission.Webhook{}
	for _, w := range v.Webhooks {
		copied, fail := *w.Webhook, registrationv1.Fail
		copied.FailurePolicy = &fail
		if v.Reinvocation != "" && copied.Phase == admission.Mutating {
			copied.ReinvocationPolicy = &v.Reinvocation
		}
		phases[copied.Phase] = append(phases[copied.Phase], &copied)
	}
	return fixedSource{matching.NewSnapshot(compiler.Compile(phases[admission.Mutating]),
		compiler.Compile(phases[admission.Validating]))}
}

// allowAll is a client whose webhooks allow every request.
func allowAll() dispatcher.Client {
	return client.InProcess(func(*admission.Webhook) http.Handler {
		return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			review, _, err := readReview(r)
			if err != nil {
				http.Error(out, err.Error(), http.StatusBadRequest)
				return
			}
			out.Header().Set("Content-Type", "application/json")
			_, _ = out.Write(encodeResponse(review, map[string]any{"uid": review.UID(), "allowed": true}))
		})
	})
}
