package transport

import (
	"context"
	"crypto/tls"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// versions are the checks of the versions of TLS.
func versions() []check.Check {
	return []check.Check{
		{
			Check: report.Check{
				ID: "C-TLS-12", Group: report.TLS, Level: report.Should,
				Title: "speaks TLS 1.2",
				Why:   "kube-apiserver offers TLS 1.2 and 1.3, and the server chooses. One without 1.2 is lost to API servers, and to proxies on the way, that are built or configured without 1.3, as some for FIPS 140 are.",
				Fix:   "Have the server speak both: MinVersion TLS 1.2 and no MaxVersion in tls.Config.",
			},
			Each: speaks("TLS 1.2", tls.VersionTLS12),
		},
		{
			Check: report.Check{
				ID: "C-TLS-13", Group: report.TLS, Level: report.Should,
				Title: "speaks TLS 1.3",
				Why:   "kube-apiserver offers TLS 1.2 and 1.3, and the server chooses. Without 1.3 each new connection takes one round trip more out of the first review's time, and shows the certificate to whoever listens.",
				Fix:   "Have the server speak both: MinVersion TLS 1.2 and no MaxVersion in tls.Config.",
			},
			Each: speaks("TLS 1.3", tls.VersionTLS13),
		},
	}
}

// speaks returns a check that a server speaks a version.
func speaks(name string, version uint16) func(context.Context, *probe.Webhook, *check.Record) {
	return func(ctx context.Context, w *probe.Webhook, r *check.Record) {
		if w.Handled() {
			r.Lacks(own)
			return
		}
		switch _, err := w.Handshake(ctx, version, version); {
		case err == nil:
			r.Saw()
		case probe.Unconnected(err):
			r.Lacks("there is no connection: %v", err)
		default:
			r.Find(check.Finding{}, "there is no connection of %s: %v", name, err)
		}
	}
}
