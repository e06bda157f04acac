// Package certs makes TLS certificates for servers that live as long as one
// process: the demo, the test servers, the tests.
//
// An Authority is a self-signed certificate authority. Clients trust its
// Bundle, the PEM that a webhook configuration calls caBundle, and it signs any
// number of server certificates. All keys are ECDSA on P-256, which are made in
// well under a millisecond and stay in memory, unless the caller writes the
// result of PEM to a file.
//
// Unless a Leaf sets other dates, a certificate is valid from 1999-12-31 to
// 2099-12-31, independently of the clock. A test with a virtual clock
// (testing/synctest) starts in the year 2000, and an authority may be made
// under one clock and used under the other. An expiry date would protect
// nothing, because the key is gone when the process ends.
//
// Leaf and Intermediate make certificates for tests of clients: expired ones,
// ones without names, and ones signed by an unknown authority or with a weak
// algorithm.
//
// An Issuer makes a certificate for each server name when a client first asks
// for it.
//
// An Authority never changes once it is made; it and an Issuer are safe for
// concurrent use.
//
// The package is not a public key infrastructure: it makes no client
// certificates for use beyond tests, keeps no files, and revokes nothing.
package certs
