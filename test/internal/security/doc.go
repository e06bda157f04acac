// Package security holds gatehouse to what SECURITY.md promises, from end to end: over
// real sockets of the loopback interface, with everything between the admission plugins
// and the webhooks' servers.
//
//	credentials_test.go  no credential reaches a server that it is not for
//	secrets_test.go      nothing of an object, a patch, an annotation or a credential
//	                     is in a log, an error, a metric or a span
//
// Tests of single parts are next to these: addresses that are denied in package
// dispatcher/client, texts for terminals and reports in packages internal/cli and below,
// access to gatehouse's own server in package internal/apiserver.
//
// The package has tests only. klog is global, which is why those who look at the log are
// here together, and do not run in parallel with others.
package security
