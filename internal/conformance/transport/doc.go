// Package transport has the checks of what carries reviews: HTTP, TLS and certificates.
//
// # HTTP
//
//	timeout.go       what webhooks make of the timeout in the query
//	connections.go   keep-alive and HTTP/2, on connections of the checks' own
//	load.go          large reviews
//	crowd.go         many reviews at once
//
// What a webhook says no to when it is asked otherwise, and yes when it is asked as usual,
// counts as unanswered: libraries make denials of their errors.
//
// # TLS
//
// kube-apiserver verifies a certificate all at once, and names the first thing that is
// wrong. Here every part is looked at alone:
//
//	chain.go      who has signed it, whatever its dates, its usage and SHA-1 may be
//	names.go      subject alternative names
//	parts.go      dates, signatures and usage, throughout the chain
//	versions.go   TLS 1.2 and 1.3
//
// Each check makes a TLS connection and closes it when the server has shown its
// certificate. Servers of gatehouse's own are not looked at: their certificates are, too.
//
// # Concurrency
//
// C-CONCURRENCY has 64 reviews under way at once; everything else goes one by one. Nothing
// is left running, and no connection open.
//
// # Errors
//
// There are none: if nothing could be seen, the Record says why.
//
// # What it does not do
//
// It does not ask how fast a webhook is; that is for C-LATENCY. The 64 reviews at once have
// half a minute, and may take longer than the webhook's timeout as long as it is not plain
// that they wait for one another. It knows no revoked certificates, as kube-apiserver knows
// none, and no CA but those of caBundle and of this system.
package transport
