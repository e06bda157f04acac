package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/gatehouse/examples/webhooks"
	"example.com/gatehouse/internal/testutil/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestList(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run(t.Context(), options{list: true}, &out); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(out.String(), "\n"), len(webhooks.Twins()); got != want {
		t.Errorf("got %d lines, want one for each of %d twins\n%s", got, want, out.String())
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), options{broken: "C-NOTHING", address: "127.0.0.1:0"}, io.Discard)
	if err == nil || err.Error() != `there is no twin that fails "C-NOTHING": -list lists them` {
		t.Errorf("got error %v", err)
	}
}

// TestServe reads the ledger at the printed address, with the printed
// certificate, and requires that no file is left.
func TestServe(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, options{broken: "C-UID", address: "127.0.0.1:0"}, writer) }()
	invited := make([]byte, 4096)
	n, err := reader.Read(invited)
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?s)-f (\S+) .*--ca-file (\S+) .*--observe (\S+) .*examples/webhooks/samples`).FindStringSubmatch(string(invited[:n]))
	if named == nil {
		t.Fatalf("the invitation is %q", invited[:n])
	}
	if got := get(t, named[2], named[3]); got != "{}\n" {
		t.Errorf("the ledger is %q", got)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(named[1])); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

// get returns the content of a URL; the file contains the CA certificate.
func get(t *testing.T, caFile, url string) string {
	t.Helper()
	bundle, err := os.ReadFile(caFile)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
