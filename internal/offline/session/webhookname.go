package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/inject"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// WebhookName names a webhook. Webhooks of both phases share it if their
// configurations have the same name, and then they share a fault.
type WebhookName struct {
	// Configuration is the name of the configuration, Name that of the webhook.
	Configuration, Name string
}

// NameOf returns the name of a webhook.
func NameOf(w *admission.Webhook) WebhookName { return WebhookName{w.Configuration, w.Name} }

// String returns CONFIGURATION/NAME.
func (n WebhookName) String() string { return n.Configuration + "/" + n.Name }

// target is a value of --inject and one of its webhooks.
type target struct {
	name WebhookName
	inject.Flag
}

// findTargets finds the webhooks of injections. A name takes precedence over a
// pattern. The error has one line for every injection without a webhook, or for
// a webhook that has a fault of the same precision already.
func findTargets(injections []inject.Flag, webhooks []*admission.Webhook) ([]target, error) {
	var all []target
	var problems []error
	taken := map[WebhookName]string{}
	isPattern := map[string]bool{}
	for _, i := range patternsLast(injections) {
		isPattern[i.Value] = i.IsPattern()
		targets, err := webhooksSelected(&i, webhooks)
		if err != nil {
			problems = append(problems, fmt.Errorf("--inject %q: %w", i.Value, err))
		}
		for _, h := range targets {
			first, ok := taken[h]
			if ok && i.IsPattern() && !isPattern[first] {
				continue // the name takes precedence
			}
			if ok {
				problems = append(problems, fmt.Errorf("--inject %q: %s already has a fault, from --inject %q", i.Value, h, first))
				continue
			}
			taken[h] = i.Value
			all = append(all, target{h, i})
		}
	}
	return all, errors.Join(problems...)
}

// patternsLast returns the injections by name, and then those by pattern.
func patternsLast(injections []inject.Flag) []inject.Flag {
	sorted := slices.Clone(injections)
	slices.SortStableFunc(sorted, func(a, b inject.Flag) int {
		switch {
		case a.IsPattern() == b.IsPattern():
			return 0
		case b.IsPattern():
			return -1
		}
		return 1
	})
	return sorted
}

// webhooksSelected returns the webhooks of an injection. There is at least one.
func webhooksSelected(i *inject.Flag, webhooks []*admission.Webhook) ([]WebhookName, error) {
	if !i.IsPattern() {
		return webhooksNamed(i.Webhook, webhooks)
	}
	found := slices.DeleteFunc(allWebhooks(webhooks),
		func(n WebhookName) bool { return !i.Matches(n.String(), n.Name) })
	if len(found) == 0 {
		return nil, fmt.Errorf("no webhook matches %q: %s", i.Webhook, thereAre(webhooks))
	}
	return found, nil
}

// webhooksNamed returns the webhooks with a name of webhookconfig.Names. There
// is at least one.
func webhooksNamed(name string, webhooks []*admission.Webhook) ([]WebhookName, error) {
	var found []WebhookName
	for _, w := range webhooks {
		if !slices.Contains(webhookconfig.Names(w), name) {
			continue
		}
		if h := NameOf(w); !slices.Contains(found, h) {
			found = append(found, h)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no webhook %q: %s", name, suggestion(name, webhooks))
	}
	return found, nil
}

// oneWebhook returns the webhook with a name, which may be empty if there is
// only one.
func oneWebhook(name string, webhooks []*admission.Webhook) (WebhookName, error) {
	var found []WebhookName
	var err error
	if name != "" {
		found, err = webhooksNamed(name, webhooks)
	} else if found = allWebhooks(webhooks); len(found) == 0 {
		err = errors.New("the inputs have no webhook")
	}
	switch {
	case err != nil:
		return WebhookName{}, err
	case len(found) > 1:
		return WebhookName{}, fmt.Errorf("name one of %s", listed(found))
	}
	return found[0], nil
}

func allWebhooks(webhooks []*admission.Webhook) []WebhookName {
	var all []WebhookName
	for _, w := range webhooks {
		if h := NameOf(w); !slices.Contains(all, h) {
			all = append(all, h)
		}
	}
	return all
}

// listed names up to ten webhooks.
func listed(webhooks []WebhookName) string {
	const enough = 10
	names := make([]string, 0, enough)
	for _, h := range webhooks[:min(len(webhooks), enough)] {
		names = append(names, h.String())
	}
	text := strings.Join(names, ", ")
	if more := len(webhooks) - enough; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// suggestion names similar webhooks, or all of them.
func suggestion(webhook string, webhooks []*admission.Webhook) string {
	all := allWebhooks(webhooks)
	var names []string
	for _, h := range all {
		names = append(names, h.Name, h.String())
	}
	if hint := message.DidYouMean(webhook, names); hint != "" {
		return hint
	}
	return thereAre(webhooks)
}

// thereAre names all webhooks.
func thereAre(webhooks []*admission.Webhook) string {
	all := allWebhooks(webhooks)
	if len(all) == 0 {
		return "the inputs have no webhook"
	}
	return "there are " + listed(all)
}
