// Package transport checks HTTP, TLS and certificates.
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
// If a webhook denies a review under these conditions, and allows it otherwise,
// the review counts as unanswered, because libraries turn their errors into
// denials.
//
// C-CONCURRENCY sends 64 reviews at once, of up to 8 samples whose answers
// differ as much as possible. Whether a webhook mixes up answers depends on
// chance, so the check repeats this up to 10 times within about 8 seconds. To
// keep many reviews in flight, it holds them back before their last byte,
// releases them together, and usually enlarges the objects. It compares each
// answer with the answer to the same review alone, and ignores parts that vary
// then too. If the webhook denies no sample, the check searches for an allowed
// sample that the webhook denies after a change. The reviews have half a
// minute. They may exceed the webhook's timeout, unless they evidently wait for
// one another.
//
// kube-apiserver verifies a certificate as a whole and reports the first error.
// Here, each property has its own check. Each check makes a TLS connection, and
// closes it when the server has sent its certificate. If gatehouse serves the
// handler under test itself, these checks are skipped. Like kube-apiserver,
// they ignore revocation. They know only the CAs of the caBundle and of this
// system.
//
// No goroutine and no connection outlives a check.
package transport
