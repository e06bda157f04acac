package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/offline/kinds"
)

const matchPolicy = webhooksPage + "#matching-requests-matchpolicy"

// versionRules are about resources with several versions, and about the inputs that decide
// whether a webhook is ever called.
var versionRules = []*lint.Rule{
	perWebhook(lint.Rule{
		ID: "misses-version", Level: lint.Warning,
		Title:   "The webhook does not receive objects that are written in another version.",
		Why:     "With matchPolicy Exact, a rule for one version does not match requests in the other served versions. Users choose the version of a request.",
		Fix:     "Set matchPolicy: Equivalent, or list all served versions in apiVersions.",
		Sources: []string{matchPolicy, goodPractices + "#match-all-versions"},
	}, missesVersion),
	perWebhook(lint.Rule{
		ID: "called-per-version", Level: lint.Warning,
		Title:   "Webhooks for two versions of a resource both receive every request.",
		Why:     "With matchPolicy Equivalent, each webhook receives the requests of both versions, converted to its own version. They check or change the object twice.",
		Fix:     "Set matchPolicy: Exact, or keep one of the webhooks.",
		Sources: []string{matchPolicy},
	}, calledPerVersion),
	perWebhook(lint.Rule{
		ID: "virtual-resources", Level: lint.Warning,
		Title:   "The webhook has a rule for reviews, which the API server does not store.",
		Why:     "Token and access reviews are not stored. Since Kubernetes 1.37, webhooks do not receive them. Before, if the webhook failed, the API server rejected the requests of all users.",
		Fix:     "Remove the resources from the rules.",
		Sources: []string{webhooksPage + "#excluded-virtual-resources", limitScope, "openshift/cluster-kube-apiserver-operator#1249"},
	}, virtualResources),
	perWebhook(lint.Rule{
		ID: "selects-no-namespace", Level: lint.Info, Needs: []string{"Namespace"},
		Title:   "The namespaceSelector selects none of the namespaces.",
		Why:     "Until a namespace has the labels, the API server calls the webhook for no object in a namespace.",
		Fix:     "Correct the labels of the selector, or of the namespaces.",
		Sources: []string{webhooksPage + "#matching-requests-namespaceselector"},
	}, selectsNoNamespace),
	perWebhook(lint.Rule{
		ID: "own-kinds-only", Level: lint.Info, Needs: []string{"CustomResourceDefinition"},
		Title:   "The webhook checks only custom resources, and their definition has no validation rules.",
		Why:     "CEL validation rules in the CustomResourceDefinition need no server, are always available, and cost less.",
		Fix:     "Move checks that need only the object to x-kubernetes-validations.",
		Sources: []string{goodPractices + "#no-crd-validation-defaulting"},
	}, validating(ownKindsOnly)),
}

// missesVersion writes an object in each version that an Exact rule does not list.
func missesVersion(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if w.MatchPolicy == nil || *w.MatchPolicy != registrationv1.Exact {
		return
	}
	for r := range c.Kinds.Resources() {
		i := slices.IndexFunc(w.Rules, func(rule registrationv1.RuleWithOperations) bool {
			return names(rule, r) && creates(rule)
		})
		seen := func(o *inventory.Webhook) bool { return o == w && hasRule(o, r) || isTwin(o, w, r) }
		if i < 0 || slices.ContainsFunc(c.Webhooks, seen) {
			continue
		}
		q, result := c.Try(creation(r))
		if result == nil || lint.Receives(result, w) {
			continue
		}
		f := lint.Of(w, fmt.Sprintf("rules[%d].apiVersions", i),
			fmt.Sprintf("It does not receive %s in version %s.", r.GroupResource(), r.Version))
		f.Witnesses = []lint.Witness{{Request: q, Outcome: outage.OutcomeOf(result)}}
		report(f)
		return
	}
}

// isTwin reports whether another webhook of the same backend is for the version.
func isTwin(o, w *inventory.Webhook, r kinds.Resource) bool {
	return o != w && o.Phase == w.Phase && o.Backend == w.Backend && hasRule(o, r)
}

// creates reports whether a rule is about creations.
func creates(rule registrationv1.RuleWithOperations) bool {
	return slices.Contains(rule.Operations, registrationv1.Create) ||
		slices.Contains(rule.Operations, registrationv1.OperationAll)
}

// hasRule reports whether a webhook has a rule for a version of a resource.
func hasRule(w *inventory.Webhook, r kinds.Resource) bool {
	return slices.ContainsFunc(w.Rules, func(rule registrationv1.RuleWithOperations) bool {
		return names(rule, r) && hasVersion(rule, r.Version)
	})
}

// names reports whether a rule names a resource, without a wildcard, in whatever version.
func names(rule registrationv1.RuleWithOperations, r kinds.Resource) bool {
	return slices.Contains(rule.APIGroups, r.Group) && slices.Contains(rule.Resources, r.Resource)
}

func hasVersion(rule registrationv1.RuleWithOperations, version string) bool {
	return slices.Contains(rule.APIVersions, version) || slices.Contains(rule.APIVersions, "*")
}

// creation is the request to create a small object.
func creation(r kinds.Resource) critical.Entry {
	metadata := map[string]any{"name": "example"}
	if r.Namespaced {
		metadata["namespace"] = "shop"
	}
	return critical.Entry{
		ID:     "create-" + r.Version + "-" + r.Resource,
		Does:   fmt.Sprintf("A user creates a %s in version %s.", r.Kind.Kind, r.Version),
		Breaks: "The object is not checked.", As: "user",
		Body: map[string]any{"object": map[string]any{
			"apiVersion": r.GroupVersion().String(), "kind": r.Kind.Kind, "metadata": metadata,
		}},
	}
}

// calledPerVersion looks for an earlier webhook for another version that receives the
// same request, in one of the two versions.
func calledPerVersion(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	for r := range c.Kinds.Resources() {
		if !isFor(w, r) {
			continue
		}
		for _, first := range c.Webhooks {
			if first == w {
				break
			}
			if first.Phase != w.Phase || first.Backend != w.Backend ||
				first.URL() == w.URL() || isFor(first, r) {
				continue
			}
			if f, ok := receiveBoth(c, first, w, r); ok {
				report(f)
				return
			}
		}
	}
}

// receiveBoth returns a finding if two webhooks receive a request for a resource in one of
// the versions for which they are.
func receiveBoth(
	c *lint.Cluster, first, w *inventory.Webhook, r kinds.Resource,
) (lint.Finding, bool) {
	for other := range c.Kinds.Resources() {
		if other.GroupResource() != r.GroupResource() || other.Version == r.Version ||
			!isFor(first, other) {
			continue
		}
		for _, version := range []kinds.Resource{other, r} {
			q, result := c.Try(creation(version))
			if result == nil || !lint.Receives(result, w) || !lint.Receives(result, first) {
				continue
			}
			f := lint.Of(w, "matchPolicy", fmt.Sprintf("%s/%s receives %s in version %s, too.",
				first.Configuration, first.Name, r.GroupResource(), version.Version))
			f.Witnesses = []lint.Witness{{Request: q, Outcome: outage.OutcomeOf(result)}}
			return f, true
		}
	}
	return lint.Finding{}, false
}

// isFor reports whether a rule of a webhook names a resource in its version.
func isFor(w *inventory.Webhook, r kinds.Resource) bool {
	return slices.ContainsFunc(w.Rules, func(rule registrationv1.RuleWithOperations) bool {
		return names(rule, r) && slices.Contains(rule.APIVersions, r.Version)
	})
}

func virtualResources(_ *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	for i, rule := range w.Rules {
		for _, group := range rule.APIGroups {
			for j, resource := range rule.Resources {
				if isReview(group, resource) {
					report(lint.Of(w, fmt.Sprintf("rules[%d].resources[%d]", i, j),
						fmt.Sprintf("Webhooks do not receive requests for %s.%s.", resource, group)))
					return
				}
			}
		}
	}
}

// selectsNoNamespace needs all namespaces of a cluster: kube-system is one of them.
func selectsNoNamespace(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if emptySelector(w.NamespaceSelector) || !hasNamespace(c, metav1.NamespaceSystem) {
		return
	}
	selector, err := metav1.LabelSelectorAsSelector(w.NamespaceSelector)
	if err != nil || slices.ContainsFunc(c.Cluster.Namespaces, func(ns *corev1.Namespace) bool {
		return selector.Matches(labelsOf(ns))
	}) {
		return
	}
	report(lint.Of(w, "namespaceSelector", fmt.Sprintf("None of the %d namespaces among the inputs has %s.",
		len(c.Cluster.Namespaces), selector)))
}

// ownKindsOnly reports a webhook all of whose rules are for kinds of the definitions.
func ownKindsOnly(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	for _, rule := range w.Rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				if !isDefined(c, group, resource) {
					return
				}
			}
		}
	}
	if len(w.Rules) > 0 {
		report(lint.Of(w, "rules", "All of its rules are for custom resources whose definition has no x-kubernetes-validations."))
	}
}

// isDefined reports whether a resource is one of a definition without validation rules.
func isDefined(c *lint.Cluster, group, resource string) bool {
	for _, d := range c.Cluster.Definitions {
		if d.Spec.Group == group && d.Spec.Names.Plural == resource {
			return !hasValidations(d)
		}
	}
	return false
}

func hasValidations(d *apiextensionsv1.CustomResourceDefinition) bool {
	text, err := json.Marshal(d.Spec.Versions)
	return err == nil && bytes.Contains(text, []byte(`"x-kubernetes-validations":`))
}

func hasNamespace(c *lint.Cluster, name string) bool {
	return slices.ContainsFunc(c.Cluster.Namespaces, func(ns *corev1.Namespace) bool {
		return ns.Name == name
	})
}

// labelsOf returns the labels of a namespace with that of its name, which an API server
// adds.
func labelsOf(ns *corev1.Namespace) labels.Set {
	all := labels.Set{corev1.LabelMetadataName: ns.Name}
	maps.Copy(all, ns.Labels)
	return all
}
