package lint

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/lint/simulation"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Finding is one mistake.
type Finding struct {
	// Rule and ID are set by Run. ID is RULE/KIND/NAME and Part, in which the kind of a
	// webhook is its phase. It is unique in a report, and does not depend on other findings.
	Rule *Rule
	ID   string
	// Subject names what is wrong, such as the validating webhook CONFIGURATION/NAME.
	Subject string
	// Part tells apart the findings of a rule about one subject; empty if the rule has one
	// at most.
	Part string
	// Document and Field are its position.
	Document *manifest.Document
	Field    string
	// Message says what is wrong in this case, in one sentence.
	Message string
	// Evidence are facts, one line each, without secrets.
	Evidence []string
	// Witnesses are requests that show it, the most important first.
	Witnesses []Witness
	// Cause is what has to change: findings with the same one are gone together. It is zero
	// for a finding with a cause of its own.
	Cause Cause
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

// Cause is what has to change.
type Cause struct {
	// What is for readers, such as "pods/* in the rules".
	What string
	// Fix is the remedy for all; empty if that of the first finding is.
	Fix string
	// Of tells it apart from the same in another object, or for another reason.
	Of string
}

// Of returns a finding about a webhook.
func Of(w *inventory.Webhook, field, message string) Finding {
	path := w.Field
	if field != "" {
		path += "." + field
	}
	return Finding{
		Subject:  w.Phase.String() + " webhook " + nameOf(w),
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

// nameOf returns CONFIGURATION/NAME. Old API servers take a name several times; all but the
// first have #2, #3 and so on.
func nameOf(w *inventory.Webhook) string {
	name := webhookconfig.FullName(w.Webhook)
	count, err := strconv.Atoi(strings.TrimPrefix(w.UID, name+"/"))
	if err == nil && count > 0 {
		return fmt.Sprintf("%s#%d", name, count+1)
	}
	return name
}

func (f *Finding) id() string {
	name := strings.ReplaceAll(strings.Replace(f.Subject, " webhook ", "/", 1), " ", "/")
	return strings.TrimSuffix(f.Rule.ID+"/"+name+"/"+f.Part, "/")
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
	// Unused silence no finding, although their rules have run.
	Unused  []*Silence
	Elapsed time.Duration
}

// Refusing returns the outage in which one backend refuses connections.
func Refusing(b inventory.Backend) simulation.Down {
	return simulation.Down{b: simulation.Refusing}
}
