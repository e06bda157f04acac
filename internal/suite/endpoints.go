package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/suite/suitefile"
)

// entry is an item of the suite's webhooks, which overrides the address of
// webhooks.
type entry struct {
	*suitefile.Webhook
	// field is its position, as in "webhooks[0]".
	field    string
	webhooks []*admission.Webhook
	// ca is the content of CAFile, or nil.
	ca []byte
}

// findWebhooks lists the webhooks and assigns them to entries.
func (s *Suite) findWebhooks() error {
	s.webhooks = webhookconfig.Webhooks(s.in.Configurations)
	if len(s.webhooks)+len(s.in.Policies) == 0 {
		return s.from.Wrap("configurations", errors.New("they have no webhook and no policy"))
	}
	for _, w := range s.webhooks {
		if e := s.entryOf(w); e != nil {
			e.webhooks = append(e.webhooks, w)
			s.route(w, e.Address) // requests are converted before there is an environment
		}
	}
	var problems []error
	for _, e := range s.entries {
		switch {
		case len(e.webhooks) > 0:
		case e.Name == "":
			problems = append(
				problems, s.from.Wrap(e.field, errors.New("all webhooks have other entries")))
		default:
			problems = append(problems, s.from.Wrap(e.field+".name", fmt.Errorf("there is no webhook %q: there are %s", e.Name, strings.Join(s.names(), ", "))))
		}
	}
	return errors.Join(problems...)
}

// readCAFiles reads the CA files of the entries.
func (s *Suite) readCAFiles() error {
	var problems []error
	for i := range s.from.Webhooks {
		e := entry{Webhook: &s.from.Webhooks[i], field: fmt.Sprintf("webhooks[%d]", i)}
		var err error
		if e.ca, err = webhookconfig.ReadCA(e.CAFile); err != nil {
			problems = append(problems, s.from.Wrap(e.field+".caFile", err))
		}
		s.entries = append(s.entries, e)
	}
	return errors.Join(problems...)
}

// entryOf returns the most specific entry of a webhook; nil if there is none.
func (s *Suite) entryOf(w *admission.Webhook) *entry {
	for _, name := range append(webhookconfig.Names(w), "") {
		at := slices.IndexFunc(s.entries, func(e entry) bool { return e.Name == name })
		if at >= 0 {
			return &s.entries[at]
		}
	}
	return nil
}

// HasAddress reports whether an entry gives the address of a webhook. The
// webhooks of a command have none until it runs.
func (s *Suite) HasAddress(w *admission.Webhook) bool {
	e := s.entryOf(w)
	return e != nil && e.Address != ""
}

// route redirects conversion webhooks at the address of a webhook.
func (s *Suite) route(w *admission.Webhook, to string) {
	// A webhook with an invalid address fails when it is called.
	if address, _, err := webhookconfig.Address(w); err == nil && to != "" {
		s.dialer.Routes[address] = to
	}
}

// names returns the names of all webhooks, as CONFIGURATION/NAME.
func (s *Suite) names() []string {
	var names []string
	for _, w := range s.webhooks {
		names = append(names, webhookconfig.FullName(w))
	}
	return names
}
