// Package transport has the checks of HTTP, TLS and certificates.
//
//	timeout.go       the timeout in the query
//	connections.go   keep-alive and HTTP/2, on separate connections
//	concurrency.go   many reviews at once
//	questions.go     the reviews that C-CONCURRENCY sends, and their parts
//	largebodies.go   large reviews
//	handshake.go     TLS connections, and their versions
//	chain.go         signatures, whatever the dates, the usage and SHA-1
//	properties.go    each other property of a certificate
//
// A review that is denied under these conditions, and allowed otherwise, counts
// as unanswered: libraries turn their errors into denials.
//
// C-CONCURRENCY sends 64 reviews at once, of up to 8 samples whose answers
// differ as much as possible, and repeats that up to 10 times within about 8
// seconds: it depends on chance whether answers are mixed up. It holds the
// reviews back before their last byte, lets them go together, and enlarges the
// objects most of the time, so that as many as possible are under way. It
// compares each answer with the one that the same review has alone, but for the
// parts that vary then too. If the webhook denies no sample, the check looks for
// an allowed one that it denies after a change. The reviews have half a minute,
// and may exceed the webhook's timeout unless they evidently wait for one
// another.
//
// kube-apiserver verifies a certificate as a whole, and reports the first
// error; here each property has a check. Each makes a TLS connection and closes
// it once the server has sent its certificate. The server of a handler under
// test is gatehouse's own, and is not checked. Revocation is not checked, as
// kube-apiserver does not check it, and only the CAs of the caBundle and of
// this system are known.
//
// No goroutine and no connection outlives a check.
package transport
