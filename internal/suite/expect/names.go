package expect

import (
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// target is a NAME or CONFIGURATION/NAME with its webhooks. There are several
// if a configuration has the name twice, or if configurations of both kinds
// share a name: then each webhook has to meet the expectation.
type target struct {
	text     string
	webhooks []*admission.Webhook
}

// identity identifies a webhook.
type identity struct {
	phase admission.Phase
	uid   string
}

func identityOf(w *admission.Webhook) identity { return identity{w.Phase, w.UID} }

// has reports whether a webhook is one of the target's.
func (t *target) has(w *admission.Webhook) bool {
	return slices.ContainsFunc(t.webhooks,
		func(meant *admission.Webhook) bool { return identityOf(meant) == identityOf(w) })
}

func (c *compiler) targets(field string, texts []string) []target {
	if texts == nil {
		return nil
	}
	made := make([]target, len(texts))
	for i, text := range texts {
		made[i] = c.target(fmt.Sprintf("%s[%d]", field, i), text, made[:i])
	}
	return made
}

// target resolves a name to the webhooks of one configuration. It rejects
// unknown and ambiguous names, and a webhook that was named before in another
// form.
func (c *compiler) target(field, text string, before []target) target {
	t := target{text: text}
	var configurations []string
	for _, w := range c.webhooks {
		if !slices.Contains(webhookconfig.Names(w), text) {
			continue
		}
		t.webhooks = append(t.webhooks, w)
		if !slices.Contains(configurations, w.Configuration) {
			configurations = append(configurations, w.Configuration)
		}
	}
	switch len(configurations) {
	case 0:
		c.mistake(field, fmt.Errorf("there is no webhook %s%s", quoted(text), c.suggest(text)))
		return target{}
	case 1:
		c.checkUnique(field, &t, before)
		return t
	default:
		c.mistake(field, fmt.Errorf("%s is in %s: write %s", shown(text), enumerated(configurations), shown(configurations[0]+"/"+text)))
		return target{}
	}
}

// checkUnique reports a webhook that was named before in another form. Package
// suitefile reports equal names.
func (c *compiler) checkUnique(field string, t *target, before []target) {
	for i := range before {
		if b := &before[i]; b.text != t.text && b.has(t.webhooks[0]) {
			c.mistake(field, fmt.Errorf("%s: is already listed, as %s", quoted(t.text), quoted(b.text)))
		}
	}
}

// suggest suggests the names of existing webhooks.
func (c *compiler) suggest(text string) string {
	var known []string
	for _, w := range c.webhooks {
		candidate := w.Name
		if strings.Contains(text, "/") {
			candidate = webhookconfig.FullName(w)
		}
		if !slices.Contains(known, candidate) {
			known = append(known, candidate)
		}
	}
	return among(text, known)
}

// among suggests known names in place of a text.
func among(text string, known []string) string {
	if len(known) == 0 {
		return ": there are no webhooks or policies"
	}
	if hint := message.DidYouMean(limits.Cut(text, maxText), known); hint != "" && len(known) > 1 {
		return fmt.Sprintf(": %s There are %s", shown(hint), listed(known))
	}
	return ", but there is " + listed(known)
}

// label returns an unambiguous name of a webhook.
func (c *checker) label(w *admission.Webhook) string {
	name, phase := w.Name, ""
	for _, other := range c.known {
		switch {
		case other.Name != w.Name || identityOf(other) == identityOf(w):
		case other.Configuration != w.Configuration:
			name = webhookconfig.FullName(w)
		case other.Phase != w.Phase:
			phase = w.Phase.String() + " "
		default:
			return shown(w.Phase.String() + " " + w.UID)
		}
	}
	return shown(phase + name)
}
