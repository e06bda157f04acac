package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/hostname"
	"example.com/gatehouse/internal/lint/doctor"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// defaultTimeout is that of webhooks without timeoutSeconds.
const defaultTimeout = 10 * time.Second

// connection makes a TLS connection to a webhook, and closes it. The error is why there is
// none, or why an API server would end it.
func (d *dialer) connection(ctx context.Context, w *inventory.Webhook) (doctor.Check, error) {
	timeout := defaultTimeout
	if w.TimeoutSeconds != nil {
		timeout = time.Duration(*w.TimeoutSeconds) * time.Second
	}
	within, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	began := time.Now()
	state, err := d.handshake(within, w.Webhook)
	var chain []string
	for _, c := range state.PeerCertificates {
		chain = append(chain, doctor.Describe(c))
	}
	served := strings.Join(chain, "; ")
	if err == nil {
		return doctor.Check{Name: "connection", Status: doctor.OK, Message: fmt.Sprintf("%s with %s: %s",
			tls.VersionName(state.Version), cmp.Or(state.NegotiatedProtocol, "http/1.1"), served)}, nil
	}
	check := d.failed("connection", &admission.Call{Webhook: w.Webhook, Err: err, Duration: time.Since(began)})
	if errors.Is(err, context.DeadlineExceeded) {
		check.Message = fmt.Sprintf("no TLS connection within %s", timeout)
	}
	if served != "" {
		check.Message += "; it serves " + served
	}
	var invalid x509.CertificateInvalidError
	if errors.As(err, &invalid) && invalid.Reason == x509.Expired {
		check.Remedy = "renew the certificate, or correct the clock of this machine"
	}
	return check, err
}

// handshake verifies the certificate as API servers do: for the name of the service or
// of the URL, and against the caBundle (S-272). The state has the certificates even if
// they are refused.
func (d *dialer) handshake(ctx context.Context, w *admission.Webhook) (tls.ConnectionState, error) {
	var state tls.ConnectionState
	address, name, err := webhookconfig.Address(w)
	if err != nil {
		return state, err
	}
	bundle := w.ClientConfig.CABundle
	if len(bundle) == 0 {
		bundle = d.access.CA
	}
	var roots *x509.CertPool // those of the machine
	if len(bundle) > 0 {
		roots = x509.NewCertPool()
		roots.AppendCertsFromPEM(bundle)
	}
	conn, err := d.access.Dialer.Dial(ctx, "tcp", address)
	if err != nil {
		return state, err
	}
	defer func() { _ = conn.Close() }() // nothing was sent that could be lost
	err = tls.Client(conn, &tls.Config{
		ServerName: name, MinVersion: tls.VersionTLS12, NextProtos: protocols(w, name),
		InsecureSkipVerify: true, // VerifyConnection verifies, and keeps what it refuses
		VerifyConnection: func(s tls.ConnectionState) error {
			state = s
			return verify(s, name, roots)
		},
	}).HandshakeContext(ctx)
	return state, err
}

// protocols are those that API servers offer: HTTP/2 only to a URL of their own machine
// (S-277).
func protocols(w *admission.Webhook, host string) []string {
	if w.ClientConfig.Service == nil && hostname.IsLoopback(host) {
		return []string{"h2", "http/1.1"}
	}
	return []string{"http/1.1"}
}

// verify verifies certificates as crypto/tls does for a client.
func verify(s tls.ConnectionState, name string, roots *x509.CertPool) error {
	between := x509.NewCertPool()
	for _, c := range s.PeerCertificates[1:] {
		between.AddCert(c)
	}
	_, err := s.PeerCertificates[0].Verify(x509.VerifyOptions{
		DNSName: name, Roots: roots, Intermediates: between,
	})
	return err
}
