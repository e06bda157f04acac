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
		targets, err := i.targets(webhooks)
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

// targets returns those of the webhooks that the injection names.
func (i injection) targets(webhooks []*admission.Webhook) ([]hook, error) {
	var targets []hook
	for _, w := range webhooks {
		h := hookOf(w)
		if i.webhook != h.name && i.webhook != h.String() {
			continue
		}
		if !slices.Contains(targets, h) {
			targets = append(targets, h)
		}
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("no webhook is named %q: %s", i.webhook, otherHooks(i.webhook, webhooks))
	}
	return targets, nil
}

// otherHooks says which webhooks there are, or those that may have been meant.
func otherHooks(webhook string, webhooks []*admission.Webhook) string {
	const enough = 10
	var bare, full []string
	for _, w := range webhooks {
		if h := hookOf(w).String(); !slices.Contains(full, h) {
			bare, full = append(bare, w.Name), append(full, h)
		}
	}
	if near := nearest(webhook, slices.Concat(bare, full)); len(near) > 0 {
		return didYouMean(near)
	}
	switch more := len(full) - enough; {
	case len(full) == 0:
		return "there is none among the inputs"
	case more > 0:
		return fmt.Sprintf("there are %s and %d more", strings.Join(full[:enough], ", "), more)
	}
	return "there are " + strings.Join(full, ", ")
}
