package policy

import (
	"cmp"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// Rule is a rule of a webhook or a policy.
type Rule struct {
	registrationv1.RuleWithOperations
	// Mutating is true if it may change objects.
	Mutating bool
}

// Need is a level for requests.
type Need struct {
	Group, Resource string
	Verb            string
	Level           auditv1.Level
}

// verbs are the verbs of an operation. Which verb a connection has depends on its method.
var verbs = map[registrationv1.OperationType][]string{
	registrationv1.Create:  {"create"},
	registrationv1.Update:  {"update", "patch"},
	registrationv1.Delete:  {"delete", "deletecollection"},
	registrationv1.Connect: {"create", "get", "update", "patch", "delete"},
}

// Needs returns what the rules need, each once with its highest level, in the order of groups
// and resources.
func Needs(rules []Rule) []Need {
	levels := map[Need]auditv1.Level{}
	for _, r := range rules {
		for _, group := range r.APIGroups {
			for _, resource := range r.Resources {
				if resource == "*/*" {
					resource = "*"
				}
				r.add(levels, Need{Group: group, Resource: resource})
			}
		}
	}
	all := make([]Need, 0, len(levels))
	for n, level := range levels {
		n.Level = level
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b Need) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource),
			cmp.Compare(a.Verb, b.Verb))
	})
	return all
}

// add adds what a rule needs of a resource.
func (r *Rule) add(levels map[Need]auditv1.Level, n Need) {
	bodies := r.Mutating && !isSensitive(n.Group, n.Resource)
	operations := slices.Clone(r.Operations)
	if slices.Contains(operations, registrationv1.OperationAll) {
		operations = []registrationv1.OperationType{registrationv1.Create, registrationv1.Update,
			registrationv1.Delete, registrationv1.Connect}
	}
	if bodies { // what others do to the object is needed, too
		operations = append(operations,
			registrationv1.Create, registrationv1.Update, registrationv1.Delete)
	}
	for _, operation := range operations {
		for _, verb := range verbs[operation] {
			n.Verb = verb
			changes := verb == "create" || verb == "update" || verb == "patch"
			if bodies && changes {
				levels[n] = auditv1.LevelRequestResponse
			} else if levels[n] == "" {
				levels[n] = auditv1.LevelMetadata
			}
		}
	}
}

// sensitive are the resources whose bodies a log must not have, by group.
var sensitive = []auditv1.GroupResources{
	{Group: "", Resources: []string{"secrets", "serviceaccounts/token"}},
	{Group: "authentication.k8s.io", Resources: []string{"tokenreviews"}},
}

func isSensitive(group, resource string) bool {
	return slices.ContainsFunc(sensitive, func(s auditv1.GroupResources) bool {
		return s.Group == group && slices.Contains(s.Resources, resource)
	})
}

// coversSensitive reports whether the need is of a resource that is sensitive, among others.
func (n Need) coversSensitive() bool {
	return n.Level == auditv1.LevelRequestResponse && slices.ContainsFunc(sensitive,
		func(s auditv1.GroupResources) bool {
			return (n.Group == "*" || n.Group == s.Group) &&
				(strings.Contains(n.Resource, "*") || slices.Contains(s.Resources, n.Resource))
		})
}
