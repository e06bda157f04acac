package transport

import (
	"crypto/tls"
	"crypto/x509"
	"net/http/httptest"
	"testing"
	"time"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type certificateRow struct {
	row
	make func(t *testing.T) certified
	want outcome
}

// TestCertificates runs all checks of TLS on each certificate: what is wrong
// with one part is a finding about that part alone.
func TestCertificates(t *testing.T) {
	t.Parallel()
	const unknown = "x509: certificate signed by unknown authority"
	year := func(y int) time.Time { return time.Date(y, time.January, 1, 0, 0, 0, 0, time.UTC) }
	testtable.Run(t, []certificateRow{
		{row{"good", "what certificate managers issue passes"}, leaf(certs.Leaf{Names: []string{name}}), outcome{}},
		{row{"good wildcard", "one certificate may be for all services of a namespace"}, leaf(certs.Leaf{Names: []string{"*.shop.svc"}}), outcome{}},
		{row{"good URL", "a webhook with a URL is called by its host"}, at("https://hook.example.com:8443/x", "hook.example.com"), outcome{}},
		{row{"good address", "an address is verified against addresses"}, at("https://127.0.0.1/x", "127.0.0.1"), outcome{}},
		{row{"good intermediate", "the caBundle has the root only, and the server sends the rest"}, intermediate(true), outcome{}},
		{row{"good pinned", "a certificate may verify itself, with no CA at all"}, pinned, outcome{}},
		{row{"good rotation", "a bundle may hold the CA of yesterday, too"}, rotated, outcome{}},

		{row{"foreign", "a CA that was renewed and a caBundle that was not"}, foreign, fails("C-TLS-CHAIN", "the caBundle does not verify the certificate: "+unknown)},
		{row{"intermediate missing", "who has the intermediate installed does not notice"}, intermediate(false),
			fails("C-TLS-CHAIN", "the caBundle does not verify the certificate: "+unknown)},
		{row{"no bundle", "the roots of the system know no CA of one's own"}, unbundled,
			fails("C-TLS-CHAIN", "there is no caBundle, and no root of this system verifies the certificate: "+unknown)},
		{row{"bundle of a key", "PEM that is not a certificate is of no use"}, keyBundle,
			fails("C-TLS-CHAIN", "the caBundle does not verify the certificate: the caBundle has no certificate in PEM")},

		{row{"name", "a service that was renamed"}, leaf(certs.Leaf{Names: []string{"old.shop.svc", "hook.shop"}}),
			fails("C-TLS-NAME", "x509: certificate is valid for old.shop.svc, hook.shop, not hook.shop.svc")},
		{row{"name for address", "names do not count for addresses"}, at("https://127.0.0.1/x", "localhost"),
			fails("C-TLS-NAME", "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs")},
		{row{"common name", "the name is right, but the common name is ignored"}, leaf(certs.Leaf{CommonName: name}), outcome{
			failed:  map[string][]string{"C-TLS-COMMON-NAME": {`the certificate has no alternative names, only the common name "hook.shop.svc"`}},
			skipped: map[string]string{"C-TLS-NAME": "the certificate has no alternative names"},
		}},

		{row{"expired", "the most common fault of all"}, leaf(certs.Leaf{Names: []string{name}, NotBefore: year(1998), NotAfter: year(1999)}),
			fails("C-TLS-EXPIRY", "the server's certificate is not valid after 1999-01-01T00:00:00Z")},
		{row{"early", "clocks that differ"}, leaf(certs.Leaf{Names: []string{name}, NotBefore: year(2098)}),
			fails("C-TLS-EXPIRY", "the server's certificate is not valid before 2098-01-01T00:00:00Z")},
		{row{"expired root", "the server's certificate is good, and its CA is not any more"}, issued(func(root, _ *x509.Certificate) { root.NotAfter = year(2001) }),
			fails("C-TLS-EXPIRY", `the certificate of "CN=root" is not valid after 2001-01-01T00:00:00Z`)},

		{row{"SHA-1", "the chain is good but for that"}, leaf(certs.Leaf{Names: []string{name}, SHA1: true}),
			fails("C-TLS-SHA1", "the server's certificate is signed over SHA-1")},
		{row{"SHA-1 between", "an old intermediate under a new certificate"}, issued(func(_, between *x509.Certificate) { between.SignatureAlgorithm = x509.ECDSAWithSHA1 }),
			fails("C-TLS-SHA1", `the certificate of "CN=between" is signed over SHA-1`)},
		{row{"SHA-1 root", "the signature of a root is not verified"}, issued(func(root, _ *x509.Certificate) { root.SignatureAlgorithm = x509.ECDSAWithSHA1 }), outcome{}},

		{row{"client's", "a certificate that was issued for a client"}, leaf(certs.Leaf{Names: []string{name}, Client: true}),
			fails("C-TLS-KEY-USAGE", "the server's certificate is not for servers")},
		{row{"CA of clients", "the CA was made to issue certificates for clients"}, issued(func(_, between *x509.Certificate) {
			between.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
		}), fails("C-TLS-KEY-USAGE", `the certificate of "CN=between" is not for servers`)},
		{row{"CA of all", "any usage is a usage, too"}, issued(func(root, between *x509.Certificate) {
			root.ExtKeyUsage, between.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageAny}, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
		}), outcome{}},
	}, func(t *testing.T, tc certificateRow) {
		c := tc.make(t)
		config := &tls.Config{Certificates: []tls.Certificate{c.certificate}}
		expect(t, TLS(), dialed(t, probetest.Good(), c.where, secure(config)), tc.want)
	})
}

type serverRow struct {
	row
	start func(*httptest.Server, tls.Certificate)
	want  outcome
}

// TestServers has servers that differ in what they speak.
func TestServers(t *testing.T) {
	t.Parallel()
	with := func(change func(*tls.Config)) func(*httptest.Server, tls.Certificate) {
		return func(s *httptest.Server, certificate tls.Certificate) {
			config := &tls.Config{Certificates: []tls.Certificate{certificate}}
			change(config)
			secure(config)(s)
		}
	}
	const plain = "tls: first record does not look like a TLS handshake"
	const closed = "remote error: tls: protocol version not supported"
	testtable.Run(t, []serverRow{
		{row{"1.3 only", "it works, but not with every client"}, with(func(c *tls.Config) { c.MinVersion = tls.VersionTLS13 }),
			fails("C-TLS-12", "there is no connection of TLS 1.2: "+closed)},
		{row{"1.2 only", "it works, but more slowly"}, with(func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }),
			fails("C-TLS-13", "there is no connection of TLS 1.3: "+closed)},
		{row{"client certificate", "what the server wants of clients is not its own certificate's fault"},
			with(func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert }), outcome{}},
		{row{"no TLS", "without a certificate there is nothing to see"}, func(s *httptest.Server, _ tls.Certificate) { s.Start() }, outcome{
			failed: map[string][]string{
				"C-TLS-12": {"there is no connection of TLS 1.2: " + plain},
				"C-TLS-13": {"there is no connection of TLS 1.3: " + plain},
			},
			skipped: skipAll(TLS()[:6], "there is no TLS connection: "+plain),
		}},
	}, func(t *testing.T, tc serverRow) {
		c := leaf(certs.Leaf{Names: []string{name}})(t)
		start := func(s *httptest.Server) { tc.start(s, c.certificate) }
		expect(t, TLS(), dialed(t, probetest.Good(), c.where, start), tc.want)
	})
}

func TestNothingToSee(t *testing.T) {
	t.Parallel()
	c, w := meet(t, probetest.Good(), nil, created())
	expect(t, TLS(), w, outcome{skipped: skipAll(TLS(), ownServer)})
	c.OwnServer = false
	expect(t, TLS()[:6], w, outcome{skipped: skipAll(TLS()[:6], "there is no TLS connection: there is no network in this test")})
}

// skipAll is why all checks are skipped.
func skipAll(checks []check.Check, why string) map[string]string {
	all := map[string]string{}
	for _, c := range checks {
		all[c.ID] = why
	}
	return all
}
