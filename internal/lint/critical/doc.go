// Package critical has the requests that a cluster depends on: what kubelets, the
// control plane, add-ons and users send, and what breaks if it fails.
//
//	requests.yaml  the requests, with their senders and deadlines
//	critical.go    reads them
//
// All returns the requests. They are AdmissionRequests of docs/requests.md, and
// Manifest returns one as `gatehouse run` takes it. The names of the objects are
// examples: namespaces shop and argocd, node node-1.
package critical
