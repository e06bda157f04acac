// Package wide is a fan-out test. It sends many requests at once, by default
// 600 as kube-apiserver's limit of requests in flight, through 10 mutating and
// 10 validating webhooks, all of which match all requests.
//
//	plan         what each webhook does with a request
//	expectation  the expected outcome: object and keys of the audit annotations
//	server       all webhooks, behind one socket with real TLS
//	visit        the webhooks that a request reached, and the objects they received
//	Run          callers that send one request after the other and check each
//
// The number of a request determines its outcome: every third fails at one of
// ten webhooks in each phase, in one of several ways, with failurePolicy
// Ignore; some are denied in one phase or the other, some by two webhooks. Even
// numbers are pods, odd ones widgets. Even webhooks are services and use
// HTTP/1.1; odd ones have URLs and use HTTP/2.
//
// Webhooks have a timeout of 30 s, so that a slow machine does not change
// outcomes.
//
// Concurrency: Run counts the goroutines and sockets of the whole process, so
// nothing else should start or end during it. Server and engine share the
// process; with 600 callers each has some thousand sockets.
//
// Errors: an error means that the run could not start; violations are in the
// Result. Configurations do not change.
package wide
