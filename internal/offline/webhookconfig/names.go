package webhookconfig

import "example.com/gatehouse/admission"

// FullName returns CONFIGURATION/NAME.
func FullName(w *admission.Webhook) string { return w.Configuration + "/" + w.Name }

// Names returns the names of a webhook: its FullName, and then the NAME, which
// others may have too.
func Names(w *admission.Webhook) []string { return []string{FullName(w), w.Name} }
