// Package cli is the command gatehouse: it reads manifests, takes the objects
// in them through the webhooks of a configuration, and prints what came of it.
//
// `gatehouse run` takes these steps:
//
//  1. flags become options, and every mistake in them is a usage error;
//  2. all inputs are read and sorted: CustomResourceDefinitions teach kinds,
//     webhook configurations become the source of the engine, RBAC objects its
//     authorizer, Namespaces its labels, and the rest are objects; before them, with
//     --admission-control-config-file, a server's kubeconfigs and static manifests;
//  3. package requests makes requests of them: objects are created, updated,
//     deleted or sent to a subresource, as flags say; request files and
//     AdmissionReviews say it themselves;
//  4. one after the other they go through dispatcher.Simulate;
//  5. a printer shows each of them as a table, as YAML or as JSON.
//
// Nothing is sent before step 4, and step 4 begins only if the first three found
// nothing wrong. With --inject a fault server is started for each webhook that it
// names; in step 4 the calls of these webhooks go there. `gatehouse faults` lists
// and prints what such servers can do. `gatehouse demo` puts the files of the
// quickstart and a server of its own before the same steps and looks for the
// effects in the results.
//
// `gatehouse review` takes them too, but with nobody behind the webhooks: it prints
// what one of them is sent.
//
// `gatehouse validate` takes none of them: it decodes, defaults and validates the
// webhook configurations in files, one after the other, and prints what
// kube-apiserver would say about each.
//
// `gatehouse serve` runs an API server (package apiserver) for as long as it is not
// interrupted. Before that it reads and checks the files of -f; when the server is
// ready it puts them in (package install), and then writes the kubeconfig, whose
// appearance says that all is there.
//
// # Exit status
//
//	0    everything was admitted, or a server was interrupted that had been ready
//	1    something was denied or is not valid, a webhook whose review was asked for is
//	     not called, or the demo did not show what it should
//	2    the command line or the input is wrong, or an object in it cannot be converted;
//	     no admission webhook was called. Or a server does not start, or does not take
//	     an object
//	3    gatehouse itself failed, for example to write its output
//	130  interrupted
//
// # Concurrency
//
// Requests are admitted one at a time, in order. The only goroutines are those of
// the engine and of HTTP connections, of fault servers, and of the demo's server and
// the API server. Main silences klog for the whole process, unless serve is to log,
// and is meant to be called once.
//
// An interrupted command is not waited for longer than a moment, except serve, which
// lets requests finish and removes its files (serve_draining.go).
//
// # Errors
//
// An error is printed on standard error, one line each, after "gatehouse: ". A
// document is named with its file, number and line. Notices, which do not change
// the exit status, look the same.
//
// # What it does not do
//
// Except for serve, it never talks to an API server, does not validate objects
// against their schema, and does not know what else an API server's chain would do
// to them.
// Requests do not influence each other: a Namespace among the inputs has the
// labels that are written in it, whatever webhooks make of it.
package cli
