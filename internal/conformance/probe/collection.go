package probe

import (
	"context"
	"fmt"
	"net"
	"path"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/matching"
)

// Config says what is looked at, and how it is reached.
type Config struct {
	// Configurations hold the webhooks, in v1 and with defaults. Required.
	Configurations []runtime.Object
	// Samples are the requests that the webhooks are tried with.
	Samples []*Sample
	// Objects knows the kinds of the samples. Required.
	Objects apiadmission.ObjectInterfaces
	// Definitions are the custom kinds among them.
	Definitions []*apiextensionsv1.CustomResourceDefinition
	// Namespaces and Authorizer are those of dispatcher.Config.
	Namespaces matching.Namespaces
	Authorizer authorizer.UnconditionalAuthorizer
	// Careless reaches the webhooks whatever their certificates are, and shows them no
	// credentials. Required.
	Careless dispatcher.Client
	// Dial connects to the host and port of a webhook. Required.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Handled says that the servers are gatehouse's own, with a handler of somebody
	// else's behind them: there is no point in looking at their TLS.
	Handled bool
	// Calls is how often latency is measured. Required.
	Calls int
	// Observe returns what can be seen of the webhooks' side effects; nil if nothing
	// can.
	Observe func(ctx context.Context) ([]byte, error)
}

// Collection is all the webhooks that are looked at.
type Collection struct {
	Config
	// Webhooks are in the order in which requests visit them, the mutating ones first.
	Webhooks []*Webhook

	// compiler is one for all engines, which then share what they compile.
	compiler *matching.Compiler
}

// New finds out which samples visit which webhooks.
func New(ctx context.Context, config Config) (*Collection, error) {
	c := &Collection{Config: config, compiler: matching.NewCompiler()}
	if err := c.load(ctx); err != nil {
		return nil, err
	}
	d, err := c.engine(Variant{Webhooks: c.Webhooks, instead: yes()})
	if err != nil {
		return nil, err
	}
	for _, s := range config.Samples {
		response, err := d.Simulate(ctx, s.Request, config.Objects)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("trying which webhooks %s visits: %w", s.Name, err)
		}
		c.note(s, response)
	}
	return c, nil
}

// load compiles the webhooks, in the order in which requests visit them.
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
	name(c.Webhooks)
	return nil
}

// name gives every webhook a name of its own. Configurations of both phases may well be
// called the same, and their webhooks too.
func name(webhooks []*Webhook) {
	for _, tell := range []func(*Webhook) string{
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
				w.fullName += tell(w)
			}
		}
	}
}

// note keeps which webhooks a sample visits, and what came of it at the others.
func (c *Collection) note(s *Sample, response *admission.Response) {
	for _, w := range c.Webhooks {
		if body := w.sentIn(response); body != nil {
			w.Visits = append(w.Visits, newVisit(s, body))
		} else {
			w.missed = append(w.missed, response)
		}
	}
}

// find returns the webhook that the engine knows as w.
func (c *Collection) find(w *admission.Webhook) *Webhook {
	for _, known := range c.Webhooks {
		if known.is(w) {
			return known
		}
	}
	return nil
}

// Mutating returns the mutating webhooks, in their order.
func (c *Collection) Mutating() []*Webhook {
	var all []*Webhook
	for _, w := range c.Webhooks {
		if w.Phase == admission.Mutating {
			all = append(all, w)
		}
	}
	return all
}
