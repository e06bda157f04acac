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
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/suite/golden"
	"example.com/gatehouse/internal/suite/process"
)

// StageOptions say how the webhooks of a suite are reached.
type StageOptions struct {
	// Handlers returns what answers in place of a webhook, in this process; nil for a
	// webhook that is called where it is. Nil if all are.
	Handlers func(*admission.Webhook) http.Handler
	// Address returns where connections to a webhook go, whatever the suite says, and the
	// CA that is believed in place of the webhook's own, in PEM; nil for its own. The
	// address is "" for a webhook that is where the suite says. Nil if all are.
	Address func(*admission.Webhook) (address string, ca []byte)
	// Update has goldens written in place of compared, for cases in which all else is as
	// expected. Of several cases with one golden file the first that is run writes it, and
	// the others are compared with it.
	Update bool
	// Output receives what commands print, a line at a time; nil for nobody.
	Output io.Writer

	// goldens are those that were written on other stages of the run; nil if there are none.
	goldens *golden.Update
}

// Stage is a suite whose webhooks can be called. It must be closed.
type Stage struct {
	suite      *Suite
	options    StageOptions
	dispatcher *dispatcher.Dispatcher
	// handlers are those of the webhooks that have one.
	handlers map[webhookKey]http.Handler
	// clients reach the webhooks that are not where their configurations say, and elsewhere
	// reaches all others. Those that have an address share the client at it.
	clients   map[webhookKey]dispatcher.Client
	at        map[string]*client.Client
	elsewhere *client.Client
	// processes are those of the entries that have one, and nil for the others.
	processes []*process.Process
}

// Start starts the commands of a suite that serve webhooks, and waits until they are ready.
// Commands whose webhooks all have a handler or an address are not started. A suite is on
// one stage at a time.
//
// An error that is about a command is a *process.Error.
func (s *Suite) Start(ctx context.Context, o StageOptions) (*Stage, error) {
	if o.Address == nil {
		o.Address = func(*admission.Webhook) (string, []byte) { return "", nil }
	}
	if o.goldens == nil {
		o.goldens = &golden.Update{}
	}
	if o.Output != nil {
		o.Output = &oneByOne{next: o.Output}
	}
	st := &Stage{
		suite: s, options: o, handlers: s.handlers(o.Handlers),
		clients: map[webhookKey]dispatcher.Client{}, at: map[string]*client.Client{},
		processes: make([]*process.Process, len(s.entries)),
	}
	if err := errors.Join(st.startCommands(ctx), st.connect()); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// handlers returns those of the webhooks that have one. They are asked for once: calls are
// many.
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

// connect puts the engine together.
func (st *Stage) connect() error {
	s := st.suite
	all := st.find()
	if err := st.reach(all); err != nil {
		return err
	}
	configurations, err := source.Fixed(st.configurations(all))
	if err != nil {
		return fmt.Errorf("loading the webhook configurations: %w", err)
	}
	known, err := source.FixedNamespaces(s.in.Namespaces...)
	if err != nil {
		return fmt.Errorf("loading the namespaces: %w", err)
	}
	st.dispatcher, err = dispatcher.New(dispatcher.Config{
		Source: configurations, Client: st, Namespaces: namespaces{known}, Authorizer: s.authorizer(), Trace: true,
	})
	return err
}

// configurations returns those of the suite, which believe the places of their webhooks.
func (st *Stage) configurations(all places) []runtime.Object {
	var adjusted []runtime.Object
	for _, c := range st.suite.in.Configurations {
		c = c.DeepCopyObject()
		if m, err := meta.Accessor(c); err == nil {
			webhookconfig.Adjust(c, func(name string, cc *registrationv1.WebhookClientConfig) {
				all[webhookKey{m.GetName(), name}].trust(cc)
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
func (st *Stage) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	if c := st.clients[keyOf(w)]; c != nil {
		return c.Endpoint(ctx, w)
	}
	return st.elsewhere.Endpoint(ctx, w)
}

// Run takes a case through the webhooks and judges what comes of it. It may be called from
// many goroutines.
func (st *Stage) Run(ctx context.Context, c *Case) *Result {
	begin := time.Now()
	r := &Result{Suite: st.suite, Case: c}
	r.Response, r.Err = st.dispatcher.Simulate(ctx, c.request, st.suite.kinds.ObjectInterfaces())
	if ctx.Err() != nil {
		// It was denied by the interruption, if at all.
		r.Response, r.Err = nil, ctx.Err()
	}
	if r.Err == nil {
		r.hints = st.hints(r.Response)
		r.Err = st.judge(r)
	}
	r.Elapsed = time.Since(begin)
	return r
}

// judge says what is not as expected, or writes it down as what is expected from now on.
func (st *Stage) judge(r *Result) error {
	r.Failures = r.Case.expect.Check(r.Response)
	file := r.Case.from.Expect.Golden
	if file == "" {
		return nil
	}
	if st.options.Update && len(r.Failures) == 0 {
		different, written, err := st.options.goldens.Write(file, r.Response)
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

// Close lets go of connections and stops the commands. The error says which of them had
// ended before, or could not be stopped.
func (st *Stage) Close() error {
	for _, c := range st.at {
		c.Close()
	}
	if st.elsewhere != nil {
		st.elsewhere.Close()
	}
	return st.stopCommands()
}
