package client

import (
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
)

// writeClientCertificate writes a certificate and its key into files.
func writeClientCertificate(t *testing.T) (certFile, keyFile string) {
	t.Helper()
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "client.crt"), filepath.Join(dir, "client.key")
	renewClientCertificate(t, certFile, keyFile)
	return certFile, keyFile
}

// renewClientCertificate replaces both files.
func renewClientCertificate(t *testing.T, certFile, keyFile string) {
	t.Helper()
	_, cert := newCertificate(t, []string{"client"})
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		certFile: {Type: "CERTIFICATE", Bytes: cert.Certificate[0]},
		keyFile:  {Type: "PRIVATE KEY", Bytes: key},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestClientCertificateFiles: the next connection uses a renewed certificate,
// with the same endpoint.
func TestClientCertificateFiles(t *testing.T) {
	t.Parallel()
	var serials []string
	b := startBackend(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		for _, cert := range r.TLS.PeerCertificates {
			serials = append(serials, string(cert.Signature))
		}
	}), "hook.example")
	certFile, keyFile := writeClientCertificate(t)
	c := newClient(t, Config{Dial: b.dial, AuthInfo: authInfo(&rest.Config{
		TLSClientConfig: rest.TLSClientConfig{CertFile: certFile, KeyFile: keyFile},
	})})
	e := endpoint(t, c, urlHook("https://hook.example", b.ca))
	for range 2 {
		if _, err := postTo(t, e, "{}"); err != nil {
			t.Fatal(err)
		}
		httpTransport(e.HTTP.Transport).CloseIdleConnections()
		renewClientCertificate(t, certFile, keyFile)
	}
	if len(serials) != 2 || serials[0] == serials[1] {
		t.Errorf("%d certificates were shown, want two different ones", len(serials))
	}
}

type badCertificateRow struct {
	row
	cert, key string
	// endpoint and call are the errors of Endpoint and of the call.
	endpoint, call string
}

func TestBadClientCertificate(t *testing.T) {
	t.Parallel()
	b := startBackend(t, http.HandlerFunc(ok), "hook.example")
	certFile, keyFile := writeClientCertificate(t)
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	rows := []badCertificateRow{
		{row{"good", "the files are valid"}, certFile, keyFile, "", ""},
		{row{"no certificate", "the endpoint is not created"}, "/nowhere/crt", keyFile, "open /nowhere/crt: no such file or directory", ""},
		{row{"no key", "the endpoint is not created"}, certFile, "/nowhere/key", "open /nowhere/key: no such file or directory", ""},
		{row{"no PEM", "is an error of the handshake, as in client-go"}, empty, keyFile, "", "tls: failed to find any PEM data in certificate input"},
	}
	testtable.Run(t, rows, func(t *testing.T, r badCertificateRow) {
		c := newClient(t, Config{Dial: b.dial, AuthInfo: authInfo(&rest.Config{
			TLSClientConfig: rest.TLSClientConfig{CertFile: r.cert, KeyFile: r.key},
		})})
		_, err := c.Endpoint(t.Context(), urlHook("https://hook.example", b.ca))
		if diff := cmp.Diff(r.endpoint, testtable.Text(err)); diff != "" {
			t.Fatalf("endpoint (-want +got):\n%s", diff)
		}
		if err != nil {
			return
		}
		_, err = post(t, c, urlHook("https://hook.example", b.ca), "{}")
		if (err == nil) != (r.call == "") || !strings.HasSuffix(testtable.Text(err), r.call) {
			t.Errorf("call: error %v, want %q", err, r.call)
		}
	})
}

// TestCertificateData: as in client-go, data takes precedence over files, which
// are not read.
func TestCertificateData(t *testing.T) {
	t.Parallel()
	b := startBackend(t, http.HandlerFunc(ok), "hook.example")
	certFile, keyFile := writeClientCertificate(t)
	cfg := &rest.Config{TLSClientConfig: rest.TLSClientConfig{CertFile: "/nowhere/crt", KeyFile: "/nowhere/key"}}
	for file, data := range map[string]*[]byte{certFile: &cfg.CertData, keyFile: &cfg.KeyData} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		*data = content
	}
	c := newClient(t, Config{Dial: b.dial, AuthInfo: authInfo(cfg)})
	if _, err := post(t, c, urlHook("https://hook.example", b.ca), "{}"); err != nil {
		t.Error(err)
	}
}
