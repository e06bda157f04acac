package cli

import (
	"context"
	"fmt"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/dispatcher/source/static"
	"example.com/gatehouse/internal/routes"
)

// session is a run whose inputs are read and found good.
type session struct {
	requests []*admission.Request
	// webhooks are all there are, in no particular order.
	webhooks   []*admission.Webhook
	dispatcher *dispatcher.Dispatcher
	server     *server
	clients    clients
	injected   *injected
	objects    apiadmission.ObjectInterfaces
	authority  *authority
}

// visit is one object's way through the webhooks.
type visit struct {
	request  *admission.Request
	response *admission.Response
	// injected knows whose calls went to a fault server.
	injected *injected
}

// prepare reads and checks everything, and starts the fault servers. It connects
// to no admission webhook, but to conversion webhooks if objects have to be converted. The session must be closed.
func prepare(o *options) (*session, error) {
	ca, err := readCA(o.caFile)
	if err != nil {
		return nil, &inputError{err}
	}
	server, err := readServer(o, ca)
	if err != nil {
		return nil, &inputError{err}
	}
	credentials, err := readCredentials(o, server)
	if err != nil {
		return nil, &inputError{err}
	}
	resolve, err := o.routes()
	if err != nil {
		return nil, err
	}
	in, err := readInputs(o, newKinds(o, resolve, ca))
	if err != nil {
		return nil, err
	}
	faults, err := readInjections(o, in, server)
	if err != nil {
		return nil, &inputError{err}
	}
	made, err := plan(o, in)
	if err != nil {
		return nil, err
	}
	in.static = len(server.webhooks()) > 0
	in.tell(o.stderr, o.forObjects())
	for _, c := range in.configurations {
		trust(c, ca)
	}
	s := &session{requests: made, webhooks: in.webhooks(server), server: server, objects: in.kinds.ObjectInterfaces(), authority: newAuthority(o.authorizer, in)}
	if err := s.reach(o, credentials, resolve, faults); err != nil {
		return s, err
	}
	return s, s.connect(o, in)
}

// reach prepares the ways to the webhooks, and to what is in their place.
func (s *session) reach(o *options, credentials credentials, resolve routes.Table, faults []aimed) error {
	var err error
	if o.instead != nil {
		s.injected = &injected{next: o.instead}
		return nil
	}
	if s.clients, err = newClients(o, s.server, credentials, resolve); err != nil {
		return err
	}
	s.injected = &injected{next: s.clients}
	return s.injected.start(faults, o.exact)
}

// connect puts the engine together.
func (s *session) connect(o *options, in *inputs) error {
	webhooks, err := source.Fixed(in.configurations)
	if err != nil {
		return fmt.Errorf("loading the webhook configurations: %w", err)
	}
	labels, err := source.FixedNamespaces(describeAll(in.namespaces, s.requests, o.stderr)...)
	if err != nil {
		return fmt.Errorf("loading the namespaces: %w", err)
	}
	s.injected.announce(o.stderr)
	s.dispatcher, err = dispatcher.New(dispatcher.Config{
		Source:     static.Join(webhooks, s.server.folders...),
		Client:     s.injected,
		Namespaces: labels,
		Authorizer: s.authority,
		Exact:      o.exact,
	})
	return err
}

// close lets go of connections and ends the fault servers.
func (s *session) close() {
	if s.injected != nil {
		s.injected.close()
	}
	s.clients.close()
}

// admit takes the objects through the webhooks and shows each to see, until ctx
// is done or see has an error. An object during which ctx ended is not shown: it
// was denied by the interruption and by nothing else.
func (s *session) admit(ctx context.Context, see func(*visit) error) error {
	for _, r := range s.requests {
		response, err := s.dispatcher.Simulate(ctx, r, s.objects)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("admitting %s: %w", reference(r, nil), err)
		}
		if err := see(&visit{request: r, response: response, injected: s.injected}); err != nil {
			return err
		}
	}
	return nil
}
