// Package decoding decodes the objects of group admissionregistration.k8s.io as
// an API server does: JSON or YAML, with its texts for unknown and duplicate
// fields.
//
// The kinds are the callers': packages registration and policy. The package has
// no state, and no input makes it panic.
package decoding
