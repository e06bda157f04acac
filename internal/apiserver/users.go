package apiserver

import (
	"fmt"

	"k8s.io/client-go/rest"
)

// UserConfig returns the configuration of a client with a certificate for the
// user with this name in these groups. Like ClientConfig, it has no rate limit.
func (s *Server) UserConfig(name string, groups ...string) (*rest.Config, error) {
	pair, err := s.identity.IssueClient(name, groups...)
	if err != nil {
		return nil, fmt.Errorf("issuing a client certificate for the user %s: %w", name, err)
	}
	config := s.ClientConfig()
	config.BearerToken = ""
	config.CertData, config.KeyData = pair.Certificate, pair.Key
	return config, nil
}
