package expect

import (
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// target is what somebody calls NAME or CONFIGURATION/NAME. That is one webhook, unless a
// configuration's name is that of one of both kinds, or one has a name twice: then each of
// them has to be as expected.
type target struct {
	text     string
	webhooks []*admission.Webhook
}

// identity tells a webhook from all others.
type identity struct {
	phase admission.Phase
	uid   string
}

func identityOf(w *admission.Webhook) identity { return identity{w.Phase, w.UID} }

// has reports whether a webhook is one of those that are meant.
func (t *target) has(w *admission.Webhook) bool {
	return slices.ContainsFunc(t.webhooks, func(meant *admission.Webhook) bool { return identityOf(meant) == identityOf(w) })
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

// target sees to it that there is such a webhook, in one configuration, and that it is not
// one of those before under another name.
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
		c.mistake(field, fmt.Errorf("there is no webhook %s%s", quoted(text), c.instead(text)))
		return target{}
	case 1:
		c.once(field, &t, before)
		return t
	default:
		c.mistake(field, fmt.Errorf("%s is in %s: write %s", shown(text), enumerated(configurations), shown(configurations[0]+"/"+text)))
		return target{}
	}
}

// once reports a webhook that goes by another name before. Where it goes by the same name,
// package suitefile says so.
func (c *compiler) once(field string, t *target, before []target) {
	for i := range before {
		if b := &before[i]; b.text != t.text && b.has(t.webhooks[0]) {
			c.mistake(field, fmt.Errorf("%s: is there already, as %s", quoted(t.text), quoted(b.text)))
		}
	}
}

// instead says which webhooks there are, or which of them may have been meant.
func (c *compiler) instead(text string) string {
	var known []string
	seen := map[string]bool{}
	for _, w := range c.webhooks {
		candidate := w.Name
		if strings.Contains(text, "/") {
			candidate = webhookconfig.FullName(w)
		}
		if !seen[candidate] {
			seen[candidate] = true
			known = append(known, candidate)
		}
	}
	if len(known) == 0 {
		return ": there is none at all"
	}
	if best := nearest(text, known); best != "" && len(known) > 1 {
		return fmt.Sprintf(": did you mean %s? There are %s", shown(best), listed(known))
	}
	return ", but there is " + listed(known)
}

// nearest returns what a text may be a misspelling of; "" if it looks like none.
func nearest(text string, known []string) string {
	const longestName = 512 // a configuration's and a webhook's are shorter
	best, misses := "", min(2, len(text)/4)+1
	for _, candidate := range known {
		if max(len(text), len(candidate)) > longestName {
			continue
		}
		if n := message.Distance(text, candidate); n < misses {
			best, misses = candidate, n
		}
	}
	return best
}

// label is what a webhook is called in failures: with whatever tells it from another one of
// its name.
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
