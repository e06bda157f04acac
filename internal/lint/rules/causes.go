package rules

import (
	"slices"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
)

// ofSystem are resources that components of the cluster write, and no user.
var ofSystem = []string{"leases", "endpoints", "endpointslices"}

// receivesCause returns the cause of a finding about requests that a webhook receives: the
// resources in its rules that lead to them. It is zero if the webhook may need one of them:
// then the findings have different remedies.
func receivesCause(c *lint.Cluster, w *inventory.Webhook, witnesses []lint.Witness) lint.Cause {
	resources := resourcesFor(c, w, witnesses)
	if len(resources) == 0 || slices.ContainsFunc(resources, func(name string) bool {
		return !strings.Contains(name, "*") && !slices.Contains(ofSystem, name)
	}) {
		return lint.Cause{}
	}
	names := strings.Join(resources, ", ")
	fix := "Do not intercept " + names + "."
	if strings.Contains(names, "*") {
		fix = "List the resources that the webhook needs in place of " + names + "."
	}
	return lint.Cause{What: names + " in the rules", Fix: fix, Of: w.Phase.String() + w.UID}
}

// resourcesFor returns the resources in the rules of a webhook by which it receives
// requests, sorted. The resources * and */* are both *, and hide all others: they have to go
// first.
func resourcesFor(c *lint.Cluster, w *inventory.Webhook, witnesses []lint.Witness) []string {
	var all []string
	for _, witness := range witnesses {
		m := matchFor(c, w, witness)
		if m == nil || m.Rule < 0 {
			continue
		}
		name := resourceIn(w.Rules[m.Rule].Resources, m.Target)
		if name == "*" {
			return []string{"*"}
		}
		all = append(all, name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// matchFor returns what matching says about a request; nil if it is not in the matrix.
func matchFor(c *lint.Cluster, w *inventory.Webhook, witness lint.Witness) *admission.Match {
	for i := range c.Matrix.Rows {
		if row := &c.Matrix.Rows[i]; row.Request == witness.Request {
			return lint.MatchOf(row.Result, w)
		}
	}
	return nil
}

// resourceIn returns the resource of a rule that means a target: its name if it is there.
// pods/* names pods, too.
func resourceIn(resources []string, of admission.Target) string {
	parent, sub := of.Resource.Resource, of.Subresource
	if sub == "" {
		if slices.Contains(resources, parent) || slices.Contains(resources, parent+"/*") {
			return parent
		}
		return "*"
	}
	for _, name := range []string{parent + "/" + sub, parent + "/*", "*/" + sub} {
		if slices.Contains(resources, name) {
			return name
		}
	}
	return "*"
}

// causes returns the cause of a finding about a webhook.
type causes func(w *inventory.Webhook) lint.Cause

// sharing sets the cause of the findings of a check: what several webhooks have in common.
func sharing(cause causes, of check) check {
	return func(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		of(c, w, func(f lint.Finding) {
			f.Cause = cause(w)
			report(f)
		})
	}
}

// backend returns the cause of findings about what answers for webhooks.
func backend(problem string) causes {
	return func(w *inventory.Webhook) lint.Cause {
		return lint.Cause{What: w.Backend.String(), Of: problem}
	}
}

// authority returns the cause of findings about a CA.
func authority(problem string) causes {
	return func(w *inventory.Webhook) lint.Cause {
		return lint.Cause{What: "the same caBundle", Of: problem + string(w.ClientConfig.CABundle)}
	}
}
