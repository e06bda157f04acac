package rules

import (
	"slices"

	"example.com/gatehouse/internal/lint"
)

// The pages and lists that several rules come from.
const (
	goodPractices = "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/"
	gardener      = "https://gardener.cloud/docs/gardener/usage/shoot/shoot_status/ (webhook remediation)"
	gke           = "https://cloud.google.com/kubernetes-engine/docs/how-to/optimize-webhooks"
	clusterlint   = "https://github.com/digitalocean/clusterlint/blob/master/checks.md"
)

// All returns the rules in the order of the page.
func All() []*lint.Rule {
	return slices.Concat(failures(), delays(), matchings(), configurations(), tlsRules(), backends())
}
