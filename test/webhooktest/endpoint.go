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

// endpoint is how webhooks are reached: by a handler or at an address.
type endpoint struct {
	// option is the name of the Option.
	option string
	// webhooks are NAMEs or CONFIGURATION/NAMEs; empty means all remaining
	// webhooks.
	webhooks []string
	handler  http.Handler
	address  string
	ca       []byte
}

// describe returns the call of the option for some webhooks.
func (w endpoint) describe(webhooks ...string) string {
	arguments := "…"
	for _, name := range webhooks {
		arguments += fmt.Sprintf(", %q", name)
	}
	return w.option + "(" + arguments + ")"
}

// check returns the mistakes in an endpoint, given the previous ones.
func (w endpoint) check(others []endpoint) []error {
	var problems []error
	if w.handler == nil && w.address == "" {
		problems = append(
			problems, fmt.Errorf("%s: nothing is given that would answer", w.describe(w.webhooks...)))
	}
	if slices.Contains(w.webhooks, "") {
		problems = append(problems, fmt.Errorf("%s: a name is empty: say none for all webhooks", w.describe(w.webhooks...)))
	}
	for _, other := range others {
		problems = append(problems, w.clash(other))
	}
	return problems
}

// clash reports a webhook that has another endpoint of the same precision.
func (w endpoint) clash(other endpoint) error {
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

// endpointOf returns the most specific endpoint of a webhook; nil if there is
// none. An option without names does not apply to a webhook whose address the
// suite gives, which may be an address without a server on purpose.
func (o *options) endpointOf(s *suite.Suite, w *admission.Webhook) *endpoint {
	for _, name := range webhookconfig.Names(w) {
		if i := slices.IndexFunc(o.endpoints,
			func(one endpoint) bool { return slices.Contains(one.webhooks, name) }); i >= 0 {
			return &o.endpoints[i]
		}
	}
	i := slices.IndexFunc(o.endpoints, func(one endpoint) bool { return len(one.webhooks) == 0 })
	if i < 0 || s.HasAddress(w) {
		return nil
	}
	return &o.endpoints[i]
}

// checkEndpoints rejects options for unknown webhooks.
func (o *options) checkEndpoints(suites ...*suite.Suite) error {
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
	for _, w := range o.endpoints {
		for _, name := range w.webhooks {
			if !known[name] {
				return fmt.Errorf("%s: there is no such webhook: there are %s", w.describe(name),
					strings.Join(names, ", "))
			}
		}
	}
	return nil
}

// environment returns the options for starting a suite.
func (o *options) environment(s *suite.Suite) suite.EnvironmentOptions {
	return suite.EnvironmentOptions{
		Update: o.goldens,
		Handlers: func(w *admission.Webhook) http.Handler {
			if way := o.endpointOf(s, w); way != nil {
				return way.handler
			}
			return nil
		},
		Address: func(w *admission.Webhook) (string, []byte) {
			if way := o.endpointOf(s, w); way != nil {
				return way.address, way.ca
			}
			return "", nil
		},
	}
}
