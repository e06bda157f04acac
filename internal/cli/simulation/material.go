package simulation

import (
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/configuration"
	"example.com/gatehouse/internal/cli/flags"
	"example.com/gatehouse/internal/cli/inject"
	"example.com/gatehouse/internal/cli/inputs"
	"example.com/gatehouse/internal/kinds"
	"example.com/gatehouse/internal/requests"
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
	inputs      *inputs.Set
	// webhooks are all there are, those of the server first.
	webhooks []*admission.Webhook
	// aimed are the faults, complete.
	aimed    []aimed
	requests []*admission.Request
	// maker has made the requests.
	maker *requests.Maker
}

// gather reads the files that options name. It connects to no admission webhook, but
// to conversion webhooks if objects have to be converted.
func gather(o *Options, p *parsed) (*material, error) {
	m := &material{parsed: p}
	if err := m.read(o); err != nil {
		return nil, &command.InputError{Err: err}
	}
	var err error
	m.requests, m.maker, err = plan(m.settings, m.inputs, m.kinds)
	return m, err
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
	m.kinds = newKinds(o, m.routes, m.ca)
	if m.inputs, err = inputs.Read(o.inputs(), m.kinds); err != nil {
		return err
	}
	m.webhooks = slices.Concat(m.server.webhooks(), configuration.Webhooks(m.inputs.Configurations))
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
	m.inputs.Tell(o.Stderr, inputs.Use{
		Unheeded:      o.asking.forObjects(),
		NotUpdated:    m.maker.Unused(),
		OtherWebhooks: len(m.server.webhooks()) > 0,
	})
}
