package lint

import (
	"strings"
	"time"

	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/lint/simulation"
	"example.com/gatehouse/internal/manifest"
)

// Finding is one mistake.
type Finding struct {
	// Rule is set by Run.
	Rule *Rule
	// Subject names what is wrong, such as the webhook CONFIGURATION/NAME.
	Subject string
	// Document and Field are its position.
	Document *manifest.Document
	Field    string
	// Message says what is wrong in this case, in one sentence.
	Message string
	// Evidence are facts, one line each, without secrets.
	Evidence []string
	// Witnesses are requests that show it, the most important first.
	Witnesses []Witness
	// Silenced is the reason why the author accepts the finding; empty if it counts.
	Silenced string
}

// Witness is a request to which something bad happens.
type Witness struct {
	Request *critical.Request
	// Down has the backends that are down.
	Down    simulation.Down
	Outcome *outage.Outcome
}

// Of returns a finding about a webhook.
func Of(w *inventory.Webhook, field, message string) Finding {
	path := w.Field
	if field != "" {
		path += "." + field
	}
	return Finding{
		Subject:  "webhook " + w.Configuration + "/" + w.Name,
		Document: w.Document, Field: path, Message: message,
	}
}

// Position returns where the finding is.
func (f *Finding) Position() manifest.Position {
	if f.Document == nil {
		return manifest.Position{}
	}
	return f.Document.At(f.Field)
}

// ID identifies the finding among those of a report: RULE/NAME, with the name in the
// subject.
func (f *Finding) ID() string {
	_, name, _ := strings.Cut(f.Subject, " ")
	return f.Rule.ID + "/" + name
}

// Skipped is a rule whose objects are not among the inputs.
type Skipped struct {
	Rule *Rule
	// Missing are the kinds, of which one would be enough.
	Missing []string
}

// Report has the findings of a run.
type Report struct {
	Findings []Finding
	Skipped  []Skipped
	Elapsed  time.Duration
}

// Refusing returns the outage in which one backend refuses connections.
func Refusing(b inventory.Backend) simulation.Down {
	return simulation.Down{b: simulation.Refusing}
}
