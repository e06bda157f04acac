package rbac

import (
	"cmp"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// aggregate returns the rules of ClusterRoles, by name. A role with an
// aggregationRule has those of the roles that it selects, directly and through
// other aggregated roles. In a cluster a controller writes them into the role;
// here the rules that are stored in such a role have no effect.
func aggregate(objects []runtime.Object) map[string][]rbacv1.PolicyRule {
	var roles []*rbacv1.ClusterRole
	for _, o := range objects {
		roles = append(roles, o.(*rbacv1.ClusterRole))
	}
	slices.SortFunc(roles, func(a, b *rbacv1.ClusterRole) int { return cmp.Compare(a.Name, b.Name) })
	all := map[string][]rbacv1.PolicyRule{}
	for _, role := range roles {
		all[role.Name] = role.Rules
		if role.AggregationRule != nil {
			all[role.Name] = aggregateInto(nil, role, roles, map[string]bool{})
		}
	}
	return all
}

// aggregateInto adds to rules those that role has. It visits each role once:
// roles may select each other.
func aggregateInto(
	rules []rbacv1.PolicyRule, role *rbacv1.ClusterRole, roles []*rbacv1.ClusterRole,
	visited map[string]bool,
) []rbacv1.PolicyRule {
	visited[role.Name] = true
	if role.AggregationRule == nil {
		for _, rule := range role.Rules {
			same := func(r rbacv1.PolicyRule) bool { return apiequality.Semantic.DeepEqual(r, rule) }
			if !slices.ContainsFunc(rules, same) {
				rules = append(rules, rule)
			}
		}
		return rules
	}
	for _, labelSelector := range role.AggregationRule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&labelSelector)
		if err != nil {
			continue // Like the controller of a cluster, which retries for ever.
		}
		for _, other := range roles {
			if !visited[other.Name] && selector.Matches(labels.Set(other.Labels)) {
				rules = aggregateInto(rules, other, roles, visited)
			}
		}
	}
	return rules
}
