// Package defaults sets in built-in objects the defaults that kube-apiserver
// v1.37 sets when it decodes them, so that webhooks receive offline what they
// would receive in a cluster. docs/defaulting.md lists every field.
//
// Register adds a function for each Go type of the table (register.go) to a
// scheme, such as that of Scheme. Its Default calls the function once the object
// is decoded, and again whenever a webhook has patched it (S-180). The result
// depends on the object alone: there is no clock, no other object and no feature
// gate, whose default in v1.37 applies.
//
// Defaulting is idempotent. As in kube-apiserver, it changes fields that are
// set in these cases only:
//
//   - a Namespace's label kubernetes.io/metadata.name is its name;
//   - a Service without session affinity has no configuration for it;
//   - quantities of resources are rounded up to thousandths;
//   - the serviceAccount of pods is their serviceAccountName, and the first of
//     their addresses podIP;
//   - the negative grace period of a Pod is one second.
//
// The functions have no state and return no errors: they skip absent parts and
// leave invalid values for validation. Register must return before the scheme
// is used.
//
// The package does not default lists, webhook configurations
// (admission/registration does) and policies. It sets no values from a clock,
// and no empty maps that no encoding writes. Package internalversion makes the
// changes of the server's internal types.
package defaults
