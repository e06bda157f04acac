package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/apis/cel"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// configurationRules are about other fields of webhooks.
var configurationRules = []*lint.Rule{
	perWebhook(lint.Rule{
		ID: "refuses-dry-run", Level: lint.Warning,
		Title:   "The API server rejects dry runs of the requests that the webhook receives.",
		Why:     "If sideEffects is Some or Unknown, the API server does not call the webhook for a dry run, but rejects the request. kubectl diff and kubectl apply --dry-run=server do not work.",
		Fix:     "Avoid side effects in dry runs, and set sideEffects to NoneOnDryRun or None.",
		Sources: []string{webhooksPage + "#side-effects"},
	}, refusesDryRun),
	perWebhook(lint.Rule{
		ID: "review-version-beta", Level: lint.Warning,
		Title:   "The webhook accepts AdmissionReview v1beta1 only.",
		Why:     "v1beta1 has been deprecated since Kubernetes 1.16. If an API server no longer sends v1beta1, calls of the webhook fail.",
		Fix:     "Let the webhook read and write admission.k8s.io/v1, and list v1 first in admissionReviewVersions.",
		Sources: []string{webhooksPage + "#request"},
	}, sharing(backend("version"), func(_ *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		if !slices.Contains(w.AdmissionReviewVersions, "v1") && slices.Contains(w.AdmissionReviewVersions, "v1beta1") {
			report(lint.Of(w, "admissionReviewVersions", "It does not accept v1."))
		}
	})),
	perWebhook(lint.Rule{
		ID: "configuration-version-removed", Level: lint.Error,
		Title:   "The configuration has a version that API servers no longer serve.",
		Why:     "admissionregistration.k8s.io/v1beta1 was removed in Kubernetes 1.22: kubectl apply fails.",
		Fix:     "Write the configuration in v1, which requires sideEffects and admissionReviewVersions.",
		Sources: []string{"https://kubernetes.io/docs/reference/using-api/deprecation-guide/#webhook-resources-v122"},
	}, func(_ *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		if w.Field == "webhooks[0]" && webhookconfig.Deprecation(w.Document.Kind) != "" {
			f := lint.Of(w, "", webhookconfig.Deprecation(w.Document.Kind))
			f.Field = "apiVersion"
			report(f)
		}
	}),
	perWebhook(lint.Rule{
		ID: "name-repeated", Level: lint.Info,
		Title:   "Several webhooks have the same name.",
		Why:     "Metrics, audit annotations and error messages contain only the name of the webhook, so they do not distinguish the webhooks.",
		Fix:     "Give each webhook a unique name.",
		Sources: []string{webhooksPage + "#monitoring-admission-webhooks"},
	}, nameRepeated),
	perWebhook(lint.Rule{
		ID: "mutation-unchecked", Level: lint.Info,
		Title:   "The webhook must change objects, but nothing checks the result.",
		Why:     "Other webhooks can undo a mutation. A validating webhook receives the final object.",
		Fix:     "Let the mutating webhook fail open, and add a validating webhook that checks its result.",
		Sources: []string{goodPractices + "#fail-open-validate-final-state", goodPractices + "#validate-mutations"},
	}, mutating(mutationUnchecked)),
	perWebhook(lint.Rule{
		ID: "name-for-order", Level: lint.Info,
		Title:   "The name of the configuration seems chosen to come first or last.",
		Why:     "Today, API servers call webhooks in the order of the names of their configurations, but this order is not guaranteed. Another configuration may have a name that sorts before or after.",
		Fix:     "Make the result of the webhook independent of the order, or set reinvocationPolicy: IfNeeded.",
		Sources: []string{goodPractices + "#dont-rely-webhook-order"},
	}, mutating(nameForOrder)),
	perWebhook(lint.Rule{
		ID: "condition-fails", Level: lint.Error,
		Title:   "A matchCondition cannot be evaluated for a request.",
		Why:     "object is null for DELETE, oldObject is null for CREATE, and fields may be absent. With failurePolicy Fail, the API server rejects the request. With Ignore, it does not call the webhook.",
		Fix:     "Test object != null, request.operation, or has() first.",
		Sources: []string{webhooksPage + "#matching-requests-matchconditions"},
	}, conditionFails),
	perWebhook(lint.Rule{
		ID: "condition-expensive", Level: lint.Warning,
		Title:   "The matchConditions need more than half of the cost that an API server allows.",
		Why:     "The cost grows with the object. Above the limit, the failurePolicy decides.",
		Fix:     "Avoid nested loops over lists, and put conditions that are often false first.",
		Sources: []string{"https://kubernetes.io/docs/reference/using-api/cel/#runtime-cost-budget"},
	}, conditionExpensive),
}

// refusesDryRun makes a dry run of the first request that the webhook receives.
func refusesDryRun(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if s := w.SideEffects; s != nil && (*s == registrationv1.SideEffectClassNone ||
		*s == registrationv1.SideEffectClassNoneOnDryRun) {
		return // a dry run is like any other request
	}
	rows := c.Rows(w, func(r *critical.Request) bool {
		return r.Operation == "CREATE" || r.Operation == "UPDATE" || r.Operation == "DELETE"
	})
	if len(rows) == 0 {
		return
	}
	entry := rows[0].Request.Entry
	entry.ID += "-dry-run"
	entry.Body = maps.Clone(entry.Body)
	entry.Body["dryRun"] = true
	r, result := c.Try(entry)
	refuses := func(call admission.Call) bool {
		return call.Webhook.UID == w.UID && call.Webhook.Phase == w.Phase &&
			call.Step == admission.StepDryRun
	}
	if result == nil || result.Allowed() || !slices.ContainsFunc(result.Calls, refuses) {
		return
	}
	f := lint.Of(w, "sideEffects", "The API server rejects a dry run: "+result.Status.Message)
	f.Witnesses = []lint.Witness{{Request: r, Outcome: outage.OutcomeOf(result)}}
	report(f)
}

func nameRepeated(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	for _, first := range c.Webhooks {
		if first == w {
			return
		}
		if first.Name == w.Name && first.Phase == w.Phase {
			report(lint.Of(w, "name", fmt.Sprintf("A webhook of %s has the same name.", first.Configuration)))
			return
		}
	}
}

// mutationUnchecked looks for a validating webhook or policy that receives one of the
// requests.
func mutationUnchecked(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	rows := c.Rows(w, nil)
	if w.IgnoresFailures() || len(rows) == 0 || slices.ContainsFunc(rows, isValidatedByPolicy) {
		return
	}
	for _, other := range c.Webhooks {
		if other.Phase == admission.Validating && slices.ContainsFunc(rows, func(r *outage.Row) bool {
			return lint.Receives(r.Result, other)
		}) {
			return
		}
	}
	f := lint.Of(w, "failurePolicy", "No validating webhook or policy receives what it changes.")
	f.Witnesses = rowsWitness(rows)
	report(f)
}

func isValidatedByPolicy(r *outage.Row) bool {
	return slices.ContainsFunc(r.Result.Policies, func(p admission.PolicyRecord) bool {
		return p.Phase == admission.Validating && len(p.Bindings) > 0
	})
}

func conditionFails(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if len(w.MatchConditions) == 0 {
		return
	}
	var rows []*outage.Row
	var failed admission.Conditions
	for i := range c.Matrix.Rows {
		r := &c.Matrix.Rows[i]
		m := lint.MatchOf(r.Result, w)
		if m == nil || m.Conditions.Verdict != admission.ConditionsFailed {
			continue
		}
		if rows == nil {
			failed = m.Conditions
		}
		rows = append(rows, r)
	}
	if rows == nil {
		return
	}
	i := slices.IndexFunc(w.MatchConditions, func(m registrationv1.MatchCondition) bool {
		return m.Name == failed.Failed
	})
	f := lint.Of(w, fmt.Sprintf("matchConditions[%d].expression", max(i, 0)),
		fmt.Sprintf("%s: %v", rows[0].Request.Does, failed.Err))
	f.Witnesses = rowsWitness(rows)
	report(f)
}

func conditionExpensive(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if len(w.MatchConditions) == 0 {
		return
	}
	for i := range c.Matrix.Rows {
		r := &c.Matrix.Rows[i]
		m := lint.MatchOf(r.Result, w)
		if m == nil {
			continue
		}
		cost, most := uint64(0), uint64(0)
		for _, result := range m.Conditions.Results {
			cost += result.Cost
			most = max(most, result.Cost)
		}
		if cost > cel.RuntimeCELCostBudgetMatchConditions/2 || most > cel.PerCallLimit/2 {
			f := lint.Of(w, "matchConditions", fmt.Sprintf("They cost %d of %d, and one of them %d of %d.",
				cost, cel.RuntimeCELCostBudgetMatchConditions, most, cel.PerCallLimit))
			f.Witnesses = rowsWitness([]*outage.Row{r})
			report(f)
			return
		}
	}
}

// forOrder are names that begin like aaa-, 00- or zz-.
var forOrder = regexp.MustCompile(`^(0+[0-9]*|a{2,}|z{2,}|9{2,})[-.]`)

// nameForOrder reports a configuration once, if there are others.
func nameForOrder(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if w.Field == "webhooks[0]" && forOrder.MatchString(w.Configuration) {
		f := lint.Of(w, "", fmt.Sprintf("It is named %s.", w.Configuration))
		f.Field = "metadata.name"
		report(f)
	}
}
