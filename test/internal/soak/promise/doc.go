// Package promise lists what gatehouse guarantees beyond kube-apiserver, with a
// check for each guarantee that runs against any implementation of the plugins.
//
//	Promise    a sentence, and a check that runs against any Side
//	All        all promises
//	Side       an implementation of the plugins: gatehouse's or kube-apiserver's
//	Broken     the error of a check whose promise is broken
//	Switches   for every promise an injected fault of gatehouse that breaks it
//	Mutants    these faults, for mutant.Overlay of package test/internal/mutant
//
// The checks know only the plugins' names. They open a plugin as a server does,
// with an informer factory, a fake API server and a faulty webhook on loopback
// (package faultserver), send requests, and examine the results and the
// requests that the webhook received. Therefore package
// test/internal/soak/calibration can run the same checks against
// kube-apiserver's own plugins.
//
// # Steps of a check
//
//  1. a stage describes what is unusual: webhooks, server, kubeconfig,
//     informers
//  2. open builds it for one phase and one side
//  3. send sends a request through the plugin and stops waiting if it hangs
//  4. the check compares; close ends everything, including requests that hang
//
// # Time
//
// No check depends on the speed of the machine. Checks of durations permit
// several seconds more than the expected time, and the violations last longer
// than that.
//
// # Concurrency
//
// Checks may run at the same time. They share only apiserver's metrics, which
// no check reads.
//
// The package does not import kube-apiserver's webhook plugins, so that any
// test can import it.
package promise
