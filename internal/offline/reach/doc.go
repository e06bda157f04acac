// Package reach has the messages of commands about failed calls of webhooks:
// whether the webhook was reached at all, and a hint with the setting of the
// command that helps. Package explain has the hints that concern the webhook
// itself.
//
// The package has no state. Texts may quote certificates and configurations:
// callers escape them.
package reach
