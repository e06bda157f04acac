package transport

import (
	"context"
	"crypto/tls"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// certificates are the checks of certificates. What follows from a failure is the same for
// all of them.
func certificates() []check.Check {
	const refused = "kube-apiserver does not connect then: every call fails, and failurePolicy decides."
	return []check.Check{
		{
			Check: report.Check{
				ID: "C-TLS-CHAIN", Group: report.TLS, Level: report.Must,
				Title: "has a certificate that the caBundle vouches for",
				Why:   "The certificate has to be signed by one in caBundle or in the kubeconfig that kube-apiserver's admission configuration has for webhooks, which is not looked at here. If neither has any, it has to be signed by a root of the system on which kube-apiserver runs. " + refused,
				Fix:   "Put the CA, in PEM, into clientConfig.caBundle (cert-manager's CA injector does), and renew it with the CA. Have the server send intermediate certificates after its own.",
			},
			Each: look(vouchedFor),
		},
		{
			Check: report.Check{
				ID: "C-TLS-NAME", Group: report.TLS, Level: report.Must,
				Title: "has a certificate for the name that is called",
				Why:   "The certificate has to name SERVICE.NAMESPACE.svc or, for a webhook with a URL, the URL's host, an address as an IP address. " + refused,
				Fix:   "Issue the certificate with that name among its subject alternative names.",
			},
			Each: look(hasName),
		},
		{
			Check: report.Check{
				ID: "C-TLS-EXPIRY", Group: report.TLS, Level: report.Must,
				Title: "has certificates that are valid now",
				Why:   "All certificates of a chain have to be valid at the time of the call, that of the CA, too. " + refused,
				Fix:   "Renew the certificate, and have it renewed from now on; the server has to load it again, too (tls.Config.GetCertificate).",
			},
			Each: look(throughout(dates)),
		},
		{
			Check: report.Check{
				ID: "C-TLS-SHA1", Group: report.TLS, Level: report.Must,
				Title: "has no certificate that is signed over SHA-1",
				Why:   "Signatures over SHA-1 can be forged, and count for nothing but in certificates that are trusted themselves. " + refused,
				Fix:   "Issue the certificate anew, signed over SHA-256.",
			},
			Each: look(throughout(signature)),
		},
		{
			Check: report.Check{
				ID: "C-TLS-COMMON-NAME", Group: report.TLS, Level: report.Must,
				Title: "has its names where they are looked for",
				Why:   "Only subject alternative names count, not the common name. " + refused,
				Fix:   "Issue the certificate with subject alternative names (openssl: -addext subjectAltName=DNS:…).",
			},
			Each: look(hasAlternativeNames),
		},
		{
			Check: report.Check{
				ID: "C-TLS-KEY-USAGE", Group: report.TLS, Level: report.Must,
				Title: "has a certificate for servers",
				Why:   "A certificate that says what its key is for has to say servers, and so have those that signed it. " + refused,
				Fix:   "Issue the certificate with the extended key usage serverAuth.",
			},
			Each: look(throughout(usage)),
		},
	}
}

// look returns a check that looks at what a server shows, if there is something to see.
func look(at func(*probe.Webhook, *probe.Server, *check.Record)) func(context.Context, *probe.Webhook, *check.Record) {
	return func(ctx context.Context, w *probe.Webhook, r *check.Record) {
		if server := serverOf(ctx, w, r); server != nil {
			at(w, server, r)
		}
	}
}

// serverOf connects as kube-apiserver would. It is nil if there is nothing to see.
func serverOf(ctx context.Context, w *probe.Webhook, r *check.Record) *probe.Server {
	if w.Handled() {
		r.Lacks(own)
		return nil
	}
	server, err := w.Handshake(ctx, tls.VersionTLS12, tls.VersionTLS13)
	if err != nil {
		r.Lacks("there is no TLS connection: %v", err)
		return nil
	}
	return server
}
