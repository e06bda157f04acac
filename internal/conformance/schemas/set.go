package schemas

import (
	"errors"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Set holds the custom kinds of a cluster.
type Set struct {
	definitions []*apiextensionsv1.CustomResourceDefinition
	// kinds caches the schemas; nil for a kind without a usable schema.
	kinds map[schema.GroupVersionKind]*kind
}

// New returns the kinds of definitions.
func New(definitions []*apiextensionsv1.CustomResourceDefinition) *Set {
	return &Set{definitions: definitions, kinds: map[schema.GroupVersionKind]*kind{}}
}

// NewProblems returns the problems of an object that its old state did not
// have. subresource is that of the request. If a kind has no definition, or its
// schema cannot be read, NewProblems accepts any object.
func (s *Set) NewProblems(
	of schema.GroupVersionKind, before, after map[string]any, subresource string,
) error {
	k := s.kind(of)
	if k == nil {
		return nil
	}
	known := k.problems(before, subresource)
	var texts []string
	for _, p := range k.problems(after, subresource) {
		if !p.coveredBy(known) {
			texts = append(texts, p.text)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return errors.New(strings.Join(texts, "; "))
}

func (s *Set) kind(of schema.GroupVersionKind) *kind {
	k, known := s.kinds[of]
	if !known {
		if d, v := find(s.definitions, of); d != nil {
			k, _ = read(d, v) // nil if it cannot be read
		}
		s.kinds[of] = k
	}
	return k
}
