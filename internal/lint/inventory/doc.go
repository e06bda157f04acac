// Package inventory reads what the commands lint, outage and doctor examine:
// webhook configurations, admission policies, and the objects of the cluster
// around them, such as Services, Deployments and Secrets with certificates.
//
//  1. Read reads the files as `gatehouse run` reads those of -f (package cluster).
//  2. It decodes the objects that do not configure admission, such as Services,
//     and keeps them by kind. Objects of unknown kinds are counted.
//  3. It groups the webhooks by their backend, the service or the host that
//     answers for them.
//
// Every webhook and object has its document, so that a finding has a file, a
// document and a line.
//
// The error of Read has one line for every bad document. An Inventory does not
// change after Read, and is safe for concurrent use. It holds the content of
// Secrets: callers must not print it.
package inventory
