package whatif

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/replay"
	"example.com/gatehouse/internal/whatif/changes"
)

// naming maps the names of webhooks and policies in a set to those before, so that a
// new name alone is no difference.
type naming struct {
	// owners maps configurations, policies and bindings, webhooks their webhooks.
	owners, webhooks map[named]named
}

// named is a name of a kind; owner is the configuration of a webhook, by its name
// before.
type named struct{ kind, owner, name string }

// configurations are the kinds of the configurations, by phase.
var configurations = map[string]string{
	"mutating": "MutatingWebhookConfiguration", "validating": "ValidatingWebhookConfiguration",
}

// newNaming returns the naming of a set in which some changes are undone.
func newNaming(all []changes.Change, undone []int) *naming {
	n := &naming{map[named]named{}, map[named]named{}}
	for i := range all {
		c := &all[i]
		if c.Kind != changes.Renamed || slices.Contains(undone, i) {
			continue
		}
		kind := c.Object.Kind
		switch {
		case c.Webhook != "":
			n.webhooks[named{kind, c.Object.Name, c.NameAfter}] = named{kind, c.Object.Name, c.NameBefore}
		case c.Field == "metadata.name":
			n.owners[named{kind: kind, name: c.NameAfter}] = named{kind: kind, name: c.NameBefore}
		}
	}
	return n
}

// before returns the name before of an owner.
func (n *naming) before(kind, name string) string {
	if old, ok := n.owners[named{kind: kind, name: name}]; ok {
		return old.name
	}
	return name
}

// webhook returns the names before of a webhook.
func (n *naming) webhook(phase, configuration, webhook string) (string, string) {
	kind := configurations[phase]
	configuration = n.before(kind, configuration)
	if old, ok := n.webhooks[named{kind, configuration, webhook}]; ok {
		webhook = old.name
	}
	return configuration, webhook
}

// now returns the names in the set of a webhook by its names before.
func (n *naming) now(phase, configuration, webhook string) (string, string) {
	kind := configurations[phase]
	for now, old := range n.webhooks {
		if old == (named{kind, configuration, webhook}) {
			webhook = now.name
		}
	}
	return n.nowOwner(kind, configuration), webhook
}

// nowOwner returns the name in the set of an owner by its name before.
func (n *naming) nowOwner(kind, name string) string {
	for now, old := range n.owners {
		if old == (named{kind: kind, name: name}) {
			return now.name
		}
	}
	return name
}

// changesNames reports whether any name differs from that before.
func (n *naming) changesNames() bool { return len(n.owners)+len(n.webhooks) > 0 }

// entry returns an entry whose answers have the names of the set.
func (n *naming) entry(e *corpus.Entry) *corpus.Entry {
	if !n.changesNames() || len(e.Answers) == 0 {
		return e
	}
	renamed := *e
	renamed.Answers = slices.Clone(e.Answers)
	for i := range renamed.Answers {
		a := &renamed.Answers[i]
		a.Configuration, a.Webhook = n.now(a.Phase, a.Configuration, a.Webhook)
	}
	return &renamed
}

// result returns a result with the names before.
func (n *naming) result(r *replay.Result) *replay.Result {
	if !n.changesNames() {
		return r
	}
	renamed := *r
	renamed.Calls, renamed.Policies = slices.Clone(r.Calls), slices.Clone(r.Policies)
	for i := range renamed.Calls {
		c := &renamed.Calls[i]
		c.Configuration, c.Webhook = n.webhook(c.Phase, c.Configuration, c.Webhook)
	}
	for i := range renamed.Policies {
		p := &renamed.Policies[i]
		kind := policies[p.Phase]
		p.Policy, p.Binding = n.before(kind, p.Policy), n.before(kind+"Binding", p.Binding)
	}
	renamed.AuditAnnotations = maps.Clone(r.AuditAnnotations)
	for key, value := range renamed.AuditAnnotations {
		renamed.AuditAnnotations[key] = n.annotation(key, value)
	}
	return &renamed
}

// policies are the kinds of the policies, by phase.
var policies = map[string]string{
	"mutating": "MutatingAdmissionPolicy", "validating": "ValidatingAdmissionPolicy",
}

// annotation returns the value of an annotation with the names of the webhook before.
func (n *naming) annotation(key, value string) string {
	var fields map[string]json.RawMessage
	if !strings.Contains(key, "_index_") || json.Unmarshal([]byte(value), &fields) != nil {
		return value
	}
	var configuration, webhook string
	if json.Unmarshal(fields["configuration"], &configuration) != nil ||
		json.Unmarshal(fields["webhook"], &webhook) != nil {
		return value
	}
	c, w := n.webhook("mutating", configuration, webhook)
	if c == configuration && w == webhook {
		return value
	}
	fields["configuration"], _ = json.Marshal(c) // a string can be encoded
	fields["webhook"], _ = json.Marshal(w)
	text, err := json.Marshal(fields)
	if err != nil {
		return value
	}
	return string(text)
}
