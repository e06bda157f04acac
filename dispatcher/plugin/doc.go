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
//
// A staticManifestsDir is loaded by the loader that the host hands in, as
// kube-apiserver does, and by gatehouse's own in every other server (package
// dispatcher/source/static). It is followed as it changes; by default it is not read
// while somebody writes to it.
//
// This is the only package of gatehouse that has setters, because the interfaces
// of apiserver's initializers are made of them, and the only one below the
// command that logs.
//
// # Concurrency
//
// A server initializes a plugin before it serves, and drains it afterwards. In
// between, requests may come from any number of goroutines. The setters and
// ValidateInitialization must not be called at the same time as requests.
//
// # Errors
//
// Errors of the configuration file and of missing initializers are those of
// apiserver's plugins, word for word (S-007, S-034 to S-036); their registry puts
// the plugin's name in front.
//
// # Logs
//
// The lines say what kube-apiserver's say, of which webhook, and never what is in
// an object, a patch or an annotation, nor what a webhook wrote in place of an
// answer. Of errors that would quote any of that, CEL's of matchConditions among them,
// they say where they come from; the client reads the whole. They go to the logger of the request's
// context. Lines about no request go to klog's own: about a configuration whose
// rules have no effect (S-066), and about the folder of static manifests (S-049,
// S-050).
//
// # Ownership
//
// A plugin owns its client, the folder of static manifests, and what it adds to the
// host's informers. All are given back when the channel of SetDrainedNotification is
// closed, after which no request may come. Without such a channel they live as long
// as the process, and static manifests are refused.
package plugin
