// Package wide sends many requests at once through many webhooks: by default 600,
// which is how many kube-apiserver has under way at most, through 10 mutating and
// 10 validating webhooks each, all of which match all of them.
//
//	plan         what each webhook does with a request, and what has to come of it
//	expectation  that outcome, down to the object and the keys of the audit annotations
//	server       all webhooks, behind one socket with real TLS
//	visit        which webhooks a request has got to, and what they were shown
//	Run          callers that send one request after the other, each checked
//
// What happens to a request follows from its number: every third fails at one of
// ten webhooks in each phase, whose failures are ignored, in one of several ways;
// some are denied in one phase or the other, some by two webhooks. Even numbers
// are pods, odd ones widgets. Even webhooks are services, which speak HTTP/1.1, odd
// ones have URLs, which speak HTTP/2.
//
// Webhooks have 30 s: that a machine is slow is no outcome.
//
// Concurrency: Run looks at the goroutines and sockets of the whole process, so
// nothing else should begin or end meanwhile. Server and engine share the process;
// with 600 callers each has some thousand sockets.
//
// Errors: an error says that the run could not begin. What goes wrong in it is in
// the Result.
//
// What it does not do: change configurations. Those stay as they are.
package wide
