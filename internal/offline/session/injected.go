package session

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/test/faultserver"
)

// injected calls fault servers in place of some webhooks, and next for the
// others. The stand-ins do not change after start.
type injected struct {
	next     dispatcher.Client
	standIns []*standIn
}

var _ dispatcher.Client = (*injected)(nil)

// standIn is the fault server in place of a webhook. Each webhook has one, so
// that a script counts the requests of one webhook.
type standIn struct {
	target
	server   *faultserver.Server
	client   *client.Client
	caBundle []byte
	called   atomic.Bool
}

// start starts a server for each fault. The caller must call close also after
// an error.
func (i *injected) start(faults []target, exact bool) error {
	for _, f := range faults {
		s, err := newStandIn(f, exact)
		if err != nil {
			return fmt.Errorf("injecting %s into %s: %w", f.Fault.Name, f.name, err)
		}
		i.standIns = append(i.standIns, s)
	}
	return nil
}

// newStandIn uses real sockets for all faults, because some need them and the
// texts of network errors should be those of networks.
func newStandIn(f target, exact bool) (*standIn, error) {
	server, err := faultserver.Listen(f.Fault.Script)
	if err != nil {
		return nil, err
	}
	// The server answers at every address, also of a redirect.
	c, err := client.New(client.Config{AuthInfo: anonymousAuth(), Dial: server.Dial, Exact: exact})
	if err != nil {
		_ = server.Close()
		return nil, err
	}
	return &standIn{target: f, server: server, client: c, caBundle: server.CABundle()}, nil
}

// Endpoint returns the endpoint of the webhook or of its stand-in.
func (i *injected) Endpoint(
	ctx context.Context, w *admission.Webhook,
) (*dispatcher.Endpoint, error) {
	s := i.find(NameOf(w))
	if s == nil {
		return i.next.Endpoint(ctx, w)
	}
	s.called.Store(true)
	trusting := *w
	trusting.ClientConfig.CABundle = s.caBundle
	return s.client.Endpoint(ctx, &trusting)
}

// find returns the stand-in of a webhook, or nil.
func (i *injected) find(h WebhookName) *standIn {
	at := slices.IndexFunc(i.standIns, func(s *standIn) bool { return s.name == h })
	if at < 0 {
		return nil
	}
	return i.standIns[at]
}

// faultFor returns the name of a webhook's fault, or "".
func (i *injected) faultFor(h WebhookName) string {
	if s := i.find(h); s != nil {
		return s.Fault.Name
	}
	return ""
}

// groups returns the stand-ins of each value of --inject, in order.
func (i *injected) groups() [][]*standIn {
	var groups [][]*standIn
	for _, s := range i.standIns {
		if last := len(groups) - 1; last >= 0 && s.IsPattern() && groups[last][0].Value == s.Value {
			groups[last] = append(groups[last], s)
		} else {
			groups = append(groups, []*standIn{s})
		}
	}
	return groups
}

// groupName names the webhooks of a group.
func groupName(group []*standIn) string {
	if first := group[0]; !first.IsPattern() {
		return first.name.String()
	}
	return fmt.Sprintf("%s that %q selects", message.Count(len(group), "webhook"), group[0].Webhook)
}

// announce prints the faults, one line for each value of --inject.
func (i *injected) announce(stderr io.Writer) {
	for _, group := range i.groups() {
		fault := group[0].Fault.Name
		if summary := group[0].Fault.Summary; summary != "" {
			fault += " (" + summary + ")"
		}
		message.Notice(stderr, "injected into %s: %s", groupName(group), fault)
	}
}

// printRemarks prints which faults had no effect. One webhook of a pattern is
// enough.
func (i *injected) printRemarks(stderr io.Writer) {
	for _, group := range i.groups() {
		if !slices.ContainsFunc(group, func(s *standIn) bool { return s.called.Load() }) {
			verb := "was"
			if len(group) > 1 {
				verb = "were"
			}
			message.Notice(stderr, "%s %s never called: the fault %s had no effect", groupName(group), verb,
				group[0].Fault.Name)
		}
	}
	for _, s := range i.standIns {
		if problems := s.problems(); len(problems) > 0 {
			message.Notice(stderr, "%s: some steps of %s failed: %s", s.name, s.Fault.Name,
				strings.Join(problems, "; "))
		}
	}
}

// problems returns the problems of the script, each once.
func (s *standIn) problems() []string {
	problems := s.server.Record().Problems
	slices.Sort(problems)
	return slices.Compact(problems)
}

// close stops the servers and their connections.
func (i *injected) close() {
	for _, s := range i.standIns {
		s.client.Close()
		_ = s.server.Close() // the process ends soon
	}
}
