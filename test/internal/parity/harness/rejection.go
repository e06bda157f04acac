package harness

import (
	"context"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// chooseRejection compares the errors of requests that several webhooks deny.
// kube-apiserver returns the denial that arrives first, gatehouse the first in
// order. If that can explain a difference, upstream runs with each validating
// webhook alone: both errors must be among these results, and gatehouse's must
// be the first. In exact mode any is right.
func (r *runner) chooseRejection(ctx context.Context, c *comparison) ([]Difference, error) {
	// Webhooks that cannot be reached object as well, so calls are not counted.
	several := c.want.validated && c.got.validated && len(singly(r.spec.Validating)) > 1
	if !several || !c.want.denied() || !c.got.denied() || c.want.Error == c.got.Error {
		return nil, nil
	}
	alone, err := r.alternatives(ctx, c)
	if err != nil {
		return nil, err
	}
	var found []Difference
	if !slices.Contains(alone, c.want.Error) {
		found = append(found, Difference{Field: "Error (upstream's is no webhook's own)", Upstream: show(c.want.Error), Gatehouse: show(alone)})
	}
	ours := slices.Index(alone, c.got.Error)
	if ours < 0 || ours > 0 && c.side.careful() {
		found = append(found, Difference{Field: "Error (of the first webhook that objects)", Upstream: show(alone), Gatehouse: show(c.got.Error)})
	}
	c.got.Error = c.want.Error
	return found, nil
}

// alternatives returns the errors of upstream with one validating webhook after
// the other, in their order, without those that do not object.
func (r *runner) alternatives(ctx context.Context, c *comparison) ([]Failure, error) {
	if r.alone != nil {
		return r.alone, nil
	}
	found := []Failure{}
	defer r.leave() // upstream is initialized with another environment afterwards
	for _, only := range singly(r.spec.Validating) {
		o, err := r.observeWith(ctx, c, only)
		if err != nil {
			return nil, err
		}
		if o.denied() {
			found = append(found, o.Error)
		}
	}
	r.alone = found
	return found, nil
}

func (r *runner) observeWith(
	ctx context.Context, c *comparison, only registrationv1.ValidatingWebhookConfiguration,
) (Observation, error) {
	w := r.spec
	w.Validating = []registrationv1.ValidatingWebhookConfiguration{only}
	p, err := newEnvironment(ctx, &w, r.server, r.hosts[:1])
	if err != nil {
		return Observation{}, err
	}
	defer p.close()
	return r.observe(ctx, p, r.hosts[0], c.step)
}

// singly takes configurations apart into one for each webhook, in the order in
// which webhooks are taken.
func singly(
	all []registrationv1.ValidatingWebhookConfiguration,
) []registrationv1.ValidatingWebhookConfiguration {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b registrationv1.ValidatingWebhookConfiguration) int {
		return strings.Compare(a.Name, b.Name)
	})
	var single []registrationv1.ValidatingWebhookConfiguration
	for _, c := range sorted {
		for i := range c.Webhooks {
			only := c
			only.Webhooks = c.Webhooks[i : i+1]
			single = append(single, only)
		}
	}
	return single
}
