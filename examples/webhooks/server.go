package webhooks

import (
	"crypto/tls"
	_ "embed" // of webhooks.yaml
	"net/http"

	"example.com/gatehouse/internal/certs"
)

// The services of the webhooks in webhooks.yaml.
const (
	mutating   = "mutating.webhooks.svc"
	validating = "validating.webhooks.svc"
)

//go:embed webhooks.yaml
var configuration string

// Server serves the three webhooks. Use New or Twin.Server to create one.
type Server struct {
	defaults, sidecar, policy *webhook

	ledger *ledger
	// configuration is the content of webhooks.yaml.
	configuration string
	// certify creates the certificate of a service.
	certify func(a *certs.Authority, service string) (tls.Certificate, error)
	// tls is the TLS configuration, without certificates.
	tls *tls.Config
}

// New returns the correct webhooks.
func New() *Server {
	s := &Server{
		defaults:      newWebhook(fillIn),
		sidecar:       newWebhook(inject),
		policy:        newWebhook(judge),
		ledger:        &ledger{counts: map[string]int{}},
		configuration: configuration,
		certify: func(a *certs.Authority, service string) (tls.Certificate,
			error) {
			return a.Server(service)
		},
		tls: &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}},
	}
	s.sidecar.record = s.ledger.record
	return s
}

// Handler returns the webhooks, each under its path, and the ledger.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/defaults", s.defaults.handler())
	mux.Handle("/sidecar", s.sidecar.handler())
	mux.Handle("/policy", s.policy.handler())
	mux.Handle("GET /ledger", s.ledger)
	return mux
}
