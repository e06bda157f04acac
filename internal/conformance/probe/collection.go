package probe

import (
	"context"
	"fmt"
	"net"
	"path"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/matching"
)

// Config names the webhooks under test and how to reach them.
type Config struct {
	// Configurations hold the webhooks, as v1 and with defaults. Required.
	Configurations []runtime.Object
	// Samples are the requests to send.
	Samples []*Sample
	// Objects has the kinds of the samples. Required.
	Objects apiadmission.ObjectInterfaces
	// Definitions are the CustomResourceDefinitions of the samples' kinds.
	Definitions []*apiextensionsv1.CustomResourceDefinition
	// Namespaces and Authorizer are those of dispatcher.Config.
	Namespaces matching.Namespaces
	Authorizer authorizer.UnconditionalAuthorizer
	// InsecureClient reaches the webhooks without verifying certificates and
	// without sending credentials. Required.
	InsecureClient dispatcher.Client
	// Dial connects to the host and port of a webhook. Required.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// OwnServer is true if gatehouse itself serves the handler under test. Its
	// TLS is then not checked.
	OwnServer bool
	// Calls is the number of calls of a latency measurement. Required.
	Calls int
	// Observe returns the observable state of the webhooks' side effects; nil
	// if there is none to observe.
	Observe func(ctx context.Context) ([]byte, error)
}

// Collection is the set of webhooks under test.
type Collection struct {
	Config
	// Webhooks are in call order, the mutating ones first.
	Webhooks []*Webhook
	// Refused are the errors of samples that an API server would reject.
	// Validating webhooks do not receive these samples.
	Refused []error

	// compiler is shared by all dispatchers, so that they share compiled
	// selectors and conditions.
	compiler *matching.Compiler
}

// New loads the webhooks, and simulates every sample to determine the webhooks
// that it matches.
func New(ctx context.Context, config Config) (*Collection, error) {
	c := &Collection{Config: config, compiler: matching.NewCompiler()}
	if err := c.load(ctx); err != nil {
		return nil, err
	}
	d, err := c.newDispatcher(Variant{Webhooks: c.Webhooks, client: allowAll()})
	if err != nil {
		return nil, err
	}
	var responses []*admission.Response
	for _, s := range config.Samples {
		response, err := simulate.Request(ctx, d, s.Request, config.Objects)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("trying which webhooks %s visits: %w", s.Name, err)
		}
		c.recordVisits(s, response)
		if err := rejection(response); err != nil {
			c.Refused = append(c.Refused, err)
		}
		responses = append(responses, response)
	}
	for _, w := range c.Webhooks {
		if len(w.Visits) == 0 {
			w.WhyUnvisited = w.findWhyUnvisited(responses)
		}
	}
	return c, nil
}

// load compiles the webhooks, in call order.
func (c *Collection) load(ctx context.Context) error {
	list, err := source.Fixed(c.Configurations)
	if err != nil {
		return fmt.Errorf("loading the webhook configurations: %w", err)
	}
	snapshot, err := list.Current(ctx)
	if err != nil {
		return fmt.Errorf("loading the webhook configurations: %w", err)
	}
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		for _, compiled := range snapshot.Webhooks(phase) {
			c.Webhooks = append(c.Webhooks, &Webhook{Webhook: compiled.Webhook, collection: c})
		}
	}
	nameWebhooks(c.Webhooks)
	return nil
}

// nameWebhooks gives every webhook a unique name. Configurations of the two
// phases, and their webhooks, may have the same name.
func nameWebhooks(webhooks []*Webhook) {
	for _, qualifier := range []func(*Webhook) string{
		func(w *Webhook) string { return webhookconfig.FullName(w.Webhook) },
		func(w *Webhook) string { return " (" + w.Phase.String() + ")" },
		func(w *Webhook) string { return " #" + path.Base(w.UID) },
	} {
		taken := map[string]int{}
		for _, w := range webhooks {
			taken[w.fullName]++
		}
		for _, w := range webhooks {
			if taken[w.fullName] > 1 || w.fullName == "" {
				w.fullName += qualifier(w)
			}
		}
	}
}

// recordVisits adds the sample to the webhooks that it visits.
func (c *Collection) recordVisits(s *Sample, response *admission.Response) {
	for _, w := range c.Webhooks {
		if body := w.sentIn(response); body != nil {
			w.Visits = append(w.Visits, newVisit(s, body))
		}
	}
}

// rejection returns why an API server would reject the request of a simulation
// whose webhooks allow everything.
func rejection(response *admission.Response) error {
	if by := explain.Denier(response); by != "" {
		return fmt.Errorf("%s: denied by %s: %s", nameOf(response.Request), by, response.Status.Message)
	}
	return nil
}

// find returns the Webhook for the dispatcher's webhook w.
func (c *Collection) find(w *admission.Webhook) *Webhook {
	for _, known := range c.Webhooks {
		if known.is(w) {
			return known
		}
	}
	return nil
}

// Mutating returns the mutating webhooks, in call order.
func (c *Collection) Mutating() []*Webhook {
	return slices.DeleteFunc(slices.Clone(c.Webhooks),
		func(w *Webhook) bool { return w.Phase != admission.Mutating })
}
