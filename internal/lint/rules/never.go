package rules

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
)

// neverCalled reports rules that match no resource of the groups that are known:
// those that are built in, and those of the definitions.
func neverCalled(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	for i, rule := range w.Rules {
		for _, resource := range rule.Resources {
			if problem := noSuchResource(c, rule, resource); problem != "" {
				f := lint.Of(w, fmt.Sprintf("rules[%d].resources", i), problem)
				f.Part = fmt.Sprintf("rules[%d]", i)
				report(f)
				break
			}
		}
	}
}

// noSuchResource returns what is wrong with a resource of a rule; empty if nothing is,
// or if one of the groups is not known.
func noSuchResource(
	c *lint.Cluster, rule registrationv1.RuleWithOperations, resource string,
) string {
	parent, _, _ := strings.Cut(resource, "/")
	if parent == "*" || slices.Contains(rule.APIGroups, "*") {
		return ""
	}
	known := map[string][]string{} // resources by group
	for r := range c.Kinds.Resources() {
		known[r.Group] = append(known[r.Group], r.Resource)
	}
	for _, group := range rule.APIGroups {
		resources, ok := known[group]
		switch {
		case group == registrationv1.GroupName:
			return fmt.Sprintf("Webhooks never receive requests for %s.%s.", resource, group)
		case !ok, slices.Contains(resources, parent), isReview(group, resource):
			return ""
		}
	}
	return fmt.Sprintf("No resource %q is served in the group %s.", parent, groupNames(rule.APIGroups))
}

func isReview(group, resource string) bool {
	return group == authorizationv1.GroupName ||
		group == authenticationv1.GroupName && strings.HasSuffix(resource, "reviews")
}

func groupNames(groups []string) string {
	var names []string
	for _, g := range groups {
		if g == "" {
			g = "core"
		}
		names = append(names, g)
	}
	return strings.Join(names, ", ")
}
