package rbac

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/component-helpers/auth/rbac/validation"
)

// Guard keeps users from granting more than they may do themselves, as
// kube-apiserver does.
type Guard struct {
	Resolver   *Resolver
	Authorizer authorizer.UnconditionalAuthorizer
}

// CheckRole returns an error if the user of the request may not write the rules
// of a role. The user may write them if the user already has all of these
// permissions, or the verb "escalate" on the role.
func (g Guard) CheckRole(ctx context.Context, rules []rbacv1.PolicyRule) error {
	u, ok := restricted(ctx)
	if !ok || g.mayEscalate(ctx, u) {
		return nil
	}
	return g.confirm(ctx, u, rules)
}

// CheckAggregation returns an error if the user of the request may not write an
// aggregationRule, which may select any role.
func (g Guard) CheckAggregation(ctx context.Context) error {
	u, ok := restricted(ctx)
	if !ok || g.mayEscalate(ctx, u) {
		return nil
	}
	all := []string{"*"}
	everything := []rbacv1.PolicyRule{
		{Verbs: all, APIGroups: all, Resources: all}, {Verbs: all, NonResourceURLs: all},
	}
	if g.confirm(ctx, u, everything) != nil {
		return errors.New("must have cluster-admin privileges to use an aggregationRule")
	}
	return nil
}

// CheckBinding returns an error if the user of the request may not bind a role
// in the namespace. The user may bind the role if the user already has all
// permissions of the role, or the verb "bind" on it. If the role does not
// exist, CheckBinding returns an error and sets missing.
func (g Guard) CheckBinding(
	ctx context.Context, ref rbacv1.RoleRef, namespace string,
) (missing bool, err error) {
	u, ok := restricted(ctx)
	if !ok || g.mayBind(ctx, u, ref, namespace) {
		return false, nil
	}
	rules, err := g.Resolver.RulesOfRole(ctx, ref, namespace)
	if err != nil {
		return true, err
	}
	return false, g.confirm(ctx, u, rules)
}

// restricted returns the user of a request, unless the request is the server's
// own or the user may do everything.
func restricted(ctx context.Context) (user.Info, bool) {
	u, ok := request.UserFrom(ctx)
	if !ok || slices.Contains(u.GetGroups(), user.SystemPrivilegedGroup) {
		return nil, false
	}
	return u, true
}

func (g Guard) mayEscalate(ctx context.Context, u user.Info) bool {
	info, ok := request.RequestInfoFrom(ctx)
	return ok && g.allows(ctx, authorizer.AttributesRecord{
		User: u, Verb: "escalate", APIGroup: info.APIGroup, APIVersion: "*", Resource: info.Resource,
		Name: info.Name, Namespace: info.Namespace, ResourceRequest: true,
	})
}

func (g Guard) mayBind(
	ctx context.Context, u user.Info, ref rbacv1.RoleRef, namespace string,
) bool {
	return g.allows(ctx, authorizer.AttributesRecord{
		User: u, Verb: "bind", APIGroup: ref.APIGroup, APIVersion: "*",
		Resource: strings.ToLower(ref.Kind) + "s", Name: ref.Name, Namespace: namespace,
		ResourceRequest: true,
	})
}

func (g Guard) allows(ctx context.Context, a authorizer.Attributes) bool {
	decision, _, err := g.Authorizer.Authorize(ctx, a)
	return err == nil && decision == authorizer.DecisionAllow
}

// confirm returns kube-apiserver's error if rules grant permissions that the user
// does not have in the namespace of the request.
func (g Guard) confirm(ctx context.Context, u user.Info, rules []rbacv1.PolicyRule) error {
	held, err := g.Resolver.rulesFor(ctx, u, request.NamespaceValue(ctx))
	covered, missing := validation.Covers(held, rules)
	if covered {
		return nil
	}
	var lines []string
	for _, rule := range compact(missing) {
		lines = append(lines, describe(rule))
	}
	slices.Sort(lines)
	text := fmt.Sprintf(
		"user %q (groups=%q) is attempting to grant RBAC permissions not currently held:\n%s",
		u.GetName(), u.GetGroups(), strings.Join(slices.Compact(lines), "\n"))
	if err != nil {
		text += fmt.Sprintf("; resolution errors: %v", []error{err})
	}
	return errors.New(text)
}

// compact joins the verbs of rules that are otherwise the same. The rules are
// those of validation.Covers, each with one verb.
func compact(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var out []rbacv1.PolicyRule
	for _, rule := range rules {
		i := slices.IndexFunc(out, func(r rbacv1.PolicyRule) bool {
			return len(r.NonResourceURLs) == 0 && slices.Equal(r.APIGroups, rule.APIGroups) &&
				slices.Equal(r.Resources, rule.Resources) &&
				slices.Equal(r.ResourceNames, rule.ResourceNames)
		})
		if i < 0 {
			out = append(out, rule)
			continue
		}
		for _, verb := range rule.Verbs {
			if !slices.Contains(out[i].Verbs, verb) {
				out[i].Verbs = append(out[i].Verbs, verb)
			}
		}
	}
	return out
}

func describe(rule rbacv1.PolicyRule) string {
	var parts []string
	for _, part := range []struct {
		name string
		list []string
	}{
		{"APIGroups", rule.APIGroups}, {"Resources", rule.Resources},
		{"NonResourceURLs", rule.NonResourceURLs}, {"ResourceNames", rule.ResourceNames},
		{"Verbs", rule.Verbs},
	} {
		if len(part.list) > 0 {
			parts = append(parts, fmt.Sprintf("%s:%q", part.name, part.list))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
