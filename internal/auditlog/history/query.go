package history

import (
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/auditlog"
)

// Query identifies an object.
type Query struct {
	// resources are the possible names of the resource, and group its group if anyGroup is
	// not set.
	resources []string
	group     string
	anyGroup  bool
	// Namespace is empty for cluster-scoped objects.
	Namespace, Name string
}

// ParseQuery parses KIND/NAMESPACE/NAME, or KIND/NAME for a cluster-scoped object. KIND is a
// kind or a resource, with or without its group: Deployment, deployments or deployments.apps.
// A blank in place of the first slash is accepted.
func ParseQuery(text string) (*Query, error) {
	kind, rest, ok := strings.Cut(text, "/")
	if first, second, blank := strings.Cut(text, " "); blank {
		kind, rest, ok = first, strings.TrimSpace(second), true
	}
	namespace, name, namespaced := strings.Cut(rest, "/")
	if !namespaced {
		namespace, name = "", rest
	}
	if !ok || kind == "" || name == "" || strings.Contains(name, "/") ||
		namespaced && namespace == "" {
		return nil, errors.New("want KIND/NAMESPACE/NAME, or KIND/NAME of an object without a namespace")
	}
	resource, group, grouped := strings.Cut(strings.ToLower(kind), ".")
	plural, singular := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: resource})
	return &Query{
		resources: []string{resource, plural.Resource, singular.Resource},
		group:     group, anyGroup: !grouped, Namespace: namespace, Name: name,
	}, nil
}

// Matches reports whether an event is about the object.
func (q *Query) Matches(e *auditlog.Event) bool {
	return e.Ref.Namespace == q.Namespace && slices.Contains(q.resources, e.Ref.Resource) &&
		(q.anyGroup || q.group == e.Ref.APIGroup) && e.Name() == q.Name
}
