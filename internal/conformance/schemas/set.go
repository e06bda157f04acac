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

// NewProblems returns what is wrong with the new state of an object that was
// not wrong before. subresource is that of the request. It accepts any object
// of a kind that has no definition, or whose schema cannot be read.
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
