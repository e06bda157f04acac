// Package suite runs suites of tests: it admits requests through the webhooks
// of a configuration, as a cluster would, and compares the responses with the
// expectations of the author. `gatehouse test` and package test/webhooktest use
// it.
//
//  1. Load finds suites in files and folders; package suitefile decodes them.
//  2. New reads the files that a suite names, and makes its requests. It finds
//     all mistakes in a suite before any webhook is called or started.
//  3. Start starts the webhooks that are commands (package process), waits
//     until they are ready, and makes one dispatcher for all cases, so that
//     configurations are compiled and connections made once. The result is an
//     Environment.
//  4. Environment.Run admits the request of a case; packages expect and golden
//     compare the response. The result is a Result.
//
// Run starts and runs suites one after the other, with several concurrent
// cases.
//
// A Suite is read-only after Start. Environment.Run is safe for concurrent use,
// and so is Suite.Make, which makes further cases. Cases are independent,
// except for golden files that they share and for state of the webhooks.
package suite
