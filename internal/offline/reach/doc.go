// Package reach words what commands say about calls of webhooks that failed:
// whether the webhook was reached at all, and a hint with the setting of the
// command that helps. Package explain has the hints that concern the webhook
// itself.
//
// The package has no state. Texts may quote certificates and configurations:
// callers escape them.
package reach
