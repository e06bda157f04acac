package probe

import (
	"context"
	"fmt"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/simulate"
)

// mutateSamples calls the mutating webhooks for every sample, and replaces the
// visits of the validating webhooks: kube-apiserver sends them the mutated
// object, with its defaults. Mutations may also change which webhooks match. If
// a mutating webhook denies a sample or fails, the sample keeps its visits, so
// that the validating webhooks receive it unchanged.
func (c *Collection) mutateSamples(ctx context.Context) error {
	validating := slices.DeleteFunc(slices.Clone(c.Webhooks),
		func(w *Webhook) bool { return w.Phase != admission.Validating })
	if len(validating) == 0 || len(validating) == len(c.Webhooks) {
		return nil
	}
	visits := map[*Webhook][]*Visit{}
	var responses []*admission.Response
	for _, s := range c.Samples {
		response, err := c.mutate(ctx, s, validating)
		if err != nil {
			return err
		}
		if response.Allowed {
			responses = append(responses, response)
		}
		for _, w := range validating {
			if v := w.visitAfter(s, response); v != nil {
				visits[w] = append(visits[w], v)
			}
		}
	}
	for _, w := range validating {
		switch w.Visits = visits[w]; {
		case len(w.Visits) > 0:
			w.WhyUnvisited = ""
		case w.WhyUnvisited == "":
			w.WhyUnvisited = w.findWhyUnvisited(responses)
		}
	}
	return nil
}

// mutate admits a sample: the mutating webhooks that answered it are called, the
// validating ones are not.
func (c *Collection) mutate(
	ctx context.Context, s *Sample, validating []*Webhook,
) (*admission.Response, error) {
	mutating := slices.DeleteFunc(c.Mutating(), func(w *Webhook) bool { return !w.mayMutate(s) })
	d, err := c.newDispatcher(Variant{Webhooks: slices.Concat(mutating, validating),
		client: phaseClient{mutating: c.tolerantClient(), validating: allowAll()}})
	if err != nil {
		return nil, err
	}
	response, err := simulate.Request(ctx, d, s.Request, c.Objects)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("mutating %s: %w", s.Name, err)
	}
	c.recordCalls(response, admission.Mutating)
	return response, nil
}

// mayMutate reports whether a mutating webhook can be called for a sample: it
// answered the sample, or the mutations of other webhooks may make it match.
func (w *Webhook) mayMutate(s *Sample) bool {
	i := slices.IndexFunc(w.Visits, func(v *Visit) bool { return v.Sample == s })
	return w.Unreachable == nil && (i < 0 || w.ExchangeFor(w.Visits[i]) != nil)
}

// visitAfter returns the visit of a validating webhook after the mutations of a
// sample; nil if there is none.
func (w *Webhook) visitAfter(s *Sample, mutated *admission.Response) *Visit {
	if mutated.Allowed {
		if body := w.sentIn(mutated); body != nil {
			return newVisit(s, body)
		}
		return nil
	}
	if i := slices.IndexFunc(w.Visits, func(v *Visit) bool { return v.Sample == s }); i >= 0 {
		return w.Visits[i]
	}
	return nil
}

// phaseClient is a client for each phase.
type phaseClient struct{ mutating, validating dispatcher.Client }

// Endpoint implements dispatcher.Client.
func (p phaseClient) Endpoint(
	ctx context.Context, w *admission.Webhook,
) (*dispatcher.Endpoint, error) {
	if w.Phase == admission.Mutating {
		return p.mutating.Endpoint(ctx, w)
	}
	return p.validating.Endpoint(ctx, w)
}
