// Package security tests the promises of SECURITY.md from end to end: over real
// sockets on loopback, with everything between the admission plugins and the
// webhooks' servers.
//
//	credentials_test.go  no credential reaches a server that it is not for
//	secrets_test.go      no value of an object, a patch, an annotation or a credential
//	                     is in a log, an error, a metric or a span
//
// Tests of single parts are in their packages: denied addresses in
// dispatcher/client, texts for terminals and reports in internal/cli and below,
// access to gatehouse's own server in internal/apiserver.
//
// The package has only tests. klog is global, so all tests that read the log
// are here and are not parallel.
package security
