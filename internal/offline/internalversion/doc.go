// Package internalversion applies to built-in objects the changes that
// kube-apiserver v1.37 makes by converting them to its internal types and back.
// Webhooks then receive offline what they would receive in a cluster.
// docs/defaulting.md lists every field.
//
// The internal types lack fields that the API has twice, and pointers that the
// API has. An object that was converted to one and back is written differently:
// a Secret has its stringData in data.
//
// A server converts an object after it has decoded and defaulted it, and after
// a patch when a webhook needs another version or when no mutating webhook is
// left (S-170); until then the next mutating webhook receives the patched
// stringData. A caller therefore normalizes an object that a client wrote,
// after defaulting it, and every object that it converts, also to its own
// version.
//
// Normalize is idempotent and depends on the object alone. Unlike defaulting,
// it may remove and replace fields that are set. It returns no errors: it
// leaves values that a server could not decode, and a HorizontalPodAutoscaler
// in autoscaling/v1 with two CPU utilization metrics, of which a server would
// lose one. It leaves custom objects and lists alone.
package internalversion
