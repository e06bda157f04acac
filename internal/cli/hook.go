package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// hook names a webhook. Webhooks of both phases share it if their configurations
// are called the same, and with it their fault.
type hook struct{ configuration, name string }

func hookOf(w *admission.Webhook) hook { return hook{w.Configuration, w.Name} }

func (h hook) String() string { return h.configuration + "/" + h.name }

// webhooksOf returns the webhooks of the configurations, in order.
func webhooksOf(configurations []runtime.Object) []*admission.Webhook {
	var webhooks []*admission.Webhook
	for _, configuration := range configurations {
		switch c := configuration.(type) {
		case *registrationv1.MutatingWebhookConfiguration:
			webhooks = append(webhooks, admission.MutatingWebhooks(c)...)
		case *registrationv1.ValidatingWebhookConfiguration:
			webhooks = append(webhooks, admission.ValidatingWebhooks(c)...)
		}
	}
	return webhooks
}

// webhooks returns all webhooks, those of the server first.
func (in *inputs) webhooks(s *server) []*admission.Webhook {
	return slices.Concat(s.webhooks(), webhooksOf(in.configurations))
}

// aimed is an injection and one of the webhooks that it is meant for.
type aimed struct {
	hook
	injection
}

// aim finds the webhooks that injections are meant for. The error has one line
// for everything that is wrong: an injection that has no webhook, or not to
// itself, or one that cannot be taken in.
func aim(injections []injection, webhooks []*admission.Webhook) ([]aimed, error) {
	var all []aimed
	var problems []error
	taken := map[hook]string{}
	for _, i := range injections {
		targets, err := hooksNamed(i.webhook, webhooks)
		if err != nil {
			problems = append(problems, fmt.Errorf("--inject %q: %w", i.value, err))
		}
		for _, h := range targets {
			if first, ok := taken[h]; ok {
				problems = append(problems, fmt.Errorf("--inject %q: %s has a fault already, from --inject %q", i.value, h, first))
				continue
			}
			taken[h] = i.value
			all = append(all, aimed{h, i})
		}
	}
	return all, errors.Join(problems...)
}

// hooksNamed returns the webhooks of a name, which may be that of a hook. There is at
// least one.
func hooksNamed(name string, webhooks []*admission.Webhook) ([]hook, error) {
	var found []hook
	for _, w := range webhooks {
		h := hookOf(w)
		if name != h.name && name != h.String() {
			continue
		}
		if !slices.Contains(found, h) {
			found = append(found, h)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no webhook is named %q: %s", name, otherHooks(name, webhooks))
	}
	return found, nil
}

// oneHook returns the webhook of --webhook, which need not be named if it is the only
// one.
func oneHook(name string, webhooks []*admission.Webhook) (hook, error) {
	var found []hook
	var err error
	if name != "" {
		found, err = hooksNamed(name, webhooks)
	} else if found = allHooks(webhooks); len(found) == 0 {
		err = errors.New("there is no webhook among the inputs")
	}
	switch {
	case err != nil:
		return hook{}, fmt.Errorf("--webhook: %w", err)
	case len(found) > 1:
		return hook{}, fmt.Errorf("--webhook: name one of %s", listed(found))
	}
	return found[0], nil
}

func allHooks(webhooks []*admission.Webhook) []hook {
	var all []hook
	for _, w := range webhooks {
		if h := hookOf(w); !slices.Contains(all, h) {
			all = append(all, h)
		}
	}
	return all
}

// listed names webhooks, but not more than fit on a line.
func listed(hooks []hook) string {
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
		names = append(names, h.name, h.String())
	}
	if near := nearest(webhook, names); len(near) > 0 {
		return didYouMean(near)
	}
	if len(all) == 0 {
		return "there is none among the inputs"
	}
	return "there are " + listed(all)
}
