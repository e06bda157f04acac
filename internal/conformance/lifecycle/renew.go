package lifecycle

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// renews replaces the files of the first process's certificate and authority, and
// makes connections until one has the new certificate.
func (l *Launcher) renews(ctx context.Context, c *probe.Collection, r *check.Record) {
	questions := questionsOf(c, r)
	if len(questions) == 0 {
		return
	}
	w := questions[0].of
	server, err := w.Handshake(ctx, tls.VersionTLS12, tls.VersionTLS13)
	if err != nil {
		r.Missing("there is no TLS connection: %v", err)
		return
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(l.CABundle())
	if _, err := server.Certificates[0].Verify(x509.VerifyOptions{Roots: roots}); err != nil {
		r.Missing("the webhook does not serve the certificate in $CERT_DIR: %v", err)
		return
	}
	leaf, err := l.first.Renew()
	if err != nil {
		r.Missing("%v", err)
		return
	}
	r.Checked()
	began := time.Now()
	for {
		server, err := w.Handshake(ctx, tls.VersionTLS12, tls.VersionTLS13)
		if err == nil && bytes.Equal(server.Certificates[0].Raw, leaf) {
			r.Note("connections have the new certificate after %s",
				time.Since(began).Round(100*time.Millisecond))
			return
		}
		if ctx.Err() != nil || time.Since(began) > l.exec.Timeout {
			l.reportOld(r, err)
			return
		}
		pause(ctx, 100*time.Millisecond)
	}
}

// reportOld reports what the last connection had in place of the new
// certificate.
func (l *Launcher) reportOld(r *check.Record, err error) {
	const message = "%s after the files of the certificate and its CA were replaced, "
	if err != nil {
		r.Add(check.Finding{}, message+"there is no TLS connection: %v", l.exec.Timeout, err)
		return
	}
	r.Add(check.Finding{}, message+"connections still have the old one", l.exec.Timeout)
}
