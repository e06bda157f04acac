package model

import (
	"cmp"
	"slices"
)

// State is the configurations of one kind that are in force together, or the
// namespaces, ordered by name. It never changes.
type State []*Configuration

// With returns the state in which c is in force, in the place of one of the
// same name.
func (s State) With(c *Configuration) State {
	at, found := s.find(c.Name)
	if found {
		replaced := slices.Clone(s)
		replaced[at] = c
		return replaced
	}
	return slices.Insert(slices.Clone(s), at, c)
}

func (s State) find(name string) (int, bool) {
	return slices.BinarySearchFunc(s, name,
		func(c *Configuration, name string) int { return cmp.Compare(c.Name, name) })
}

// Equal reports whether two states are the same: the same configurations at the
// same revisions.
func (s State) Equal(other State) bool {
	return slices.EqualFunc(s, other, func(a, b *Configuration) bool {
		return a.Name == b.Name && a.version == b.version && a.revision() == b.revision()
	})
}

// revision is that of the configuration, which all its webhooks share.
func (c *Configuration) revision() int64 {
	if len(c.Webhooks) == 0 {
		return 0
	}
	return c.Webhooks[0].Revision
}
