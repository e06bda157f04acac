package rules

import (
	"slices"

	"example.com/gatehouse/internal/lint"
)

// The pages and lists that several rules come from.
const (
	goodPractices = "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/"
	limitScope    = goodPractices + "#webhook-limit-scope"
	smallTimeout  = goodPractices + "#small-timeout"
	selfMutation  = goodPractices + "#avoid-self-mutation"
	loops         = goodPractices + "#avoid-dependency-loops"
	webhooksPage  = "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/"
	gardener      = "https://github.com/gardener/gardener/blob/master/docs/usage/shoot/shoot_status.md"
	gke           = "https://cloud.google.com/kubernetes-engine/docs/how-to/optimize-webhooks"
	clusterlint   = "https://github.com/digitalocean/clusterlint/blob/master/checks.md"
)

// All returns the rules in the order of the page.
func All() []*lint.Rule {
	return slices.Concat(failureRules, delayRules, matchingRules, versionRules, configurationRules,
		policyRules, tlsRules, backendRules, accessRules)
}
