package session

import (
	"context"
	"fmt"
	"io"
	"slices"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/dispatcher/source/static"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/requests"
)

// Session is a simulation whose inputs are read and found good. Prepare makes it.
type Session struct {
	requests []*admission.Request
	// webhooks are all there are, in no particular order.
	webhooks   []*admission.Webhook
	dispatcher *dispatcher.Dispatcher
	clients    clients
	injected   *injected
	objects    apiadmission.ObjectInterfaces
	authority  *authority
	// maker knows how the objects were written.
	maker *requests.Maker
	// meter counts metrics; nil if nobody has asked for that.
	meter  *meter
	stderr io.Writer
}

// Prepare checks the options, reads everything that they name and starts the fault
// servers. It says on Stderr what may not be what was meant. The session must be
// closed.
//
// A mistake in the options is a message.UsageError, whatever is wrong with what they
// name a message.InputError.
func Prepare(o *Options) (*Session, error) {
	m, err := gather(o)
	if err != nil {
		return nil, err
	}
	s := &Session{
		requests: m.requests, webhooks: m.webhooks, objects: m.kinds.ObjectInterfaces(),
		authority: newAuthority(o.authorizer, m.inputs), maker: m.maker, stderr: o.Stderr,
	}
	if err := s.start(o, m); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// start prepares the ways to the webhooks, and puts the engine together. If it fails,
// Close is needed all the same.
func (s *Session) start(o *Options, m *material) error {
	if err := s.reach(o, m); err != nil {
		return err
	}
	return s.connect(o, m)
}

// reach prepares the ways to the webhooks, and to what is in their place.
func (s *Session) reach(o *Options, m *material) error {
	var err error
	if o.Instead != nil {
		s.injected = &injected{next: o.Instead}
		return nil
	}
	if s.clients, err = newClients(o, m.server, m.credentials, m.routes); err != nil {
		return err
	}
	s.injected = &injected{next: s.clients}
	return s.injected.start(m.aimed, o.exact)
}

// connect puts the engine together.
func (s *Session) connect(o *Options, m *material) error {
	webhooks, err := source.Fixed(m.inputs.Configurations)
	if err != nil {
		return fmt.Errorf("loading the webhook configurations: %w", err)
	}
	madeUp := m.inputs.MakeUp(s.requests)
	for _, ns := range madeUp {
		message.Notice(s.stderr, "namespace %q is not among the inputs: taken to exist, with no labels of its own", ns.Name)
	}
	labels, err := source.FixedNamespaces(slices.Concat(m.inputs.Namespaces, madeUp)...)
	if err != nil {
		return fmt.Errorf("loading the namespaces: %w", err)
	}
	s.injected.announce(s.stderr)
	config := dispatcher.Config{
		Source:     static.Merge(webhooks, m.server.folders...),
		Client:     s.injected,
		Namespaces: labels,
		Authorizer: s.authority,
		Exact:      o.exact,
	}
	if o.Trace {
		if s.meter, err = newMeter(); err != nil {
			return err
		}
		config.Trace, config.Metrics = true, s.meter.metrics
	}
	s.dispatcher, err = dispatcher.New(config)
	return err
}

// Hook returns the webhook of a name, which is WEBHOOK or CONFIGURATION/WEBHOOK. It may
// be empty if there is only one webhook. The error says which there are.
func (s *Session) Hook(name string) (Hook, error) { return oneHook(name, s.webhooks) }

// Hooks returns the webhooks of a name, which is WEBHOOK or CONFIGURATION/WEBHOOK. There
// is at least one; the error says which others there are.
func (s *Session) Hooks(name string) ([]Hook, error) { return hooksNamed(name, s.webhooks) }

// Admit takes the objects through the webhooks and shows each to see, until ctx
// is done or see has an error. An object during which ctx ended is not shown: it
// was denied by the interruption and by nothing else.
func (s *Session) Admit(ctx context.Context, see func(*Visit) error) error {
	for _, r := range s.requests {
		v := &Visit{Request: r, injected: s.injected, written: s.maker.Written(r)}
		var err error
		v.Response, err = s.dispatcher.Simulate(ctx, r, s.objects)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("admitting %s: %w", v.Reference(), err)
		}
		if v.metrics, err = s.meter.changes(); err != nil {
			return fmt.Errorf("admitting %s: %w", v.Reference(), err)
		}
		if err := see(v); err != nil {
			return err
		}
	}
	return nil
}

// Tell says what should be known about what was admitted: whether conditions asked the
// authorizer, and which faults did not come about. It is for the end.
func (s *Session) Tell() {
	s.authority.tell(s.stderr)
	s.injected.tell(s.stderr)
}

// Close lets go of connections and ends the fault servers.
func (s *Session) Close() {
	if s.injected != nil {
		s.injected.close()
	}
	s.clients.close()
}
