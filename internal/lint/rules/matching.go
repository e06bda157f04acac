package rules

import (
	"fmt"
	"maps"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
)

// matchingRules are about requests that a webhook receives and should not, or does not
// receive and should.
var matchingRules = []*lint.Rule{
	perWebhook(lint.Rule{
		ID: "matches-everything", Level: lint.Warning, NamesCause: true,
		Title:   "The webhook receives every request of the cluster.",
		Why:     "Each request waits for the webhook, and if the webhook is down, the cluster is down.",
		Fix:     "List the resources that the webhook needs in rules, and exclude kube-system and kube-node-lease with a namespaceSelector.",
		Sources: []string{limitScope, "open-policy-agent/gatekeeper#3829"},
	}, matchesEverything),
	perWebhook(lint.Rule{
		ID: "receives-events", Level: lint.Warning,
		Title:   "The webhook receives events.",
		Why:     "A cluster writes many events, including events about failures of the webhook itself.",
		Fix:     "Do not intercept events.",
		Sources: []string{goodPractices + "#prevent-webhook-self-trigger"},
	}, receives(isAny("events", "events.events.k8s.io"), "rules")),
	perWebhook(lint.Rule{
		ID: "mutates-mirror-pods", Level: lint.Info,
		Title:   "The webhook receives mirror pods, which it must not change.",
		Why:     "The kubelet compares the mirror pod with its static pod. If a webhook denies or changes the mirror pod, the API does not show the running pod.",
		Fix:     `Exclude pods with the annotation kubernetes.io/config.mirror with a matchCondition.`,
		Sources: []string{goodPractices + "#dont-change-immutable-objects"},
	}, mutating(receives(func(r *critical.Request) bool { return r.ID == "mirror-pod" }, "rules"))),
	perWebhook(lint.Rule{
		ID: "misses-ephemeral-containers", Level: lint.Info,
		Title:   "The webhook checks pods, but not the ephemeral containers that users add.",
		Why:     "kubectl debug adds containers through the subresource pods/ephemeralcontainers, so the webhook does not see their images.",
		Fix:     "If the webhook checks containers, add pods/ephemeralcontainers with the operation UPDATE to the rules.",
		Sources: []string{"https://kubernetes.io/docs/concepts/workloads/pods/ephemeral-containers/"},
	}, validating(misses("pod-create", "pod-debug"))),
	perWebhook(lint.Rule{
		ID: "misses-resize", Level: lint.Info,
		Title:   "The webhook checks pods, but not the change of their resources.",
		Why:     "Users change the resources of a running pod through the subresource pods/resize.",
		Fix:     "If the webhook checks resources, add pods/resize with the operation UPDATE to the rules.",
		Sources: []string{"https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/"},
	}, validating(misses("pod-create", "pod-resize"))),
	perWebhook(lint.Rule{
		ID: "misses-scale", Level: lint.Info,
		Title:   "The webhook checks Deployments, but not their scale.",
		Why:     "kubectl scale and autoscalers change the replicas through the subresource deployments/scale.",
		Fix:     "If the webhook checks replicas, add deployments/scale with the operation UPDATE to the rules.",
		Sources: []string{"kubernetes-sigs/cluster-api#4057"},
	}, validating(misses("deployment-update", "deployment-scale"))),
	perWebhook(lint.Rule{
		ID: "selects-objects-without-labels", Level: lint.Error,
		Title:   "The webhook is never called for a resource whose objects have no labels.",
		Why:     "An objectSelector matches the labels of the object in the request. The options of exec, attach and port-forward have no labels. A Scale, a Binding or an Eviction does not have the labels of the pod or workload.",
		Fix:     "Use a webhook without objectSelector for these subresources.",
		Sources: []string{webhooksPage + "#matching-requests-objectselector"},
	}, selectsUnlabelled),
	perWebhook(lint.Rule{
		ID: "opt-out-by-label", Level: lint.Warning,
		Title:   "With a label, users can keep an object from the webhook.",
		Why:     "Users set the labels of their own objects. If an objectSelector excludes objects with a label, users who know the label can bypass the webhook.",
		Fix:     "Use a namespaceSelector, whose labels users cannot set, or a matchCondition on the user.",
		Sources: []string{webhooksPage + "#matching-requests-objectselector"},
	}, validating(optOut)),
	perWebhook(lint.Rule{
		ID: "selects-cluster-scoped", Level: lint.Info,
		Title:   "The namespaceSelector does not restrict cluster-scoped objects.",
		Why:     "A namespaceSelector applies only to objects in namespaces and to Namespaces. The webhook receives all other objects, whatever the selector says.",
		Fix:     "Set scope: Namespaced in the rules, or add a matchCondition.",
		Sources: []string{webhooksPage + "#matching-requests-namespaceselector"},
	}, selectsClusterScoped),
	perWebhook(lint.Rule{
		ID: "never-called", Level: lint.Error,
		Title:   "The webhook has a rule that matches no request.",
		Why:     "API servers do not check whether the resources of a rule exist. A misspelled resource, a kind instead of a resource, or a wrong group matches nothing, and the API server shows no error.",
		Fix:     "Write resources in lower case and plural, with the group and version that the API server serves.",
		Sources: []string{webhooksPage + "#matching-requests-rules"},
	}, neverCalled),
	perWebhook(lint.Rule{
		ID: "no-rules", Level: lint.Info,
		Title:   "The webhook has no rules and is never called.",
		Why:     "Some controllers add the rules when they start. Until then, the API server does not call the webhook.",
		Fix:     "Add rules, or delete the webhook, unless a controller adds them.",
		Sources: []string{webhooksPage + "#matching-requests-rules"},
	}, func(_ *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		if len(w.Rules) == 0 {
			report(lint.Of(w, "", "It has no rules."))
		}
	}),
	perWebhook(lint.Rule{
		ID: "called-twice", Level: lint.Warning,
		Title:   "One request is sent twice to the same endpoint.",
		Why:     "Two webhooks of the same phase have the same address and path and receive the same request. The request takes twice the time, and the endpoint mutates the object twice.",
		Fix:     "Merge the rules into one webhook. If there is a webhook for each version, set matchPolicy: Exact.",
		Sources: []string{"https://istio.io/latest/docs/reference/config/analysis/ist0139/"},
	}, calledTwice),
}

// check examines a webhook.
type check func(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding))

// perWebhook returns a rule that examines every webhook.
func perWebhook(r lint.Rule, of check) *lint.Rule {
	r.Check = func(c *lint.Cluster, report func(lint.Finding)) {
		for _, w := range c.Webhooks {
			of(c, w, report)
		}
	}
	return &r
}

func mutating(of check) check   { return inPhase(admission.Mutating, of) }
func validating(of check) check { return inPhase(admission.Validating, of) }

func inPhase(p admission.Phase, of check) check {
	return func(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		if w.Phase == p {
			of(c, w, report)
		}
	}
}

// rowsWitness returns the witnesses of requests while all backends are healthy.
func rowsWitness(rows []*outage.Row) []lint.Witness {
	var all []lint.Witness
	for _, row := range rows {
		all = append(all, lint.Witness{Request: row.Request, Outcome: row.Healthy})
	}
	return all
}

func matchesEverything(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	for i, r := range w.Rules {
		if !slices.Contains(r.APIGroups, "*") || !slices.ContainsFunc(r.Resources, func(s string) bool {
			return s == "*" || s == "*/*"
		}) {
			continue
		}
		rows := c.Rows(w, nil)
		if len(rows) == 0 {
			return // something else restricts it
		}
		f := lint.Of(w, fmt.Sprintf("rules[%d]", i), fmt.Sprintf("It receives %d of %d requests that a cluster depends on.",
			len(rows), len(c.Matrix.Rows)))
		f.Witnesses = rowsWitness(rows)
		f.Cause = receivesCause(c, w, f.Witnesses)
		report(f)
		return
	}
}

// receives returns a check that a webhook does not receive chosen requests.
func receives(chosen choice, field string) check {
	return func(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		if rows := c.Rows(w, chosen); len(rows) > 0 {
			f := lint.Of(w, field, "It receives: "+rows[0].Request.Does)
			f.Witnesses = rowsWitness(rows)
			f.Cause = receivesCause(c, w, f.Witnesses)
			report(f)
		}
	}
}

// misses returns a check that a webhook which receives one request also receives the
// other one.
func misses(one, other string) check {
	return func(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		seen, unseen := row(c, one), row(c, other)
		if w.IgnoresFailures() || !lint.Receives(seen.Result, w) || lint.Receives(unseen.Result, w) {
			return
		}
		if m := lint.MatchOf(unseen.Result, w); m == nil || m.Stage != admission.StageRules {
			return // its author excludes the request on purpose
		}
		f := lint.Of(w, "rules", "It does not receive: "+unseen.Request.Does)
		f.Witnesses = rowsWitness([]*outage.Row{unseen})
		report(f)
	}
}

func row(c *lint.Cluster, id string) *outage.Row {
	i := slices.IndexFunc(c.Matrix.Rows, func(r outage.Row) bool { return r.Request.ID == id })
	return &c.Matrix.Rows[i]
}

// unlabelled are requests whose objects have no labels.
var unlabelled = []string{
	"pod-exec", "pod-attach", "pod-port-forward", "pod-binding", "pod-evict", "deployment-scale", "pod-token",
}

func selectsUnlabelled(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if emptySelector(w.ObjectSelector) {
		return
	}
	for _, id := range unlabelled {
		r := row(c, id)
		if m := lint.MatchOf(r.Result, w); m == nil || m.Stage != admission.StageObjectSelector {
			continue
		}
		i := slices.IndexFunc(w.Rules, func(rule registrationv1.RuleWithOperations) bool {
			return slices.Contains(rule.Resources, r.Request.Resource.Resource+"/"+r.Request.Subresource)
		})
		if i < 0 {
			continue
		}
		f := lint.Of(w, "objectSelector", "It never receives: "+r.Request.Does)
		f.Witnesses = rowsWitness([]*outage.Row{r})
		report(f)
		return
	}
}

func emptySelector(s *metav1.LabelSelector) bool {
	return s == nil || len(s.MatchLabels)+len(s.MatchExpressions) == 0
}

// optOut tries each label that the selector leaves out on a request that the webhook
// receives.
func optOut(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if w.IgnoresFailures() || w.ObjectSelector == nil {
		return
	}
	for i, e := range w.ObjectSelector.MatchExpressions {
		value := "true"
		switch e.Operator {
		case metav1.LabelSelectorOpDoesNotExist:
		case metav1.LabelSelectorOpNotIn:
			value = e.Values[0]
		default:
			continue
		}
		rows := c.Rows(w, func(r *critical.Request) bool { return r.Body["object"] != nil })
		if len(rows) == 0 {
			return
		}
		entry := labelled(rows[0].Request.Entry, e.Key, value)
		r, result := c.Try(entry)
		if result == nil || lint.Receives(result, w) {
			continue
		}
		f := lint.Of(w, fmt.Sprintf("objectSelector.matchExpressions[%d]", i),
			fmt.Sprintf("It does not receive objects with the label %s=%s.", e.Key, value))
		f.Witnesses = []lint.Witness{{Request: r, Outcome: outage.OutcomeOf(result)}}
		report(f)
		return
	}
}

// labelled returns the entry of a request whose object has one more label.
func labelled(e critical.Entry, key, value string) critical.Entry {
	e.ID += "-labelled"
	e.Body = maps.Clone(e.Body)
	for _, field := range []string{"object", "oldObject"} {
		object, ok := e.Body[field].(map[string]any)
		if !ok {
			continue
		}
		object = maps.Clone(object)
		metadata, _ := object["metadata"].(map[string]any)
		if metadata = maps.Clone(metadata); metadata == nil {
			metadata = map[string]any{}
		}
		labels, _ := metadata["labels"].(map[string]any)
		labels = maps.Clone(labels)
		if labels == nil {
			labels = map[string]any{}
		}
		labels[key] = value
		metadata["labels"], object["metadata"], e.Body[field] = labels, metadata, object
	}
	return e
}

func selectsClusterScoped(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if emptySelector(w.NamespaceSelector) {
		return
	}
	rows := c.Rows(w, func(r *critical.Request) bool { return r.Namespace == "" })
	if len(rows) == 0 {
		return
	}
	f := lint.Of(w, "namespaceSelector", "It receives, whatever it selects: "+rows[0].Request.Does)
	f.Witnesses = rowsWitness(rows)
	f.Cause = receivesCause(c, w, f.Witnesses)
	report(f)
}

// calledTwice reports the second of two webhooks with the same address that receive the
// same request.
func calledTwice(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	for _, first := range c.Webhooks {
		if first == w {
			return
		}
		if first.Phase != w.Phase || first.URL() != w.URL() {
			continue
		}
		rows := slices.DeleteFunc(c.Rows(w, nil), func(r *outage.Row) bool {
			return !lint.Receives(r.Result, first)
		})
		if len(rows) > 0 {
			f := lint.Of(w, "rules", fmt.Sprintf("%s/%s receives the same requests at the same address.",
				first.Configuration, first.Name))
			f.Witnesses = rowsWitness(rows)
			report(f)
			return
		}
	}
}
