package session

import (
	"errors"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/inject"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/reach"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// inputs are the valid inputs of a session.
type inputs struct {
	*parsed
	// dialer connects to webhooks.
	dialer *resolve.Dialer
	// ca is the content of --ca-file; nil if there is none.
	ca          []byte
	server      *server
	credentials credentials
	kinds       *kinds.Registry
	cluster     *cluster.Set
	// webhooks are all webhooks, those of the server first.
	webhooks []*admission.Webhook
	// targets are the faults, with their scripts.
	targets []target
}

// readInputs checks the options, reads their files and prints remarks.
func readInputs(o *Options) (*inputs, error) {
	p, err := o.parse()
	if err != nil {
		return nil, &message.UsageError{Err: err}
	}
	m := &inputs{parsed: p, dialer: &resolve.Dialer{
		Routes: p.routes, Anywhere: o.Anywhere, Forward: o.Forward,
	}}
	if err := m.read(o); err != nil {
		m.close()
		return nil, m.inputError(err)
	}
	m.printRemarks(o)
	return m, nil
}

// inputError returns the error about the files. Its type distinguishes mistakes
// from conversion webhooks that were not reached.
func (m *inputs) inputError(err error) error {
	var notReached *resolve.NotReachedError
	if !errors.As(err, &notReached) {
		return &message.InputError{Err: err}
	}
	hint := errors.New("hint: " + reach.Flags(m.dialer, m.ca).NotReachedHint(notReached.Address))
	return &message.NotReachedError{Err: errors.Join(err, hint)}
}

// read reads the files; those that others depend on come first.
func (m *inputs) read(o *Options) (err error) {
	if m.ca, err = flags.CA(o.CAFile); err != nil {
		return err
	}
	if m.server, err = readServer(o, m.ca); err != nil {
		return err
	}
	if m.credentials, err = readCredentials(o, m.server); err != nil {
		return err
	}
	if err := o.requestFlags.readPatch(&m.settings); err != nil {
		return err
	}
	m.kinds = cluster.NewKinds(m.dialer, m.ca, !o.requestFlags.noDefaulting)
	if m.cluster, err = cluster.Read(o.inputs(m.settings), m.kinds); err != nil {
		return err
	}
	for _, c := range o.Configurations {
		m.cluster.Configurations = append(m.cluster.Configurations, c.DeepCopyObject())
	}
	for _, c := range m.cluster.Configurations {
		webhookconfig.Trust(c, m.ca)
	}
	m.webhooks = slices.Concat(m.server.webhooks(), webhookconfig.Webhooks(m.cluster.Configurations))
	if err := inject.ReadScripts(m.faults, o.Stdin); err != nil {
		return err
	}
	m.targets, err = findTargets(m.faults, m.webhooks)
	return err
}

// printRemarks prints what is valid but probably not intended.
func (m *inputs) printRemarks(o *Options) {
	for _, remark := range m.cluster.Remarks(cluster.Use{
		Unheeded:      o.requestFlags.forObjects(),
		OtherWebhooks: len(m.server.webhooks()) > 0,
		Unadmitted:    o.Optional,
	}) {
		message.Notice(o.Stderr, "%s", remark)
	}
}

// close removes what was kept of the files.
func (m *inputs) close() {
	if m.cluster != nil {
		m.cluster.Close()
	}
}
