package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/suite/golden"
	"example.com/gatehouse/internal/suite/process"
)

// EnvironmentOptions configure how webhooks are reached.
type EnvironmentOptions struct {
	// Handlers returns the in-process handler of a webhook; nil for a webhook
	// that is called over the network. A nil func means none.
	Handlers func(*admission.Webhook) http.Handler
	// Address returns the address of a webhook, overriding the suite, and the
	// CA, in PEM, that replaces the webhook's own; nil keeps it. The address is
	// empty for a webhook that the suite's entries locate. A nil func means
	// none.
	Address func(*admission.Webhook) (address string, ca []byte)
	// Update writes golden files instead of comparing them, for cases that pass
	// otherwise. Of several cases with one golden file, in all environments that
	// share it, the first one writes it, and the others are compared with it. nil
	// compares all.
	Update *golden.Update
	// Output receives the output of commands, one line per Write; nil discards
	// it.
	Output io.Writer
}

// Environment is a suite with running webhooks and a dispatcher. The caller
// closes it.
type Environment struct {
	suite      *Suite
	options    EnvironmentOptions
	dispatcher *dispatcher.Dispatcher
	// handlers are the in-process handlers.
	handlers map[webhookKey]http.Handler
	// clients reach webhooks at other addresses than configured, and
	// defaultClient reaches all others. Webhooks with the same address share a
	// client.
	clients       map[webhookKey]dispatcher.Client
	byAddress     map[string]*client.Client
	defaultClient *client.Client
	// processes are those of the entries; nil for an entry without a command.
	processes []*process.Process
}

// Start starts the commands of a suite and waits until they are ready. It does
// not start commands whose webhooks all have a handler or an address. A suite
// has one environment at a time.
//
// An error about a command is a *process.Error.
func (s *Suite) Start(ctx context.Context, o EnvironmentOptions) (*Environment, error) {
	if o.Address == nil {
		o.Address = func(*admission.Webhook) (string, []byte) { return "", nil }
	}
	if o.Output != nil {
		o.Output = &lockedWriter{next: o.Output}
	}
	env := &Environment{
		suite: s, options: o, handlers: s.handlers(o.Handlers),
		clients: map[webhookKey]dispatcher.Client{}, byAddress: map[string]*client.Client{},
		processes: make([]*process.Process, len(s.entries)),
	}
	if err := errors.Join(env.startCommands(ctx), env.connect()); err != nil {
		return nil, errors.Join(err, env.Close())
	}
	return env, nil
}

// handlers returns the in-process handlers, looked up once per webhook.
func (s *Suite) handlers(of func(*admission.Webhook) http.Handler) map[webhookKey]http.Handler {
	if of == nil {
		return nil
	}
	handlers := map[webhookKey]http.Handler{}
	for _, w := range s.webhooks {
		if h := of(w); h != nil {
			handlers[keyOf(w)] = h
		}
	}
	return handlers
}

// connect makes the dispatcher.
func (env *Environment) connect() error {
	s := env.suite
	all := env.endpoints()
	if err := env.newClients(all); err != nil {
		return err
	}
	configurations, err := source.Fixed(env.configurations(all))
	if err != nil {
		return fmt.Errorf("loading the webhook configurations: %w", err)
	}
	known, err := source.FixedNamespaces(s.in.Namespaces...)
	if err != nil {
		return fmt.Errorf("loading the namespaces: %w", err)
	}
	evaluator, err := s.in.Evaluator(policies.Inputs{
		Namespaces: s.in.Namespaces, AnyNamespace: true, Authorizer: s.authorizer(),
	})
	if err != nil {
		return fmt.Errorf("loading the policies: %w", err)
	}
	env.dispatcher, err = dispatcher.New(dispatcher.Config{
		Source:     configurations,
		Client:     env,
		Namespaces: namespaces{known},
		Authorizer: s.authorizer(),
		Policies:   evaluator,
		Trace:      true,
	})
	return err
}

// configurations returns copies of the suite's configurations with the CAs of
// the endpoints.
func (env *Environment) configurations(all endpoints) []runtime.Object {
	var adjusted []runtime.Object
	for _, c := range env.suite.in.Configurations {
		c = c.DeepCopyObject()
		if m, err := meta.Accessor(c); err == nil {
			webhookconfig.Adjust(c, func(name string, cc *registrationv1.WebhookClientConfig) {
				all[webhookKey{m.GetName(), name}].setCA(cc)
			})
		}
		adjusted = append(adjusted, c)
	}
	return adjusted
}

func (s *Suite) authorizer() authorizer.UnconditionalAuthorizer {
	switch s.from.Authorizer {
	case "allow":
		return cluster.Allow
	case "deny":
		return cluster.Deny
	}
	return s.in.Authorizer()
}

// Endpoint implements dispatcher.Client.
func (env *Environment) Endpoint(
	ctx context.Context, w *admission.Webhook,
) (*dispatcher.Endpoint, error) {
	if c := env.clients[keyOf(w)]; c != nil {
		return c.Endpoint(ctx, w)
	}
	return env.defaultClient.Endpoint(ctx, w)
}

// Run admits the request of a case and evaluates the response. It is safe for
// concurrent use.
func (env *Environment) Run(ctx context.Context, c *Case) *Result {
	begin := time.Now()
	r := &Result{Suite: env.suite, Case: c}
	r.Response, r.Err = simulate.Request(
		ctx,
		env.dispatcher,
		c.request,
		env.suite.kinds.ObjectInterfaces(),
	)
	if ctx.Err() != nil {
		// A denial may be due to the end of ctx.
		r.Response, r.Err = nil, ctx.Err()
	}
	if r.Err == nil {
		r.Hints = env.hints(r.Response)
		if r.Err = env.notReached(r.Response); r.Err == nil {
			r.Err = env.evaluate(r)
		}
	}
	r.Elapsed = time.Since(begin)
	return r
}

// evaluate compares the response with the expectations, or updates the golden
// file.
func (env *Environment) evaluate(r *Result) error {
	r.Failures = r.Case.expect.Check(r.Response)
	file := r.Case.from.Expect.Golden
	if file == "" {
		return nil
	}
	if env.options.Update != nil && len(r.Failures) == 0 {
		different, written, err := env.options.Update.Write(file, r.Response)
		if written {
			r.Golden = file
		}
		r.Failures = different
		return err
	}
	different, err := golden.Check(file, r.Response)
	r.Failures = append(r.Failures, different...)
	return err
}

// Close closes connections and stops the commands. The error names the commands
// that had ended before, or could not be stopped.
func (env *Environment) Close() error {
	for _, c := range env.byAddress {
		c.Close()
	}
	if env.defaultClient != nil {
		env.defaultClient.Close()
	}
	return env.stopCommands()
}
