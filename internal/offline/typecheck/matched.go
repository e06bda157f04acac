package typecheck

import (
	"cmp"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/kinds"
)

// maxKinds is the number of kinds of a rule that are checked. The rules after one
// with so many are not.
const maxKinds = 10

// matched returns the kinds of the resources that the rules name, by group,
// version and kind.
func (c *Checker) matched(m *registrationv1.MatchResources) []schema.GroupVersionKind {
	if m == nil {
		return nil
	}
	var found []schema.GroupVersionKind
	for i := range m.ResourceRules {
		more := c.named(&m.ResourceRules[i].Rule)
		found = append(found, more...)
		if len(more) == maxKinds {
			break
		}
	}
	slices.SortFunc(found, func(a, b schema.GroupVersionKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version),
			cmp.Compare(a.Kind, b.Kind))
	})
	return slices.Compact(found)
}

// named returns the first kinds of the resources that a rule names, in the order
// of the names. A rule with a wildcard for groups or versions has none, and
// resources with a wildcard or a subresource are left out.
func (c *Checker) named(r *registrationv1.Rule) []schema.GroupVersionKind {
	wild := func(name string) bool { return strings.Contains(name, "*") }
	if slices.ContainsFunc(r.APIGroups, wild) || slices.ContainsFunc(r.APIVersions, wild) {
		return nil
	}
	var found []hit
	for at := range c.known.Resources() {
		if !slices.Contains(r.APIVersions, at.Version) {
			continue
		}
		for _, name := range r.Resources {
			if !c.isName(name, at) {
				continue
			}
			for _, group := range r.APIGroups {
				// Compat: a RESTMapper takes "" for any group.
				if group == "" || group == at.Group {
					named := schema.GroupVersionResource{Group: group, Version: at.Version, Resource: name}
					found = append(found, hit{named, at.Kind})
				}
			}
		}
	}
	slices.SortStableFunc(found, hit.compare)
	var first []schema.GroupVersionKind
	for _, h := range found[:min(len(found), maxKinds)] {
		first = append(first, h.kind)
	}
	return first
}

// isName reports whether a name in a rule is that of a resource.
//
// Compat: a RESTMapper takes the singular too, in any case.
func (c *Checker) isName(name string, at kinds.Resource) bool {
	singular := strings.ToLower(at.Kind.Kind)
	if d := c.definitions[at.Kind.GroupKind()]; d != nil {
		singular = cmp.Or(d.Spec.Names.Singular, singular)
	}
	name = strings.ToLower(name)
	return name == at.Resource || name == singular
}

// hit is a kind that a rule names.
type hit struct {
	schema.GroupVersionResource
	kind schema.GroupVersionKind
}

func (h hit) compare(with hit) int {
	return cmp.Or(cmp.Compare(h.Group, with.Group), cmp.Compare(h.Version, with.Version),
		cmp.Compare(h.Resource, with.Resource))
}
