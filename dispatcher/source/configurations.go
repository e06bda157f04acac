package source

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
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
	// latest is what snapshot returned last, and nil after a change.
	latest *matching.Snapshot
}

// configuration is what is remembered of a configuration of either kind.
type configuration struct {
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
	c.known[id] = &configuration{declared: declared}
	c.latest = nil
}

// remove forgets a configuration, if there is one.
func (c *configurations) remove(id identity) {
	if _, ok := c.known[id]; ok {
		delete(c.known, id)
		c.latest = nil
	}
}

// snapshot returns all webhooks by the name of their configuration, byte by byte
// (S-061), compiling those that are new. It is the same snapshot until something
// changes. When compiling panics there is none, now or later, until it no longer
// does: the webhooks that did compile are not all the webhooks there are.
func (c *configurations) snapshot() (*matching.Snapshot, error) {
	if c.latest != nil {
		return c.latest, nil
	}
	webhooks := map[string][]*matching.Webhook{}
	for _, id := range slices.SortedFunc(maps.Keys(c.known), byName) {
		if err := c.compile(id); err != nil {
			return nil, err
		}
		webhooks[id.kind] = append(webhooks[id.kind], c.known[id].compiled...)
	}
	c.latest = matching.NewSnapshot(webhooks[mutatingKind], webhooks[validatingKind])
	return c.latest, nil
}

func byName(a, b identity) int { return cmp.Compare(a.name, b.name) }

// compile compiles a configuration unless it has been. Nothing that a
// configuration says makes this fail (see matching.Compiler), but a panic of the
// CEL libraries would.
func (c *configurations) compile(id identity) (err error) {
	defer func() {
		if r := recover(); r != nil {
			contained := &admission.PanicError{Value: r, Stack: debug.Stack()}
			err = fmt.Errorf("compiling %s %q: %w", id.kind, id.name, contained)
		}
	}()
	if known := c.known[id]; known.compiled == nil {
		known.compiled = c.compiler.Compile(known.declared)
	}
	return nil
}
