// Package apiserver runs an API server in a Go test. Unlike envtest, it runs in
// the test process: there is nothing to install, and the server is ready in
// about a second.
//
//	config := apiserver.Start(t, apiserver.Options{Handlers: map[string]http.Handler{
//		"system/webhook-service": mux,
//	}})
//	apiserver.Install(t, config, "../config/crd/bases", "../config/crd/patches",
//		"../config/webhook/manifests.yaml")
//	client, err := kubernetes.NewForConfig(config)
//
// Start returns when the server is ready, and stops it when the test ends. The
// server stores objects and calls registered webhooks. If a webhook
// configuration or a CustomResourceDefinition names the service NAMESPACE/NAME,
// the server calls the handler of that name instead. A handler needs neither a
// port nor a certificate, and the manifests of controller-gen need no changes.
//
// Install applies manifests and returns when they are in effect: the server
// calls the webhooks for the next request, and clients can use the new kinds.
// It merges Kubebuilder's patches for conversion webhooks into their
// definitions.
//
// docs/serve.md describes the served resources and the validation.
// docs/envtest.md compares the server with envtest.
//
// Concurrency: any number of servers may run at the same time, so tests may be
// parallel. A server calls handlers concurrently. All servers share the metrics
// and klog of the process; klog.SetLogger(logr.Discard()) in TestMain disables
// the log.
//
// An error ends the test. If the server rejects an object, the error names the
// file, the document and the line.
//
// Limits: the server runs no pods. Its controllers delete the content of
// namespaces and, with Options.CollectGarbage, the dependents of deleted objects.
package apiserver
