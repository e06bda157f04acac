package rules

import (
	"fmt"
	"slices"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/lint/simulation"
)

// delayRules are about requests that wait for a backend that hangs.
var delayRules = []*lint.Rule{
	perWebhook(lint.Rule{
		ID: "timeout-long", Level: lint.Warning,
		Title:   "The webhook may take more than 10 seconds.",
		Why:     "While the backend hangs, each request that the webhook receives waits that long. Clients with a shorter timeout give up.",
		Fix:     "Set timeoutSeconds to 5 or less.",
		Sources: []string{smallTimeout, clusterlint},
	}, func(_ *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		if t := w.TimeoutSeconds; t != nil && *t > 10 && !ignoresLong(w) {
			report(lint.Of(w, "timeoutSeconds", fmt.Sprintf("The timeout is %d seconds.", *t)))
		}
	}),
	perWebhook(lint.Rule{
		ID: "timeout-long-ignored", Level: lint.Warning,
		Title:   "The webhook is optional, but requests wait for it for more than 15 seconds.",
		Why:     "With failurePolicy Ignore, requests may pass without the webhook. But clients give up before the timeout ends.",
		Fix:     "Set timeoutSeconds to 5 or less.",
		Sources: []string{smallTimeout, gardener},
	}, func(_ *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		if ignoresLong(w) {
			report(lint.Of(w, "timeoutSeconds", fmt.Sprintf("The timeout is %d seconds, and failurePolicy is Ignore.",
				*w.TimeoutSeconds)))
		}
	}),
	delaysRule("delays-leases", lint.Error,
		"A webhook that hangs lets leases expire.",
		"Leader election waits 5 seconds for a request, and the kubelet waits 10 seconds for the renewal of a lease. failurePolicy Ignore does not help: the client gives up first.",
		"Do not intercept leases, or set timeoutSeconds to 3 or less.",
		[]string{gardener, "kubernetes/kubernetes#90217", "open-policy-agent/gatekeeper#870", "gardener/gardener#7625"},
		expired, isAny("leases.coordination.k8s.io")),
	delaysRule("delays-system", lint.Warning,
		"A webhook that hangs delays the system by 10 seconds or more.",
		"With failurePolicy Ignore, requests pass, but only after the timeout.",
		"Exclude kube-system, or set timeoutSeconds to 5 or less.",
		[]string{smallTimeout, gardener},
		10*time.Second, all(in("kube-system"), not(isAny("leases.coordination.k8s.io")))),
	{
		ID: "serial-timeouts", Level: lint.Error,
		Title:   "Webhooks that hang together exceed the deadline of a request.",
		Why:     "The API server calls mutating webhooks one after another. If several backends hang, for example after a network failure, the sum of their timeouts exceeds the deadline, and the request fails whatever the failurePolicy.",
		Fix:     "Lower timeoutSeconds, or let fewer webhooks receive the request.",
		Sources: []string{"kubernetes/kubernetes#128162"},
		Check:   checkSerial,
	},
}

// ignoresLong reports whether requests wait long for a webhook that they do not need.
func ignoresLong(w *inventory.Webhook) bool {
	return w.IgnoresFailures() && w.TimeoutSeconds != nil && *w.TimeoutSeconds > 15
}

// timeout is the timeoutSeconds of a webhook; those of v1beta1 have a default, too.
func timeout(w *admission.Webhook) time.Duration {
	if w.TimeoutSeconds == nil {
		return 0
	}
	return time.Duration(*w.TimeoutSeconds) * time.Second
}

// expired is longer than every deadline: only requests whose deadline is over wait so
// long.
const expired = time.Hour

// delaysRule returns a rule about requests that wait for a webhook whose backend hangs.
func delaysRule(
	id string, level lint.Level, title, why, fix string, sources []string,
	least time.Duration, chosen choice,
) *lint.Rule {
	return &lint.Rule{
		ID: id, Level: level, Title: title, Why: why, Fix: fix, Sources: sources,
		Check: func(c *lint.Cluster, report func(lint.Finding)) {
			for _, w := range c.Webhooks {
				witnesses := slices.DeleteFunc(c.Delays(w, least, chosen), func(witness lint.Witness) bool {
					return !isSlowest(w, witness.Outcome)
				})
				if len(witnesses) == 0 {
					continue
				}
				f := lint.Of(w, "timeoutSeconds", fmt.Sprintf("%s %s while %s hangs.",
					count(len(witnesses), "waits", "wait"), witnesses[0].Outcome.Elapsed, w.Backend))
				f.Witnesses, f.Cause = witnesses, receivesCause(c, w, witnesses)
				report(f)
			}
		},
	}
}

// isSlowest reports whether a request waited for no other webhook longer than for w.
func isSlowest(w *inventory.Webhook, o *outage.Outcome) bool {
	return !slices.ContainsFunc(o.Failed, func(other *admission.Webhook) bool {
		return timeout(other) > timeout(w.Webhook)
	})
}

// checkSerial reports requests that time out when all backends hang, although none of the
// webhooks alone takes that long.
func checkSerial(c *lint.Cluster, report func(lint.Finding)) {
	var f lint.Finding
	for i := range c.Matrix.Rows {
		row := &c.Matrix.Rows[i]
		if !row.Worst.TimedOut || len(row.Worst.Failed) == 0 ||
			slices.ContainsFunc(row.Worst.Failed, func(w *admission.Webhook) bool {
				return timeout(w) >= row.Request.Deadline
			}) {
			continue
		}
		down := simulation.Down{}
		for _, b := range row.Reached {
			down[b] = simulation.Hanging
		}
		witness := lint.Witness{Request: row.Request, Down: down, Outcome: row.Worst}
		f.Witnesses = append(f.Witnesses, witness)
	}
	if len(f.Witnesses) == 0 {
		return
	}
	first := f.Witnesses[0]
	failed := first.Outcome.Failed
	of := lint.Of(webhookOf(c, failed[len(failed)-1]), "timeoutSeconds", fmt.Sprintf(
		"%s rejected after %s when the backends of %d webhooks hang.", count(len(f.Witnesses), "is", "are"),
		first.Outcome.Elapsed, len(failed)))
	of.Witnesses = f.Witnesses
	report(of)
}
