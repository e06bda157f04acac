package rbac

import (
	"context"
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Authorize is an authorizer.AuthorizerFunc. It allows a request if a rule
// allows it, and has no opinion otherwise. Its reasons are those of
// kube-apiserver. They name missing roles of the user's bindings.
func (r *Resolver) Authorize(
	ctx context.Context, a authorizer.Attributes,
) (authorizer.Decision, string, error) {
	if a.GetUser() == nil {
		return authorizer.DecisionNoOpinion, "", errNoUser
	}
	var errs []error
	var allowedBy string
	r.visit(ctx, a.GetUser(), a.GetNamespace(),
		func(binding fmt.Stringer, rule *rbacv1.PolicyRule, err error) bool {
			if err != nil {
				errs = append(errs, err)
				return true
			}
			if !allows(rule, a) {
				return true
			}
			allowedBy = binding.String()
			return false
		})
	switch {
	case allowedBy != "":
		return authorizer.DecisionAllow, "RBAC: allowed by " + allowedBy, nil
	case len(errs) > 0:
		reason := fmt.Sprintf("RBAC: %v", utilerrors.NewAggregate(errs))
		return authorizer.DecisionNoOpinion, reason, nil
	}
	return authorizer.DecisionNoOpinion, "", nil
}

// RulesFor implements authorizer.RuleResolver.
func (r *Resolver) RulesFor(
	ctx context.Context, u user.Info, namespace string,
) ([]authorizer.ResourceRuleInfo, []authorizer.NonResourceRuleInfo, bool, error) {
	var onResources []authorizer.ResourceRuleInfo
	var onURLs []authorizer.NonResourceRuleInfo
	rules, err := r.rulesFor(ctx, u, namespace)
	for _, rule := range rules {
		if len(rule.Resources) > 0 {
			onResources = append(onResources, &authorizer.DefaultResourceRuleInfo{
				Verbs: rule.Verbs, APIGroups: rule.APIGroups, Resources: rule.Resources,
				ResourceNames: rule.ResourceNames,
			})
		}
		if len(rule.NonResourceURLs) > 0 {
			onURLs = append(onURLs, &authorizer.DefaultNonResourceRuleInfo{
				Verbs: rule.Verbs, NonResourceURLs: rule.NonResourceURLs,
			})
		}
	}
	return onResources, onURLs, false, err
}

func allows(rule *rbacv1.PolicyRule, a authorizer.Attributes) bool {
	if !has(rule.Verbs, rbacv1.VerbAll, a.GetVerb()) {
		return false
	}
	if !a.IsResourceRequest() {
		return allowsPath(rule.NonResourceURLs, a.GetPath())
	}
	resource, anySubresource := a.GetResource(), ""
	if sub := a.GetSubresource(); sub != "" {
		resource, anySubresource = resource+"/"+sub, "*/"+sub
	}
	named := len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, a.GetName())
	return named && has(rule.APIGroups, rbacv1.APIGroupAll, a.GetAPIGroup()) &&
		(has(rule.Resources, rbacv1.ResourceAll, resource) ||
			anySubresource != "" && slices.Contains(rule.Resources, anySubresource))
}

// has reports whether a list contains a value or the wildcard for all values.
func has(list []string, all, value string) bool {
	return slices.Contains(list, all) || slices.Contains(list, value)
}

// allowsPath reports whether one of the URLs is the path or, if it ends with an
// asterisk, begins the path.
func allowsPath(urls []string, path string) bool {
	return slices.ContainsFunc(urls, func(url string) bool {
		prefix, ok := strings.CutSuffix(url, "*")
		return url == path || ok && strings.HasPrefix(path, strings.TrimRight(prefix, "*"))
	})
}
