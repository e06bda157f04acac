// Package certs makes TLS certificates for servers that live as long as one
// process: the demo, the test servers, the tests.
//
// An Authority is a self-signed certificate authority. Clients trust its
// Bundle, the PEM that a webhook configuration calls caBundle, and it signs any
// number of server certificates. All keys are ECDSA on P-256, which are made in
// well under a millisecond. They are in memory alone, unless somebody writes
// down what PEM makes of one.
//
// Unless a Leaf says otherwise, a certificate is valid from 1999-12-31 to 2099-12-31, whatever the clock
// says when it is made. A test with a virtual clock (testing/synctest) starts
// in the year 2000, and an authority may be made under one clock and used under
// the other; an expiry date would protect nothing, because the key is gone when
// the process ends.
//
// Leaf and Intermediate make what those who test clients need: certificates that
// have expired, name nobody, are signed by what clients do not know of, or with
// what they do not accept.
//
// An Issuer makes certificates for the names that clients ask for, when they ask.
//
// An Authority never changes once it is made; it and an Issuer are safe for concurrent
// use.
//
// The package is not a public key infrastructure: it makes no client
// certificates for use beyond tests, keeps no files, and revokes nothing.
package certs
