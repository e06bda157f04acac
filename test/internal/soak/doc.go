// Soak runs an engine under load, faults and change, for as long as the flag
// -duration says, and reports violations of its guarantees.
//
//	soak -mode=churn     sends requests while configurations change
//	soak -mode=wide      sends many requests to many webhooks at once (fan-out)
//	soak -mode=punctual  measures how exactly timeouts are kept, for every fault
//	soak -mode=policies  sends requests while a thousand policies change
//	soak -mode=bombs     tries to exhaust memory with unbounded responses
//
// Each mode is a package of that name. The command prints its figures and the
// violations. The exit status is 1 if there was a violation and 2 if the run
// could not start. SIGINT ends a run early; the report has the results until
// then.
//
// The other packages: vitals (process statistics), tally (counters and
// quantiles), request (generated requests), cluster (an API server for
// informers), backend (webhook servers) and model (expected outcomes). Package
// promise lists the single guarantees, and package calibration proves that
// their checks detect violations: some in kube-apiserver's plugins, and each in
// a gatehouse with an injected fault.
//
// Soak dials loopback addresses only.
package main
