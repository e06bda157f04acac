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
			Title: "answers the same whatever the timeout in the query is",
			Why:   "kube-apiserver sends with each review how long it will wait, in seconds: at most timeoutSeconds, and less if the request as a whole has less left, down to 1s. A webhook that takes a safety margin off may be left with nothing, and fails calls that it had the time for.",
			Fix:   "Read the timeout with time.ParseDuration. Leave out safety margins, or make them a part of the time (a tenth); kube-apiserver hangs up itself when the time is over.",
		}, Each: heedsTimeout},
		{Check: report.Check{
			ID: "C-KEEP-ALIVE", Group: report.Protocol, Level: report.Should,
			Title: "keeps connections open",
			Why:   "kube-apiserver keeps connections for the next review. Without that every review pays for a TCP and a TLS handshake, out of its own timeout, and the webhook's server computes a signature for each.",
			Fix:   "Leave keep-alive on: no SetKeepAlivesEnabled(false), no \"Connection: close\". Read request bodies to their end.",
		}, Each: check.WithReview(keepsAlive)},
		{Check: report.Check{
			ID: "C-HTTP2", Group: report.Protocol, Level: report.Should,
			Title: "speaks HTTP/2 if it says so",
			Why:   "kube-apiserver offers HTTP/2 to webhooks whose URL is a loopback one, and proxies and meshes on the way offer it to others. All can do without it, but when the server has chosen it in the TLS handshake there is no way back: every call fails.",
			Fix:   "Serve HTTP/2 where NextProtos has \"h2\", or take it out of there. net/http does both by itself as long as TLSNextProto is not set.",
		}, Each: check.WithReview(speaksHTTP2)},
		{Check: report.Check{
			ID: "C-CONCURRENCY", Group: report.Protocol, Level: report.Must,
			Title: "answers 64 reviews at once, each its own",
			Why:   "kube-apiserver sends reviews as requests come, without waiting for earlier ones: a rollout makes hundreds at once. A review that is turned away is a call that has failed, or a request that is denied for no fault of its own. One that gets the verdict of another is admitted against the policy, or denied without a reason; one that gets the uid of another is a failed call, and so is one that waits for the others until timeoutSeconds are over.",
			Fix:   "Keep what belongs to a review, its verdict above all, in variables of its handler, not in those of the package or of a struct that requests share. Let reviews wait for a slot instead of turning them away or denying them, but not each for all others: hold no lock while something slow is done.",
		}, Each: answersAtOnce},
		{Check: report.Check{
			ID: "C-LARGE-OBJECT", Group: report.Protocol, Level: report.Must,
			Title: "answers reviews of objects of 3 MiB",
			Why:   "kube-apiserver accepts bodies of up to 3 MiB, and asks webhooks before it stores anything: they are shown objects, too, that are too large for etcd, which takes 1.5 MiB by default. The review is larger than the object, and that of an update has two of them. A webhook that does not read it to its end fails the call, or denies what it has not seen.",
			Fix:   "Read bodies of at least 8 MiB (an update has the object twice) before giving up: look at MaxBytesReader, LimitReader, the limits of the library that the webhook is written with, and those of proxies before it.",
		}, Each: answersLarge},
	}
}

// TLS returns the checks of TLS, in their order.
func TLS() []check.Check {
	const refused = "kube-apiserver does not connect then: every call fails, and failurePolicy decides."
	return []check.Check{
		{Check: report.Check{
			ID: "C-TLS-CHAIN", Group: report.TLS, Level: report.Must,
			Title: "has a certificate that the caBundle vouches for",
			Why:   "The certificate has to be signed by one in caBundle or in the kubeconfig that kube-apiserver's admission configuration has for webhooks, which is not looked at here. If neither has any, it has to be signed by a root of the system on which kube-apiserver runs. " + refused,
			Fix:   "Put the CA, in PEM, into clientConfig.caBundle (cert-manager's CA injector does), and renew it with the CA. Have the server send intermediate certificates after its own.",
		}, Each: checkServer(checkChain)},
		{Check: report.Check{
			ID: "C-TLS-NAME", Group: report.TLS, Level: report.Must,
			Title: "has a certificate for the name that is called",
			Why:   "The certificate has to name SERVICE.NAMESPACE.svc or, for a webhook with a URL, the URL's host, an address as an IP address. " + refused,
			Fix:   "Issue the certificate with that name among its subject alternative names.",
		}, Each: checkServer(hasName)},
		{Check: report.Check{
			ID: "C-TLS-EXPIRY", Group: report.TLS, Level: report.Must,
			Title: "has certificates that are valid now",
			Why:   "All certificates of a chain have to be valid at the time of the call, that of the CA, too. " + refused,
			Fix:   "Renew the certificate, and have it renewed from now on; the server has to load it again, too (tls.Config.GetCertificate).",
		}, Each: checkServer(checkWholeChain(dates))},
		{Check: report.Check{
			ID: "C-TLS-SHA1", Group: report.TLS, Level: report.Must,
			Title: "has no certificate that is signed over SHA-1",
			Why:   "Signatures over SHA-1 can be forged, and count for nothing but in certificates that are trusted themselves. " + refused,
			Fix:   "Issue the certificate anew, signed over SHA-256.",
		}, Each: checkServer(checkWholeChain(signature))},
		{Check: report.Check{
			ID: "C-TLS-COMMON-NAME", Group: report.TLS, Level: report.Must,
			Title: "has its names where they are looked for",
			Why:   "Only subject alternative names count, not the common name. " + refused,
			Fix:   "Issue the certificate with subject alternative names (openssl: -addext subjectAltName=DNS:…).",
		}, Each: checkServer(hasAlternativeNames)},
		{Check: report.Check{
			ID: "C-TLS-KEY-USAGE", Group: report.TLS, Level: report.Must,
			Title: "has a certificate for servers",
			Why:   "A certificate that says what its key is for has to say servers, and so have those that signed it. " + refused,
			Fix:   "Issue the certificate with the extended key usage serverAuth.",
		}, Each: checkServer(checkWholeChain(usage))},
		{Check: report.Check{
			ID: "C-TLS-12", Group: report.TLS, Level: report.Should,
			Title: "speaks TLS 1.2",
			Why:   "kube-apiserver offers TLS 1.2 and 1.3, and the server chooses. One without 1.2 is lost to API servers, and to proxies on the way, that are built or configured without 1.3, as some for FIPS 140 are.",
			Fix:   "Have the server speak both: MinVersion TLS 1.2 and no MaxVersion in tls.Config.",
		}, Each: speaks("TLS 1.2", tls.VersionTLS12)},
		{Check: report.Check{
			ID: "C-TLS-13", Group: report.TLS, Level: report.Should,
			Title: "speaks TLS 1.3",
			Why:   "kube-apiserver offers TLS 1.2 and 1.3, and the server chooses. Without 1.3 each new connection takes one round trip more out of the first review's time, and sends the certificate unencrypted.",
			Fix:   "Have the server speak both: MinVersion TLS 1.2 and no MaxVersion in tls.Config.",
		}, Each: speaks("TLS 1.3", tls.VersionTLS13)},
	}
}

// ownServer is the skip message for servers of gatehouse's own.
const ownServer = "the server is gatehouse's own"
