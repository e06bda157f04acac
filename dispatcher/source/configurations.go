package source

import (
	"cmp"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	compiler             *matching.Compiler
	mutating, validating roster
	// latest is what snapshot returned last.
	latest *matching.Snapshot
}

// roster is the configurations of one kind.
type roster struct {
	kind  string
	phase admission.Phase
	// wanted are those that are known by name, byte by byte (S-061).
	wanted []*configuration
	// touched are the names of those that may not be the published ones; nobody
	// knows which if renewed is set.
	touched []string
	renewed bool
	// published are those that the latest snapshot was made of, and sizes how
	// many webhooks each has there.
	published []*configuration
	sizes     []int32
}

// configuration is what is remembered of a configuration of either kind. What it
// declares does not change.
type configuration struct {
	name string
	// origin is what a Store was given, so that it need not read it again; nil if
	// it comes from elsewhere.
	origin   metav1.Object
	declared []*admission.Webhook
	// compiled is nil until the next snapshot. Compiling there and not in put
	// means that no failure can lose what was put.
	compiled []*matching.Webhook
}

func newConfigurations() *configurations {
	return &configurations{
		compiler:   matching.NewCompiler(),
		mutating:   roster{kind: mutatingKind, phase: admission.Mutating},
		validating: roster{kind: validatingKind, phase: admission.Validating},
		latest:     matching.NewSnapshot(nil, nil),
	}
}

// of returns the configurations of a kind.
func (c *configurations) of(kind string) *roster {
	if kind == mutatingKind {
		return &c.mutating
	}
	return &c.validating
}

// find returns where a configuration is among those in order, or where it would be.
func find(all []*configuration, name string) (int, bool) {
	return slices.BinarySearchFunc(all, name, func(c *configuration, name string) int { return byName(c.name, name) })
}

// byName is the order of configurations (S-061).
func byName(a, b string) int { return cmp.Compare(a, b) }

// put adds a configuration, or replaces the one of the same name. What it declares
// is kept and must not change any more.
func (r *roster) put(name string, declared []*admission.Webhook) {
	at, known := find(r.wanted, name)
	if known && reflect.DeepEqual(r.wanted[at].declared, declared) {
		return
	}
	r.touched = append(r.touched, name)
	if !known {
		r.wanted = slices.Insert(r.wanted, at, nil)
	}
	r.wanted[at] = &configuration{name: name, declared: declared}
}

// remove forgets a configuration, if there is one.
func (r *roster) remove(name string) {
	if at, known := find(r.wanted, name); known {
		r.touched = append(r.touched, name)
		r.wanted = slices.Delete(r.wanted, at, at+1)
	}
}

// snapshot returns all webhooks by the name of their configuration, compiling those
// that are new. It is the same snapshot until something changes. When compiling
// panics there is none, now or later, until it no longer does: the webhooks that
// did compile are not all the webhooks there are.
func (c *configurations) snapshot() (*matching.Snapshot, error) {
	var changes [2][]change
	for i, r := range []*roster{&c.mutating, &c.validating} {
		changes[i] = r.changes()
		if err := r.compile(changes[i], c.compiler); err != nil {
			return nil, err
		}
	}
	switch {
	case len(changes[0])+len(changes[1]) == 0:
	case max(len(changes[0]), len(changes[1])) <= few:
		c.latest = c.validating.apply(changes[1], c.mutating.apply(changes[0], c.latest))
	default:
		c.latest = matching.NewSnapshot(c.mutating.webhooks(), c.validating.webhooks())
	}
	c.mutating.settle(changes[0])
	c.validating.settle(changes[1])
	return c.latest, nil
}
