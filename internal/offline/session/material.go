package session

import (
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/inject"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// material is what a session is made of: everything that options name, read and found
// good.
type material struct {
	*parsed
	// ca is that of --ca-file; nil if there is none.
	ca          []byte
	server      *server
	credentials credentials
	kinds       *kinds.Registry
	inputs      *cluster.Set
	// webhooks are all there are, those of the server first.
	webhooks []*admission.Webhook
	// aimed are the faults, complete.
	aimed    []aimed
	requests []*admission.Request
	// maker has made the requests.
	maker *requests.Maker
}

// gather checks the options, reads the files that they name and says what may not be what
// was meant. It connects to no admission webhook, but to conversion webhooks if objects
// have to be converted.
func gather(o *Options) (*material, error) {
	p, err := o.parse()
	if err != nil {
		return nil, &message.UsageError{Err: err}
	}
	m := &material{parsed: p}
	if err := m.read(o); err != nil {
		return nil, &message.InputError{Err: err}
	}
	if m.maker, err = m.inputs.Maker(m.settings); err != nil {
		return nil, err
	}
	if m.requests, err = m.maker.Make(m.inputs.Objects, m.inputs.Stored); err != nil {
		return nil, &message.InputError{Err: err}
	}
	m.tell(o)
	return m, nil
}

// read reads the files, first those that others depend on.
func (m *material) read(o *Options) (err error) {
	if m.ca, err = flags.CA(o.CAFile); err != nil {
		return err
	}
	if m.server, err = readServer(o, m.ca); err != nil {
		return err
	}
	if m.credentials, err = readCredentials(o, m.server); err != nil {
		return err
	}
	m.kinds = cluster.NewKinds(m.routes, m.ca, !o.asking.noDefaulting)
	if m.inputs, err = cluster.Read(o.inputs(), m.kinds); err != nil {
		return err
	}
	for _, c := range o.Configurations {
		m.inputs.Configurations = append(m.inputs.Configurations, c.DeepCopyObject())
	}
	for _, c := range m.inputs.Configurations {
		webhookconfig.Trust(c, m.ca)
	}
	m.webhooks = slices.Concat(m.server.webhooks(), webhookconfig.Webhooks(m.inputs.Configurations))
	if err := inject.ReadScripts(m.faults, o.Stdin); err != nil {
		return err
	}
	if m.aimed, err = aim(m.faults, m.webhooks); err != nil {
		return err
	}
	return o.asking.readPatch(&m.settings)
}

// tell says what may not be what was meant.
func (m *material) tell(o *Options) {
	for _, remark := range m.inputs.Remarks(cluster.Use{
		Unheeded:      o.asking.forObjects(),
		NotUpdated:    m.maker.Unused(),
		OtherWebhooks: len(m.server.webhooks()) > 0,
		Unadmitted:    o.Optional,
	}) {
		message.Notice(o.Stderr, "%s", remark)
	}
}
