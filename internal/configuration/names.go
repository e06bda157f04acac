package configuration

import "example.com/gatehouse/admission"

// Names returns what people may call a webhook: CONFIGURATION/NAME, and after it the NAME,
// which others may have too.
func Names(w *admission.Webhook) []string { return []string{w.Configuration + "/" + w.Name, w.Name} }
