package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/simulation"
	"example.com/gatehouse/internal/message"
)

// WitnessOf returns the first witness of a finding as YAML, with the arguments of
// `gatehouse run` with which the same happens. webhooks says whether the inputs have any.
func WitnessOf(f *lint.Finding, webhooks bool) ([]byte, error) {
	w := f.Witnesses[0]
	var out bytes.Buffer
	fmt.Fprintf(&out, "# %s\n# %s\n", f.Rule.Title, w.Request.Does)
	fmt.Fprintf(&out, "# To see the same result: gatehouse run -f FILES %s THIS-FILE\n",
		strings.Join(arguments(w, webhooks), " "))
	text, err := yaml.JSONToYAML(w.Request.Manifest)
	out.Write(text)
	return out.Bytes(), err
}

// arguments returns the flags of `gatehouse run` with which a request has the outcome of
// its witness: the webhooks, if there are any, allow it, but those that are down.
func arguments(w lint.Witness, webhooks bool) []string {
	var all []string
	if webhooks {
		all = append(all, "--inject '*=allow'")
	}
	var failing []string
	for _, webhook := range w.Outcome.Failed {
		state, down := w.Down[inventory.BackendOf(webhook)]
		if down {
			what := map[simulation.State]string{simulation.Refusing: "refuse", simulation.Hanging: "hang"}[state]
			failing = append(failing, "--inject "+message.Quoted(webhook.Configuration+"/"+webhook.Name+"="+what))
		}
	}
	slices.Sort(failing)
	all = append(all, slices.Compact(failing)...)
	if w.Outcome.TimedOut {
		all = append(all, fmt.Sprintf("--request-timeout %s", w.Request.Deadline))
	}
	return all
}
