package harness

import (
	"net/url"
	"strconv"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/test/internal/parity/webhookserver"
)

// services resolves every service to one address.
type services string

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (s services) ResolveEndpoint(string, string, int32) (*url.URL, error) {
	return &url.URL{Scheme: "https", Host: string(s)}, nil
}

// credentials gives the host a different token for each service and each
// address, so that the observation shows which one was sent. It ignores the
// wrapped resolver.
func credentials(webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
	return tokens{}
}

type tokens struct{}

// ClientConfigFor implements webhookutil.AuthenticationInfoResolver.
func (tokens) ClientConfigFor(hostPort string) (*rest.Config, error) {
	return &rest.Config{BearerToken: "url/" + hostPort}, nil
}

// ClientConfigForService implements webhookutil.AuthenticationInfoResolver.
func (tokens) ClientConfigForService(name, namespace string, port int) (*rest.Config, error) {
	return &rest.Config{BearerToken: strings.Join([]string{"service", namespace, name, strconv.Itoa(port)}, "/")}, nil
}

// Connect puts the test server in the place of the host "webhook" and of the
// bundle "CA".
func Connect(c *registrationv1.WebhookClientConfig, server *webhookserver.Server) {
	if string(c.CABundle) == "CA" {
		c.CABundle = server.CABundle()
	}
	if c.URL == nil {
		return
	}
	if u, err := url.Parse(*c.URL); err == nil && u.Host == "webhook" {
		u.Host = server.Address()
		address := u.String()
		c.URL = &address
	}
}
