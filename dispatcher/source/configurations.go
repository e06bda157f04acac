package source

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// configurations are those in force, each with its webhooks compiled once. They
// are not safe for concurrent use.
//
// A configuration that declares what it declared before keeps its compiled
// webhooks, whether it is the same object or not: a renewed list, a resync or a
// new annotation costs a comparison. Comparing resource versions would be
// cheaper, and wrong for configurations that no API server has seen.
type configurations struct {
	compiler *matching.Compiler
	known    map[identity]*configuration
	// inOrder are those that are known by name, byte by byte (S-061).
	inOrder []*configuration
	// latest is what snapshot returned last, and nil after a change.
	latest *matching.Snapshot
}

// configuration is what is remembered of a configuration of either kind.
type configuration struct {
	identity
	declared []*admission.Webhook
	// compiled is nil until the next snapshot. Compiling there and not in put
	// means that no failure can lose what was put.
	compiled []*matching.Webhook
}

func newConfigurations() *configurations {
	return &configurations{compiler: matching.NewCompiler(), known: map[identity]*configuration{}}
}

// put adds a configuration, or replaces the one of the same identity. What it
// declares is kept and must not change any more.
func (c *configurations) put(id identity, declared []*admission.Webhook) {
	if known, ok := c.known[id]; ok && reflect.DeepEqual(known.declared, declared) {
		return
	}
	c.remove(id)
	added := &configuration{identity: id, declared: declared}
	c.known[id] = added
	at, _ := slices.BinarySearchFunc(c.inOrder, added, byName)
	c.inOrder = slices.Insert(c.inOrder, at, added)
	c.latest = nil
}

// remove forgets a configuration, if there is one.
func (c *configurations) remove(id identity) {
	known, ok := c.known[id]
	if !ok {
		return
	}
	delete(c.known, id)
	at := slices.Index(c.inOrder, known)
	c.inOrder = slices.Delete(c.inOrder, at, at+1)
	c.latest = nil
}

// snapshot returns all webhooks by the name of their configuration, compiling those
// that are new. It is the same snapshot until something
// changes. When compiling panics there is none, now or later, until it no longer
// does: the webhooks that did compile are not all the webhooks there are.
func (c *configurations) snapshot() (*matching.Snapshot, error) {
	if c.latest != nil {
		return c.latest, nil
	}
	var mutating, validating []*matching.Webhook
	for _, one := range c.inOrder {
		if err := c.compile(one); err != nil {
			return nil, err
		}
		if one.kind == mutatingKind {
			mutating = append(mutating, one.compiled...)
		} else {
			validating = append(validating, one.compiled...)
		}
	}
	c.latest = matching.NewSnapshot(mutating, validating)
	return c.latest, nil
}

func byName(a, b *configuration) int { return cmp.Compare(a.name, b.name) }

// compile compiles a configuration unless it has been. Nothing that a
// configuration says makes this fail (see matching.Compiler), but a panic of the
// CEL libraries would.
func (c *configurations) compile(one *configuration) (err error) {
	if one.compiled != nil {
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("compiling %s %q: %w", one.kind, one.name, admission.Contained(r))
		}
	}()
	one.compiled = c.compiler.Compile(one.declared)
	return nil
}
