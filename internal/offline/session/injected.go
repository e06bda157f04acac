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

// injected sends the calls of some webhooks to fault servers, and leaves the
// others to next. Which they are does not change after start.
type injected struct {
	next     dispatcher.Client
	standIns []*standIn
}

var _ dispatcher.Client = (*injected)(nil)

// standIn is what answers in place of a webhook. Every webhook has its own, so
// that a script which counts requests counts those of one webhook.
type standIn struct {
	aimed
	server   *faultserver.Server
	client   *client.Client
	caBundle []byte
	called   atomic.Bool
}

// start starts a server for each fault. If it fails, close is needed all the
// same.
func (i *injected) start(faults []aimed, exact bool) error {
	for _, f := range faults {
		s, err := newStandIn(f, exact)
		if err != nil {
			return fmt.Errorf("injecting %s into %s: %w", f.Fault.Name, f.Hook, err)
		}
		i.standIns = append(i.standIns, s)
	}
	return nil
}

// newStandIn uses real sockets for all faults, because some need them and the
// texts of network errors should be those of networks.
func newStandIn(f aimed, exact bool) (*standIn, error) {
	server, err := faultserver.Listen(f.Fault.Script)
	if err != nil {
		return nil, err
	}
	// Whatever address is dialed, a redirect's too, it is the server that answers.
	c, err := client.New(client.Config{AuthInfo: stranger{}, Dial: server.Dial, Exact: exact})
	if err != nil {
		_ = server.Close()
		return nil, err
	}
	return &standIn{aimed: f, server: server, client: c, caBundle: server.CABundle()}, nil
}

// Endpoint returns how to reach the webhook, or what is in its place.
func (i *injected) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	s := i.find(HookOf(w))
	if s == nil {
		return i.next.Endpoint(ctx, w)
	}
	s.called.Store(true)
	trusting := *w
	trusting.ClientConfig.CABundle = s.caBundle
	return s.client.Endpoint(ctx, &trusting)
}

// find returns what is in the webhook's place, or nil.
func (i *injected) find(h Hook) *standIn {
	at := slices.IndexFunc(i.standIns, func(s *standIn) bool { return s.Hook == h })
	if at < 0 {
		return nil
	}
	return i.standIns[at]
}

// in returns the name of the fault in the webhook's place, or "".
func (i *injected) in(h Hook) string {
	if s := i.find(h); s != nil {
		return s.Fault.Name
	}
	return ""
}

// announce says which results are not those of webhooks.
func (i *injected) announce(stderr io.Writer) {
	for _, s := range i.standIns {
		if s.Fault.Summary == "" {
			message.Notice(stderr, "injected into %s: %s", s.Hook, s.Fault.Name)
		} else {
			message.Notice(stderr, "injected into %s: %s (%s)", s.Hook, s.Fault.Name, s.Fault.Summary)
		}
	}
}

// tell says which faults did not come about. It is for the end.
func (i *injected) tell(stderr io.Writer) {
	for _, s := range i.standIns {
		if !s.called.Load() {
			message.Notice(stderr, "%s was never called: %s changed nothing", s.Hook, s.Fault.Name)
		}
		if problems := s.problems(); len(problems) > 0 {
			message.Notice(stderr, "%s: not all of %s could be done: %s", s.Hook, s.Fault.Name, strings.Join(problems, "; "))
		}
	}
}

// problems returns what the script could not do, each thing once.
func (s *standIn) problems() []string {
	problems := s.server.Record().Problems
	slices.Sort(problems)
	return slices.Compact(problems)
}

// close ends the servers and whatever still hangs on them.
func (i *injected) close() {
	for _, s := range i.standIns {
		s.client.Close()
		_ = s.server.Close() // the process ends soon, with whatever has not ended yet
	}
}
