package session

import (
	"context"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// stubs returns the endpoint of Options.Stub, or else that of next.
type stubs struct {
	next   dispatcher.Client
	stub   func(context.Context, *admission.Webhook, bool) (*dispatcher.Endpoint, error)
	routes resolve.Table
}

// Endpoint implements dispatcher.Client.
func (s stubs) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	routed := false
	if address, _, err := webhookconfig.Address(w); err == nil {
		_, routed = s.routes.To(address)
	}
	if e, err := s.stub(ctx, w, routed); e != nil || err != nil {
		return e, err
	}
	return s.next.Endpoint(ctx, w)
}
