// Package registration decodes, defaults, validates and converts webhook
// configurations as an API server does before it stores them. Embedders that
// read configurations from elsewhere call its functions in this order:
//
//	Decode          decodes a configuration of v1 or v1beta1
//	Default         sets absent fields, by version
//	Validate        returns all errors of a create
//	ValidateUpdate  returns all errors of an update
//	Warnings        returns the warnings of a write
//	Convert         converts to v1, which the engine takes
//
// The engine applies no defaults (an absent selector selects nothing, S-068)
// and does not validate. If a configuration skips these functions, a mistake in
// it shows only when a request arrives. For the manifests of an API server use
// ValidateStatic instead of Validate.
//
// Both kinds and both versions share one implementation of each rule, which
// reads a common view of them. Some rules have become stricter over the years.
// Ratchets decide which of them apply to a write, depending on the version and
// on the old configuration. Package cel compiles CEL expressions, so that they
// mean the same here and in matching.
//
// The functions have no state and are safe for concurrent use with different
// configurations. Default modifies its argument; the others do not.
//
// Errors have kube-apiserver's fields, values, texts and order, and validation
// returns all of them. The order is random where kube-apiserver iterates over a
// map, as for matchLabels. No input makes a function panic.
//
// Numbers such as R-020 and S-123 refer to docs/semantics.md.
package registration
