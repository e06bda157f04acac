package transport

import (
	"crypto/tls"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/report"
)

// HTTP returns the checks of HTTP, in their order.
func HTTP() []check.Check {
	return []check.Check{
		{Check: report.Check{
			ID: "C-TIMEOUT", Group: report.Protocol, Level: report.Must,
			Title: "gives the same answer for every timeout in the query",
			Why:   "kube-apiserver sends with each review how many seconds it will wait: at most timeoutSeconds, and less if the whole request has less time left, down to 1s. If the webhook subtracts a fixed safety margin, no time may remain, and calls fail that had enough time.",
			Fix:   "Parse the timeout with time.ParseDuration. Use no safety margin, or a fraction of the timeout (a tenth). kube-apiserver closes the connection when the timeout expires.",
		}, Each: heedsTimeout},
		{Check: report.Check{
			ID: "C-KEEP-ALIVE", Group: report.Protocol, Level: report.Should,
			Title: "keeps connections open",
			Why:   "kube-apiserver reuses connections. Without keep-alive, every review needs a TCP and a TLS handshake within its timeout, and the webhook's server computes a signature for each.",
			Fix:   "Leave keep-alive on: no SetKeepAlivesEnabled(false), no \"Connection: close\". Read request bodies to the end.",
		}, Each: check.WithReview(keepsAlive)},
		{Check: report.Check{
			ID: "C-HTTP2", Group: report.Protocol, Level: report.Should,
			Title: "serves HTTP/2 if it negotiates HTTP/2",
			Why:   "kube-apiserver offers HTTP/2 to webhooks with a loopback URL, and proxies and service meshes offer it to others. No client requires it. But if the server selects it in the TLS handshake, the client cannot go back: every call fails.",
			Fix:   "If NextProtos has \"h2\", serve HTTP/2; otherwise remove \"h2\". net/http handles both, unless you set TLSNextProto.",
		}, Each: check.WithReview(speaksHTTP2)},
		{Check: report.Check{
			ID: "C-CONCURRENCY", Group: report.Protocol, Level: report.Must,
			Title: "answers 64 concurrent reviews correctly",
			Why:   "kube-apiserver sends reviews concurrently: a rollout creates hundreds at once. If the webhook turns a review away, the call fails or a valid request is denied. If a review gets the verdict of another, kube-apiserver allows a request against the policy, or denies it without a reason. If a review gets the uid of another, or waits for the others until timeoutSeconds has passed, the call fails.",
			Fix:   "Keep the data of a review, above all its verdict, in local variables of the handler, not in package variables or in a shared struct. Queue reviews instead of turning them away or denying them, but do not process them one by one: hold no lock during slow work.",
		}, Each: answersAtOnce},
		{Check: report.Check{
			ID: "C-LARGE-OBJECT", Group: report.Protocol, Level: report.Must,
			Title: "answers reviews with objects of 3 MiB",
			Why:   "kube-apiserver accepts bodies of up to 3 MiB, and calls webhooks before it stores the object. So webhooks also receive objects that exceed the limit of etcd, 1.5 MiB by default. The review is larger than the object, and for an update it has two objects. If the webhook does not read the whole review, the call fails, or the webhook denies a request that it has not read.",
			Fix:   "Accept bodies of at least 8 MiB (an update has the object twice). Check MaxBytesReader, LimitReader, the limits of your webhook library, and those of proxies in front of the webhook.",
		}, Each: answersLarge},
	}
}

// TLS returns the checks of TLS, in their order.
func TLS() []check.Check {
	const consequence = "Otherwise kube-apiserver does not connect: every call fails, and failurePolicy decides."
	return []check.Check{
		{Check: report.Check{
			ID: "C-TLS-CHAIN", Group: report.TLS, Level: report.Must,
			Title: "has a certificate that the caBundle verifies",
			Why:   "A CA in caBundle must have signed the certificate, or a CA in the kubeconfig that kube-apiserver's admission configuration sets for webhooks. The check does not read that kubeconfig. If neither has a CA, a root of the system that runs kube-apiserver must have signed it. " + consequence,
			Fix:   "Put the CA, in PEM, into clientConfig.caBundle (cert-manager's CA injector can do this), and update it when you renew the CA. Let the server send intermediate certificates after its own.",
		}, Each: checkServer(checkChain)},
		{Check: report.Check{
			ID: "C-TLS-NAME", Group: report.TLS, Level: report.Must,
			Title: "has a certificate for the name in the call",
			Why:   "The certificate must name SERVICE.NAMESPACE.svc, or for a webhook with a URL, the host of the URL. If the host is an address, the certificate must have it as an IP address. " + consequence,
			Fix:   "Issue the certificate with that name as a subject alternative name.",
		}, Each: checkServer(hasName)},
		{Check: report.Check{
			ID: "C-TLS-EXPIRY", Group: report.TLS, Level: report.Must,
			Title: "has certificates that are valid now",
			Why:   "All certificates of the chain must be valid at the time of the call, including that of the CA. " + consequence,
			Fix:   "Renew the certificate, and automate the renewal. The server must also reload it (tls.Config.GetCertificate).",
		}, Each: checkServer(checkWholeChain(dates))},
		{Check: report.Check{
			ID: "C-TLS-SHA1", Group: report.TLS, Level: report.Must,
			Title: "has no certificate with a SHA-1 signature",
			Why:   "SHA-1 signatures can be forged. kube-apiserver accepts them only in certificates that it trusts directly. " + consequence,
			Fix:   "Issue a new certificate with a SHA-256 signature.",
		}, Each: checkServer(checkWholeChain(signature))},
		{Check: report.Check{
			ID: "C-TLS-COMMON-NAME", Group: report.TLS, Level: report.Must,
			Title: "has subject alternative names",
			Why:   "kube-apiserver ignores the common name, so the certificate must have subject alternative names. " + consequence,
			Fix:   "Issue the certificate with subject alternative names (openssl: -addext subjectAltName=DNS:…).",
		}, Each: checkServer(hasAlternativeNames)},
		{Check: report.Check{
			ID: "C-TLS-KEY-USAGE", Group: report.TLS, Level: report.Must,
			Title: "has a certificate for servers",
			Why:   "If a certificate has extended key usages, they must include server authentication. The same applies to the certificates of its issuers. " + consequence,
			Fix:   "Issue the certificate with the extended key usage serverAuth.",
		}, Each: checkServer(checkWholeChain(usage))},
		{Check: report.Check{
			ID: "C-TLS-12", Group: report.TLS, Level: report.Should,
			Title: "supports TLS 1.2",
			Why:   "kube-apiserver offers TLS 1.2 and 1.3, and the server chooses. If the server does not support 1.2, API servers and proxies without 1.3, such as some FIPS 140 builds, cannot connect.",
			Fix:   "Support both: set MinVersion to TLS 1.2 and no MaxVersion in tls.Config.",
		}, Each: supports("TLS 1.2", tls.VersionTLS12)},
		{Check: report.Check{
			ID: "C-TLS-13", Group: report.TLS, Level: report.Should,
			Title: "supports TLS 1.3",
			Why:   "kube-apiserver offers TLS 1.2 and 1.3, and the server chooses. Without 1.3, each new connection takes one more round trip within the timeout of the first review, and sends the certificate unencrypted.",
			Fix:   "Support both: set MinVersion to TLS 1.2 and no MaxVersion in tls.Config.",
		}, Each: supports("TLS 1.3", tls.VersionTLS13)},
	}
}

// ownServer is the skip message for servers of gatehouse's own.
const ownServer = "the server is gatehouse's own"
