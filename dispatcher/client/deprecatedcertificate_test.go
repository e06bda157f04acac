package client

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/metrics/legacyregistry"
)

// counters returns the values of the global counters of S-289.
func counters(t *testing.T) map[string]float64 {
	t.Helper()
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, f := range families {
		if name, ok := strings.CutPrefix(f.GetName(), "apiserver_webhooks_x509_"); ok {
			values[name] = f.GetMetric()[0].GetCounter().GetValue()
		}
	}
	return values
}

// TestDeprecatedCertificates is not parallel with other tests, because the
// counters are global: package webhook of apiserver registers them, and there
// are no others of these names.
func TestDeprecatedCertificates(t *testing.T) {
	before := counters(t)
	if len(before) != 2 {
		t.Fatalf("families %v, want two (S-289)", before)
	}
	b := startBackend(t, http.HandlerFunc(ok))
	if _, err := post(t, newClient(t, Config{}), urlHook("https://"+b.addr, b.ca), "{}"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, counters(t)); diff != "" {
		t.Errorf("a good certificate is counted (-before +after):\n%s", diff)
	}
	// Go no longer creates or accepts such certificates.
	bad := &x509.Certificate{
		SignatureAlgorithm: x509.SHA1WithRSA,
		Issuer:             pkix.Name{CommonName: "CA"}, Subject: pkix.Name{CommonName: "webhook"},
	}
	rt := roundTrip(func(req *http.Request) (*http.Response, error) {
		closeBody(req)
		return &http.Response{
			StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody,
			TLS: &tls.ConnectionState{PeerCertificates: []*x509.Certificate{bad}},
		}, nil
	})
	c := newClient(t, Config{AuthInfo: authInfo(&rest.Config{Transport: rt})})
	if _, err := post(t, c, urlHook("https://localhost", nil), "{}"); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	for name, value := range before {
		want[name] = value + 1
	}
	if diff := cmp.Diff(want, counters(t)); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
}

// TestClientsRegisterNothing: apiserver's registry keeps every metric that a
// client adds, and plugins may be initialized repeatedly.
func TestClientsRegisterNothing(t *testing.T) {
	registered := func() (total float64) {
		families, err := legacyregistry.DefaultGatherer.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if f.GetName() != "registered_metrics_total" {
				continue
			}
			for _, m := range f.GetMetric() {
				total += m.GetCounter().GetValue()
			}
		}
		return total
	}
	before := registered()
	newClient(t, Config{})
	if after := registered(); before == 0 || after != before {
		t.Errorf("%v metrics were registered before a client was made, %v after", before, after)
	}
}
