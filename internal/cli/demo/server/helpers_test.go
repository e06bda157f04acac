package server_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/examples/quickstart"
	"example.com/gatehouse/internal/cli/demo/server"
)

// start runs a server for the length of the test.
func start(t *testing.T) *server.Server {
	t.Helper()
	server, err := server.Start()
	if err != nil {
		t.Fatalf("Start: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	host, _, err := net.SplitHostPort(server.Addr())
	if err != nil || host != "127.0.0.1" {
		t.Fatalf("the server is at %q, want a port of 127.0.0.1", server.Addr())
	}
	return server
}

// newClient returns a client that trusts one server and expects one name.
func newClient(t *testing.T, trusted *server.Server, serverName string) *http.Client {
	t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(trusted.CABundle()) {
		t.Fatal("the bundle holds no certificate")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: serverName}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// services returns the services of the quickstart's configurations.
func services(t *testing.T) []*registrationv1.ServiceReference {
	t.Helper()
	data, err := quickstart.Files().ReadFile("webhooks.yaml")
	if err != nil {
		t.Fatalf("reading: %v", err)
	}
	var services []*registrationv1.ServiceReference
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return services
		}
		if err != nil {
			t.Fatalf("splitting: %v", err)
		}
		// Of the two kinds, only the part that is the same is of interest here.
		var configuration registrationv1.ValidatingWebhookConfiguration
		if err := yaml.Unmarshal(document, &configuration); err != nil {
			t.Fatalf("decoding: %v", err)
		}
		for _, w := range configuration.Webhooks {
			services = append(services, w.ClientConfig.Service)
		}
	}
}
