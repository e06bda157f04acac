package suite

import (
	"fmt"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Hints say what may be the reason why calls failed, a line for each thing: webhooks that
// nobody has said the place of, and that are hardly where their configurations say when
// there is no cluster. Names are as they were written.
func (r *Result) Hints() []string { return r.hints }

// hints are those about the calls of a response.
func (st *Stage) hints(r *admission.Response) []string {
	var all []string
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.URL == "" || c.Outcome != admission.FailedClosed && c.Outcome != admission.FailedOpen || st.has(c.Webhook) {
			continue
		}
		address, _, err := webhookconfig.Address(c.Webhook)
		if err != nil {
			continue // the failure says so
		}
		hint := fmt.Sprintf("the suite does not say where %s is: it was called at %s, as configured", c.Webhook.Name, address)
		if !slices.Contains(all, hint) {
			all = append(all, hint)
		}
	}
	return all
}

// has reports whether a webhook is called elsewhere than its configuration says.
func (st *Stage) has(w *admission.Webhook) bool {
	return st.clients[keyOf(w)] != nil
}
