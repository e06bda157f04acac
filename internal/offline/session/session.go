package session

import (
	"fmt"
	"io"
	"slices"
	"time"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/dispatcher/source/static"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/internal/offline/reach"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/matching"
)

// Session is a simulation with valid inputs. Prepare creates it.
type Session struct {
	cluster    *cluster.Set
	kinds      *kinds.Registry
	settings   requests.Settings
	webhooks   []*admission.Webhook
	dispatcher *dispatcher.Dispatcher
	clients    clients
	injected   *injected
	access     reach.Access
	// addresses are those of all webhooks, also of conversion webhooks.
	addresses  []string
	objects    apiadmission.ObjectInterfaces
	authorizer *countingAuthorizer
	// options are those of Prepare.
	options *Options
	// config is that of the dispatcher. policies is nil without policies.
	config   dispatcher.Config
	policies *policies.Evaluator
	// parallel is how many requests are admitted at a time, at least 1.
	parallel int
	// timeout bounds a request; 0 for no bound.
	timeout time.Duration
	// metrics counts metrics; nil without Options.Trace.
	metrics *metricsDelta
	stderr  io.Writer
}

// Prepare checks the options, reads their files and starts the fault servers.
// It prints notices to Stderr. The caller must close the session.
//
// A mistake in the options is a message.UsageError, one in the files a
// message.InputError.
func Prepare(o *Options) (*Session, error) {
	m, err := readInputs(o)
	if err != nil {
		return nil, err
	}
	s := &Session{
		cluster: m.cluster, kinds: m.kinds, settings: m.settings, webhooks: m.webhooks,
		objects:    m.kinds.ObjectInterfaces(),
		authorizer: newAuthorizer(o.authorizer, m.cluster), parallel: 1, stderr: o.Stderr,
		timeout: o.requestFlags.timeout, options: o,
		access: reach.Flags(m.dialer, m.ca), addresses: addressesOf(m.webhooks, m.cluster.Definitions),
	}
	// Metrics are those of one request, and scripts count the requests.
	if !o.Trace && len(m.targets) == 0 {
		s.parallel = max(1, o.Parallel)
	}
	if err := s.start(o, m); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// start creates the clients and the dispatcher. The caller must call Close also
// after an error.
func (s *Session) start(o *Options, m *inputs) error {
	if err := s.startClients(o, m); err != nil {
		return err
	}
	return s.newDispatcher(o, m)
}

// startClients creates the clients of the webhooks and starts the fault
// servers.
func (s *Session) startClients(o *Options, m *inputs) error {
	next := o.Client
	if next == nil {
		var err error
		if s.clients, err = newClients(o, m.server, m.credentials, m.dialer); err != nil {
			return err
		}
		next = s.clients
	}
	if o.Stub != nil {
		next = stubs{next: next, stub: o.Stub, routes: m.dialer.Routes}
	}
	s.injected = &injected{next: next}
	return s.injected.start(m.targets, o.exact)
}

// newDispatcher creates the dispatcher.
func (s *Session) newDispatcher(o *Options, m *inputs) error {
	webhooks, err := source.Fixed(m.cluster.Configurations)
	if err != nil {
		return fmt.Errorf("loading the webhook configurations: %w", err)
	}
	labels, read, err := s.namespaces(o, m)
	if err != nil {
		return fmt.Errorf("loading the namespaces: %w", err)
	}
	read.Authorizer, read.Exact = s.authorizer, o.exact
	evaluator, err := m.cluster.Evaluator(read)
	if err != nil {
		return fmt.Errorf("loading the policies: %w", err)
	}
	s.injected.announce(s.stderr)
	config := dispatcher.Config{
		Source:     static.Merge(webhooks, m.server.folders...),
		Client:     s.injected,
		Namespaces: labels,
		Authorizer: s.authorizer,
		Policies:   evaluator,
		Exact:      o.exact,
	}
	config.Trace = o.Bodies
	if o.Trace {
		if s.metrics, err = newMetricsDelta(); err != nil {
			return err
		}
		config.Trace, config.Metrics = true, s.metrics.metrics
	}
	s.policies, _ = evaluator.(*policies.Evaluator)
	s.config = config
	s.dispatcher, err = dispatcher.New(config)
	return err
}

// namespaces returns the namespaces for selectors and for policies.
func (s *Session) namespaces(
	o *Options, m *inputs,
) (labels matching.Namespaces, read policies.Inputs, err error) {
	if o.Namespaces != nil {
		all, err := o.Namespaces(m.cluster.Namespaces)
		return all, policies.Inputs{Lookup: all}, err
	}
	implicit, remarks := m.cluster.ImplicitNamespaces()
	for _, remark := range remarks {
		message.Notice(s.stderr, "%s", remark)
	}
	all := slices.Concat(m.cluster.Namespaces, implicit)
	labels, err = source.FixedNamespaces(all...)
	return labels, policies.Inputs{Namespaces: all}, err
}

// All returns all webhooks, those of the server first, read-only.
func (s *Session) All() []*admission.Webhook { return s.webhooks }

// Webhook returns the webhook with a name, WEBHOOK or CONFIGURATION/WEBHOOK.
// The name may be empty if there is only one webhook. The error names the
// webhooks.
func (s *Session) Webhook(name string) (WebhookName, error) { return oneWebhook(name, s.webhooks) }

// Webhooks returns the webhooks with a name, WEBHOOK or CONFIGURATION/WEBHOOK.
// The error names other webhooks.
func (s *Session) Webhooks(name string) ([]WebhookName, error) {
	return webhooksNamed(name, s.webhooks)
}

// PrintRemarks prints how often conditions called the authorizer, and which
// faults and routes had no effect. Callers call it after Admit.
func (s *Session) PrintRemarks() {
	s.authorizer.printRemarks(s.stderr)
	s.injected.printRemarks(s.stderr)
	printUnusedRoutes(s.stderr, s.access.Dialer, s.addresses)
}

// Close closes connections, stops the fault servers, and removes what was kept of
// standard input and pipes.
func (s *Session) Close() {
	if s.injected != nil {
		s.injected.close()
	}
	s.clients.close()
	s.cluster.Close()
}
