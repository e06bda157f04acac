// Package defaults sets in built-in objects what kube-apiserver v1.37 sets in
// them when it decodes them, so that webhooks see offline what they would see in
// a cluster. docs/defaulting.md lists every field.
//
// The steps, in order:
//
//  1. Register adds a function for each Go type of the table (register.go) to a
//     scheme.
//  2. The scheme's Default calls it for an object of that type: once the object
//     has been decoded, and again whenever a webhook has patched it (S-180).
//  3. The function sets the fields of the kind, and those of its parts, which
//     have a function each: podSpec for whatever has pods in it, container,
//     volume, probe, claim and so on.
//
// What is set is decided by the object alone: there is no clock, no other object
// and no feature gate. Where a server would ask a gate, the gate is as it is in
// v1.37 if nobody says otherwise.
//
// Defaulting an object twice does the same as once. A field that has been set is
// left as it is, with these exceptions, which kube-apiserver makes:
//
//   - a Namespace's label kubernetes.io/metadata.name is always its name;
//   - a Service without session affinity has no configuration for it;
//   - quantities of resources are rounded up to thousandths;
//   - the serviceAccount of pods is always their serviceAccountName, and the first
//     of their addresses always podIP;
//   - a Pod with less than no time to end has one second.
//
// Versions that no server of today serves get what was the same in all versions
// of the kind (past.go). What they alone took for granted is known to
// internal/offline/convert, which writes it out on the way to another version. The two do
// not contradict each other: nothing is set here that is something else there.
//
// Concurrency: the functions have no state and may run at the same time for
// different objects. Register must be done before the scheme is used.
//
// Errors: there are none. Parts that are missing are skipped, and values that
// make no sense are left for validation.
//
// What the package does not do: it knows neither lists, which webhooks never
// see, nor webhook configurations and policies (admission/registration has the
// former). It does not set what a server would have from its clock, such as when
// a DeviceTaint was added, nor empty maps that are in no encoding, such as the
// data of a ConfigMap without any. What objects get on the way through the
// server's internal types is in internal/offline/internalversion; what they get from other
// admission plugins, and when they are stored, is nowhere.
package defaults
