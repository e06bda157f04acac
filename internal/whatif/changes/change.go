package changes

import (
	"example.com/gatehouse/internal/manifest"
)

// Kind is the kind of a Change.
type Kind uint8

const (
	// Added is of a whole object, or an item of a list.
	Added Kind = 1 + iota
	// Removed is the opposite of Added.
	Removed
	// Renamed is of an object or an item whose name is its only change, or that
	// has the same webhooks.
	Renamed
	// Reordered is of the items of a list.
	Reordered
	// Changed is of a field, which may also be set or removed.
	Changed
)

// Change is a change that can be undone alone.
type Change struct {
	Kind Kind
	// Object is the object, by its name in the set that has it; by that before if
	// both have it.
	Object Identity
	// Webhook is the name of the webhook of the object that changed; empty if no
	// webhook changed, or several.
	Webhook string
	// Field is the path within the object, such as webhooks[a.example.com].rules;
	// empty for the object itself. It identifies items by name if they have one.
	Field string
	// Text describes the change in one sentence without a period.
	Text string
	// Before and After are the positions of the field in both sets, or those of
	// the innermost object around it. One without a File is in no set.
	Before, After manifest.Position
	// NameBefore and NameAfter are the names of a Renamed object or item.
	NameBefore, NameAfter string
}

// key identifies the change within a Comparison.
func (c *Change) key() change { return change{c.Object, c.Field, c.Kind} }

type change struct {
	object Identity
	field  string
	kind   Kind
}

// At returns the position of the change: that in the second set, unless only the
// first one has it.
func (c *Change) At() manifest.Position {
	if c.After.File != "" {
		return c.After
	}
	return c.Before
}
