// Package apiserver runs an API server in a Go test: it is what envtest is for, in the
// process of the test, with nothing to install and ready in about a second.
//
//	config := apiserver.Start(t, apiserver.Options{Handlers: map[string]http.Handler{
//		"system/webhook-service": mux,
//	}})
//	apiserver.Install(t, config, "../config/crd/bases", "../config/crd/patches", "../config/webhook/manifests.yaml")
//	client, err := kubernetes.NewForConfig(config)
//
// Start returns when the server is ready, and ends it with the test. Objects really
// go through the webhooks that are registered with it, and are stored. A handler
// stands for the service that a configuration or a conversion names, as
// NAMESPACE/NAME; it is called in the process and needs neither a port nor a
// certificate. The configurations may be those that controller-gen has written, as
// they are.
//
// Install applies files, and returns when they count: the request after it meets the
// webhooks, and kinds can be used. No time is waited that need not be. The patches that
// kubebuilder keeps for the conversion of a kind are put into its definition first.
//
// docs/serve.md tells what is served and what is validated, and docs/envtest.md how all
// of it compares to envtest.
//
// Concurrency: there may be any number of servers at the same time, each with its own
// data; tests that start one may be parallel. Handlers are called by any number of
// goroutines. What a process has only one of is shared: metrics count for all servers
// together, and klog gets a few lines from each. Those who do not want to read these
// call klog.SetLogger(logr.Discard()) in TestMain.
//
// Errors end the test. They name the file, the document and the line of an object that
// the server does not want.
//
// What it does not do: there is nobody who runs pods, and there are no controllers
// but the server's own.
package apiserver
