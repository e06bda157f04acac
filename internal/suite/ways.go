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

// entry is a place where webhooks are, in place of where their configurations say.
type entry struct {
	*suitefile.Webhook
	// field is where it is written.
	field    string
	webhooks []*admission.Webhook
	// ca is that of the CAFile; nil if there is none.
	ca []byte
}

// find finds out which webhooks there are, and who is where.
func (s *Suite) find() error {
	s.webhooks = webhookconfig.Webhooks(s.in.Configurations)
	if len(s.webhooks) == 0 {
		return s.from.Wrap("configurations", errors.New("there is no webhook among them"))
	}
	for _, w := range s.webhooks {
		if e := s.entryOf(w); e != nil {
			e.webhooks = append(e.webhooks, w)
			s.route(w, e.Address) // requests are converted before there is a stage
		}
	}
	var problems []error
	for i := range s.entries {
		problems = append(problems, s.checkEntry(&s.entries[i]))
	}
	return errors.Join(problems...)
}

// readEntries reads what the entries name.
func (s *Suite) readEntries() error {
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

// entryOf returns the entry that says where a webhook is: the one that says most about
// which one is meant. It is nil if there is none.
func (s *Suite) entryOf(w *admission.Webhook) *entry {
	for _, name := range append(webhookconfig.Names(w), "") {
		at := slices.IndexFunc(s.entries, func(e entry) bool { return e.Name == name })
		if at >= 0 {
			return &s.entries[at]
		}
	}
	return nil
}

// HasAddress reports whether an entry of the suite gives the address of a webhook. The
// webhooks of a command have none until it runs.
func (s *Suite) HasAddress(w *admission.Webhook) bool {
	e := s.entryOf(w)
	return e != nil && e.Address != ""
}

// checkEntry reports an entry that is nobody's.
func (s *Suite) checkEntry(e *entry) error {
	if len(e.webhooks) == 0 {
		if e.Name == "" {
			return s.from.Wrap(e.field, errors.New("every webhook has an entry of its own already"))
		}
		return s.from.Wrap(e.field+".name", fmt.Errorf("there is no webhook %q: there are %s", e.Name, strings.Join(s.names(), ", ")))
	}
	return nil
}

// route has conversions find the conversion webhooks that are where a webhook is.
func (s *Suite) route(w *admission.Webhook, to string) {
	// One without an address cannot be called: its calls will fail as in a cluster.
	if address, _, err := webhookconfig.Address(w); err == nil && to != "" {
		s.routes[address] = to
	}
}

// names returns those of all webhooks, as CONFIGURATION/NAME.
func (s *Suite) names() []string {
	var names []string
	for _, w := range s.webhooks {
		names = append(names, webhookconfig.FullName(w))
	}
	return names
}
