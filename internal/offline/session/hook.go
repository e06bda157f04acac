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

// Hook names a webhook. Webhooks of both phases share it if their configurations
// are called the same, and with it their fault.
type Hook struct {
	// Configuration is the name of the configuration, Name the webhook's own.
	Configuration, Name string
}

// HookOf returns the name of a webhook.
func HookOf(w *admission.Webhook) Hook { return Hook{w.Configuration, w.Name} }

// String returns CONFIGURATION/NAME.
func (h Hook) String() string { return h.Configuration + "/" + h.Name }

// aimed is an injection and one of the webhooks that it is meant for.
type aimed struct {
	Hook
	inject.Flag
}

// aim finds the webhooks that injections are meant for. The error has one line
// for everything that is wrong: an injection that has no webhook, or not to
// itself, or one that cannot be taken in.
func aim(injections []inject.Flag, webhooks []*admission.Webhook) ([]aimed, error) {
	var all []aimed
	var problems []error
	taken := map[Hook]string{}
	for _, i := range injections {
		targets, err := hooksNamed(i.Webhook, webhooks)
		if err != nil {
			problems = append(problems, fmt.Errorf("--inject %q: %w", i.Value, err))
		}
		for _, h := range targets {
			if first, ok := taken[h]; ok {
				problems = append(problems, fmt.Errorf("--inject %q: %s has a fault already, from --inject %q", i.Value, h, first))
				continue
			}
			taken[h] = i.Value
			all = append(all, aimed{h, i})
		}
	}
	return all, errors.Join(problems...)
}

// hooksNamed returns the webhooks of a name, which may be that of a hook. There is at
// least one.
func hooksNamed(name string, webhooks []*admission.Webhook) ([]Hook, error) {
	var found []Hook
	for _, w := range webhooks {
		if !slices.Contains(webhookconfig.Names(w), name) {
			continue
		}
		if h := HookOf(w); !slices.Contains(found, h) {
			found = append(found, h)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no webhook is named %q: %s", name, otherHooks(name, webhooks))
	}
	return found, nil
}

// oneHook returns the webhook of a name, which may be empty if it is the only one.
func oneHook(name string, webhooks []*admission.Webhook) (Hook, error) {
	var found []Hook
	var err error
	if name != "" {
		found, err = hooksNamed(name, webhooks)
	} else if found = allHooks(webhooks); len(found) == 0 {
		err = errors.New("there is no webhook among the inputs")
	}
	switch {
	case err != nil:
		return Hook{}, err
	case len(found) > 1:
		return Hook{}, fmt.Errorf("name one of %s", listed(found))
	}
	return found[0], nil
}

func allHooks(webhooks []*admission.Webhook) []Hook {
	var all []Hook
	for _, w := range webhooks {
		if h := HookOf(w); !slices.Contains(all, h) {
			all = append(all, h)
		}
	}
	return all
}

// listed names webhooks, but not more than fit on a line.
func listed(hooks []Hook) string {
	const enough = 10
	names := make([]string, 0, enough)
	for _, h := range hooks[:min(len(hooks), enough)] {
		names = append(names, h.String())
	}
	text := strings.Join(names, ", ")
	if more := len(hooks) - enough; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// otherHooks says which webhooks there are, or those that may have been meant.
func otherHooks(webhook string, webhooks []*admission.Webhook) string {
	all := allHooks(webhooks)
	var names []string
	for _, h := range all {
		names = append(names, h.Name, h.String())
	}
	if hint := message.DidYouMean(webhook, names); hint != "" {
		return hint
	}
	if len(all) == 0 {
		return "there is none among the inputs"
	}
	return "there are " + listed(all)
}
