package doctor

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/conformance/sample"
	"example.com/gatehouse/internal/lint/doctor"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// review sends a dry run to a webhook: of the first request made from its rules that it
// receives, a creation if there is one.
func (d *dialer) review(ctx context.Context, w *inventory.Webhook) (doctor.Check, error) {
	configuration := d.alone(w)
	samples := sample.Make(ctx, sample.Config{
		Configurations: []runtime.Object{configuration}, Kinds: d.cluster.Kinds,
		Definitions: d.cluster.Cluster.Definitions, Namespaces: d.cluster.Cluster.Namespaces,
	})
	engine, err := d.engine(configuration, samples)
	if err != nil {
		return doctor.Check{}, err
	}
	slices.SortStableFunc(samples.Requests, func(a, b *admission.Request) int {
		return cmp.Compare(rank(a), rank(b))
	})
	for _, r := range samples.Requests {
		if r.Operation == admissionv1.Connect {
			continue // there are no dry runs of it (S-364)
		}
		dry := *r
		dry.DryRun = true
		response, err := simulate.Request(ctx, engine, &dry, d.cluster.Kinds.ObjectInterfaces())
		if err != nil || ctx.Err() != nil {
			return doctor.Check{}, cmp.Or(err, ctx.Err())
		}
		if len(response.Calls) > 0 {
			return d.answer(&dry, &response.Calls[0]), nil
		}
	}
	return doctor.Check{Name: "review", Status: doctor.Unknown,
		Message: "gatehouse could not make a request that the webhook receives"}, nil
}

// rank orders creations before other requests.
func rank(r *admission.Request) int {
	if r.Operation == admissionv1.Create {
		return 0
	}
	return 1
}

// alone returns the configuration of a webhook without the others.
func (d *dialer) alone(w *inventory.Webhook) runtime.Object {
	for _, object := range d.cluster.Cluster.Configurations {
		var alone runtime.Object
		switch c := object.DeepCopyObject().(type) {
		case *registrationv1.MutatingWebhookConfiguration:
			c.Webhooks = slices.DeleteFunc(c.Webhooks, func(m registrationv1.MutatingWebhook) bool {
				return m.Name != w.Name
			})
			if c.Name == w.Configuration && w.Phase == admission.Mutating {
				alone = c
			}
		case *registrationv1.ValidatingWebhookConfiguration:
			c.Webhooks = slices.DeleteFunc(c.Webhooks, func(v registrationv1.ValidatingWebhook) bool {
				return v.Name != w.Name
			})
			if c.Name == w.Configuration && w.Phase == admission.Validating {
				alone = c
			}
		}
		if alone != nil {
			webhookconfig.Trust(alone, d.access.CA)
			return alone
		}
	}
	return nil // unreachable: the inventory has it from a configuration
}

// engine returns an engine that calls the webhooks of one configuration.
func (d *dialer) engine(
	configuration runtime.Object, samples *sample.Set,
) (*dispatcher.Dispatcher, error) {
	webhooks, err := source.Fixed([]runtime.Object{configuration})
	if err != nil {
		return nil, err
	}
	namespaces, err := source.FixedNamespaces(samples.Namespaces...)
	if err != nil {
		return nil, err
	}
	return dispatcher.New(dispatcher.Config{
		Source: webhooks, Client: d.client, Namespaces: namespaces,
		Authorizer: d.cluster.Cluster.Authorizer(),
	})
}

// answer says what came back.
func (d *dialer) answer(r *admission.Request, call *admission.Call) doctor.Check {
	const name = "review"
	sent := fmt.Sprintf("a dry run of %s %s in %s", r.Operation, r.Resource.GroupResource(),
		call.Duration.Round(time.Millisecond))
	switch {
	case call.Outcome == admission.Allowed:
		return doctor.Check{Name: name, Status: doctor.OK, Message: "the webhook allowed " + sent}
	case call.Outcome == admission.Rejected:
		return doctor.Check{Name: name, Status: doctor.OK, Message: fmt.Sprintf("the webhook denied %s: %v", sent, call.Err)}
	case call.Step == admission.StepDryRun:
		return doctor.Check{Name: name, Status: doctor.Unknown,
			Message: "sideEffects does not allow dry runs, so gatehouse sent nothing"}
	}
	failed := d.failed(name, call)
	if called, err := url.Parse(call.URL); err == nil && call.Code == http.StatusNotFound {
		failed.Remedy = fmt.Sprintf("the server has nothing at %s: correct the path in clientConfig", called.Path)
	}
	return failed
}
