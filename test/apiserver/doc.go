// Package apiserver runs an API server in a Go test, like envtest but in the
// process of the test: nothing has to be installed, and the server is ready in
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
// server stores objects and calls the webhooks that are registered with it. A
// handler serves in place of the service, NAMESPACE/NAME, in a webhook
// configuration or a CustomResourceDefinition; it needs neither a port nor a
// certificate, and manifests of controller-gen need no changes.
//
// Install applies manifests and returns when they are in effect: the next
// request passes the webhooks, and clients can use the new kinds. Kubebuilder's
// patches for conversion webhooks are merged into their definitions.
//
// docs/serve.md says what the server serves and validates, and docs/envtest.md
// compares it with envtest.
//
// Concurrency: any number of servers may run at the same time, so tests may be
// parallel. Handlers are called concurrently. All servers share the metrics and
// klog of the process; klog.SetLogger(logr.Discard()) in TestMain disables the
// log.
//
// Errors end the test. They name the file, the document and the line of an
// object that the server rejects.
//
// Limits: the server runs no pods. Its controllers delete the content of
// namespaces and, with Options.CollectGarbage, the dependents of deleted objects.
package apiserver
