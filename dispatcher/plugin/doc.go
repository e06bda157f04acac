// Package plugin adds gatehouse to an API server built on k8s.io/apiserver, as
// the admission plugins MutatingAdmissionWebhook and
// ValidatingAdmissionWebhook.
//
// A host that registers these plugins instead of k8s.io/apiserver's need not
// change anything else: configuration file, initializers, metrics and
// annotations are the same.
//
// The plugins load a staticManifestsDir with the host's loader if the host sets
// one, as kube-apiserver does, and with package dispatcher/source/static
// otherwise. They follow the folder as it changes and, by default, do not read
// it while it is being written.
//
// A server initializes a plugin before it serves, and drains it afterwards. In
// between, requests may come from any number of goroutines. The setters and
// ValidateInitialization must not run concurrently with requests.
//
// The errors for the configuration file and for missing initializers are those
// of apiserver's plugins, word for word (S-007, S-034 to S-036).
//
// # Logs
//
// The plugins log the lines that kube-apiserver logs, with the name of the
// webhook. A line never contains any part of an object, a patch or an
// annotation, or text that a webhook sent instead of a response. If an error
// would quote any of these, as CEL's errors about matchConditions do, the line
// only says which step failed; the client receives the whole error. Lines about
// a request go to the logger of the request's context. Other lines go to klog's
// global logger: configurations whose rules have no effect (S-066), and events
// of the folder of static manifests (S-049, S-050).
//
// # Ownership
//
// A plugin owns its client, the folder of static manifests, and the handlers
// that it adds to the host's informers. It closes all of them when the channel
// of SetDrainedNotification is closed; no request may come after that. Without
// such a channel they live as long as the process, and the plugin rejects
// static manifests.
//
// Numbers such as S-123 refer to docs/semantics.md.
package plugin
