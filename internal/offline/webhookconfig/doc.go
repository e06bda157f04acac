// Package webhookconfig has helpers for webhook configurations among manifests:
// which documents are configurations, which of their versions are deprecated,
// the webhooks with their names and addresses, and setting the CA of a file in
// webhooks without one. It also has the addresses of conversion webhooks.
//
// Package registration decodes, defaults and validates configurations.
//
// The package has no state and starts no goroutines. Trust and Adjust change
// their arguments. There is an error if a webhook has no address, or a file has
// no CA.
package webhookconfig
