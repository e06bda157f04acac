package webhooks

import (
	"crypto/tls"
	_ "embed" // of webhooks.yaml
	"net/http"

	"example.com/gatehouse/internal/certs"
)

// The services that the webhooks are behind, as webhooks.yaml has them.
const (
	mutating   = "mutating.webhooks.svc"
	validating = "validating.webhooks.svc"
)

//go:embed webhooks.yaml
var configuration string

// Server is the three webhooks, and everything that they need to be reached. It is made by
// New or by Twin.Server.
type Server struct {
	defaults, sidecar, policy *webhook

	ledger *ledger
	// configuration is webhooks.yaml.
	configuration string
	// certify makes the certificate of a service.
	certify func(a *certs.Authority, service string) (tls.Certificate, error)
	// tls is what the server speaks, without certificates.
	tls *tls.Config
}

// New returns the good webhooks.
func New() *Server {
	s := &Server{
		defaults:      newWebhook(fillIn),
		sidecar:       newWebhook(inject),
		policy:        newWebhook(judge),
		ledger:        &ledger{counts: map[string]int{}},
		configuration: configuration,
		certify:       func(a *certs.Authority, service string) (tls.Certificate, error) { return a.Server(service) },
		tls:           &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}},
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
