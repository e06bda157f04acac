package schemas

import (
	"errors"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Set is the custom kinds of a cluster.
type Set struct {
	definitions []*apiextensionsv1.CustomResourceDefinition
	// kinds are those that have been read; nil are those that nothing is known of.
	kinds map[schema.GroupVersionKind]*kind
}

// New returns the kinds of definitions.
func New(definitions []*apiextensionsv1.CustomResourceDefinition) *Set {
	return &Set{definitions: definitions, kinds: map[schema.GroupVersionKind]*kind{}}
}

// Worse finds what is wrong with an object in its new state that was not wrong before.
// subresource is that of the request.
//
// A kind that none of the definitions has, or whose schema no server could read, may be
// anything.
func (s *Set) Worse(of schema.GroupVersionKind, before, after map[string]any, subresource string) error {
	k := s.kind(of)
	if k == nil {
		return nil
	}
	known := k.problems(before, subresource)
	var texts []string
	for _, p := range k.problems(after, subresource) {
		if !p.among(known) {
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
