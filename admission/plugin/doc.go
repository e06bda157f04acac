// Package plugin puts gatehouse into an API server built on k8s.io/apiserver, as
// the admission plugins MutatingAdmissionWebhook and
// ValidatingAdmissionWebhook.
//
//	Register     the two factories, under kube-apiserver's names
//	(factory)    reads the plugin's configuration file (S-030…S-036)
//	(setters)    receive what the server's plugin initializers hand out (S-021)
//	(validate)   ValidateInitialization puts source, client and engine together
//	Admit, Validate
//
// A host that registers these instead of apiserver's own needs to change nothing
// else: configuration file, initializers, metrics and annotations are the same.
// What is not there yet is the folder of static manifests, which is refused.
//
// This is the only package of gatehouse that has setters, because the interfaces
// of apiserver's initializers are made of them, and the only one below the
// command that logs.
//
// # Ownership
//
// A plugin owns its client and what it adds to the host's informers. Both are
// given back when the channel of SetDrainedNotification is closed, after which
// no request may come. Without such a channel they live as long as the process.
package plugin
