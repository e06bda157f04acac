// Package promise says what gatehouse promises beyond what kube-apiserver does, and
// finds out whether somebody keeps it.
//
//	Promise    a sentence, and a check that can be held against any Side
//	All        all of them
//	Side       whose plugins are looked at: gatehouse's, or others of that kind
//	Broken     what a check returns when the promise is broken
//	Switches   for every promise a fault in gatehouse that breaks it, and
//	Mutants    all of these faults, for mutant.Overlay of package test/internal/mutant
//
// The checks know nothing of gatehouse but its plugins' names. They open a plugin
// as a server does, with an informer factory, an API server that is a fake, and a
// webhook that goes wrong on loopback sockets (package faultserver), send requests,
// and look at what comes back and at what the webhook was sent. So the same check
// can be held against kube-apiserver's own plugins, which is how package
// test/internal/soak/calibration finds out whether the checks can be trusted.
//
// # Steps of a check
//
//  1. a stage says what is unusual: webhooks, server, kubeconfig, informers
//  2. open puts it together for one phase and one side
//  3. send takes a request through the plugin and gives up if it does not return
//  4. the check compares, and close ends everything, also requests that hang
//
// # Time
//
// No check depends on how fast the machine is. Where a promise is about time, the
// check gives it several seconds more than it should take, and what breaks it does
// not come to an end by itself for longer than that.
//
// # Concurrency
//
// Checks have everything to themselves but the process: apiserver's metrics, which
// none of them looks at. They may run at the same time.
//
// # What it does not do
//
// It does not import kube-apiserver's webhook plugins, so that any test can use it.
package promise
