package webhooktest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/suite"
)

// way is how webhooks are reached: by a handler or at an address.
type way struct {
	// option is the name of the Option that said so.
	option string
	// webhooks are each a NAME or a CONFIGURATION/NAME; none is all that are left.
	webhooks []string
	handler  http.Handler
	address  string
	ca       []byte
}

// describe returns the option as it was called for some webhooks.
func (w way) describe(webhooks ...string) string {
	arguments := "…"
	for _, name := range webhooks {
		arguments += fmt.Sprintf(", %q", name)
	}
	return w.option + "(" + arguments + ")"
}

// check returns what is wrong with a way, besides those that are there already.
func (w way) check(others []way) []error {
	var problems []error
	if w.handler == nil && w.address == "" {
		problems = append(problems, fmt.Errorf("%s: nothing is given that would answer", w.describe(w.webhooks...)))
	}
	if slices.Contains(w.webhooks, "") {
		problems = append(problems, fmt.Errorf("%s: a name is empty: say none for all webhooks", w.describe(w.webhooks...)))
	}
	for _, other := range others {
		problems = append(problems, w.clash(other))
	}
	return problems
}

// clash reports a webhook to which two ways lead that say equally much about it.
func (w way) clash(other way) error {
	if len(w.webhooks) == 0 && len(other.webhooks) == 0 {
		return fmt.Errorf("%s: there is %s already", w.describe(), other.describe())
	}
	for _, name := range w.webhooks {
		if slices.Contains(other.webhooks, name) {
			return fmt.Errorf("%s: there is %s already", w.describe(name), other.describe(name))
		}
	}
	return nil
}

// wayTo returns the way that says most about which webhook it is meant for, nil if there is
// none. One that names no webhook is none to those whose address the suite gives: who wrote
// it there meant that place, such as one where nobody listens.
func (o *options) wayTo(s *suite.Suite, w *admission.Webhook) *way {
	for _, name := range webhookconfig.Names(w) {
		if i := slices.IndexFunc(o.ways, func(one way) bool { return slices.Contains(one.webhooks, name) }); i >= 0 {
			return &o.ways[i]
		}
	}
	i := slices.IndexFunc(o.ways, func(one way) bool { return len(one.webhooks) == 0 })
	if i < 0 || s.HasAddress(w) {
		return nil
	}
	return &o.ways[i]
}

// checkWays reports ways to webhooks that are in none of the suites.
func (o *options) checkWays(suites ...*suite.Suite) error {
	known := map[string]bool{}
	var names []string
	for _, s := range suites {
		for _, w := range s.Webhooks() {
			full := webhookconfig.FullName(w)
			known[w.Name], known[full] = true, true
			names = append(names, full)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, w := range o.ways {
		for _, name := range w.webhooks {
			if !known[name] {
				return fmt.Errorf("%s: there is no such webhook: there are %s", w.describe(name), strings.Join(names, ", "))
			}
		}
	}
	return nil
}

// stage returns how the webhooks of a suite are reached on its stage.
func (o *options) stage(s *suite.Suite) suite.StageOptions {
	return suite.StageOptions{
		Update: o.update,
		Handlers: func(w *admission.Webhook) http.Handler {
			if way := o.wayTo(s, w); way != nil {
				return way.handler
			}
			return nil
		},
		Address: func(w *admission.Webhook) (string, []byte) {
			if way := o.wayTo(s, w); way != nil {
				return way.address, way.ca
			}
			return "", nil
		},
	}
}
