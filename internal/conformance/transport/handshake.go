package transport

import (
	"context"
	"crypto/tls"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// checkServer returns a check of what a server shows in a TLS handshake.
func checkServer(
	at func(*probe.Webhook, *probe.Server, *check.Record),
) func(context.Context, *probe.Webhook, *check.Record) {
	return func(ctx context.Context, w *probe.Webhook, r *check.Record) {
		if server := serverOf(ctx, w, r); server != nil {
			at(w, server, r)
		}
	}
}

// serverOf connects as kube-apiserver does. It returns nil if it cannot, and
// sets the skip message.
func serverOf(ctx context.Context, w *probe.Webhook, r *check.Record) *probe.Server {
	if w.Config().OwnServer {
		r.Missing(ownServer)
		return nil
	}
	server, err := w.Handshake(ctx, tls.VersionTLS12, tls.VersionTLS13)
	if err != nil {
		r.Missing("there is no TLS connection: %v", err)
		return nil
	}
	return server
}

// supports returns a check that a server supports a TLS version.
func supports(name string, version uint16) func(context.Context, *probe.Webhook, *check.Record) {
	return func(ctx context.Context, w *probe.Webhook, r *check.Record) {
		if w.Config().OwnServer {
			r.Missing(ownServer)
			return
		}
		switch _, err := w.Handshake(ctx, version, version); {
		case err == nil:
			r.Checked()
		case probe.IsDialError(err):
			r.Missing("there is no connection: %v", err)
		default:
			r.Add(check.Finding{}, "there is no connection of %s: %v", name, err)
		}
	}
}
