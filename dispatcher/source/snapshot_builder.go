package source

import (
	"cmp"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// snapshotBuilder holds the configurations in force and builds snapshots of
// them. Each configuration is compiled once. A snapshotBuilder is not safe for
// concurrent use.
//
// A configuration whose webhooks have not changed keeps its compiled webhooks,
// even if it is another object: a relist, a resync or a new annotation costs a
// comparison. Comparing resource versions would be cheaper, but configurations
// that do not come from an API server have none.
type snapshotBuilder struct {
	compiler             *matching.Compiler
	mutating, validating configurationSet
	// latest is the snapshot that was returned last.
	latest *matching.Snapshot
}

// configurationSet is the configurations of one kind, sorted by name.
type configurationSet struct {
	kind  string
	phase admission.Phase
	// desired are the configurations that the next snapshot holds, sorted by
	// name byte by byte (S-061).
	desired []*configuration
	// dirty are the names of configurations that may differ between current and
	// desired.
	dirty []string
	// current are the configurations that the latest snapshot holds, and
	// webhookCounts the number of webhooks of each.
	current       []*configuration
	webhookCounts []int32
}

// configuration is a webhook configuration of either kind. Its declared
// webhooks are immutable.
type configuration struct {
	name string
	// origin is the object that the caller of Store.Set passed. If the next
	// call passes the same object, it is not read again. Nil for other sources.
	origin   metav1.Object
	declared []*admission.Webhook
	// compiled is nil until the next snapshot. Compiling is left to snapshot,
	// so that a failure cannot lose a configuration that was put.
	compiled []*matching.Webhook
}

func newSnapshotBuilder() *snapshotBuilder {
	return &snapshotBuilder{
		compiler:   matching.NewCompiler(),
		mutating:   configurationSet{kind: mutatingKind, phase: admission.Mutating},
		validating: configurationSet{kind: validatingKind, phase: admission.Validating},
		latest:     matching.NewSnapshot(nil, nil),
	}
}

// setFor returns the configurations of a kind.
func (c *snapshotBuilder) setFor(kind string) *configurationSet {
	if kind == mutatingKind {
		return &c.mutating
	}
	return &c.validating
}

// find returns the position of a configuration in a sorted list, or the
// position at which to insert it, and reports whether the list has it.
func find(all []*configuration, name string) (int, bool) {
	return slices.BinarySearchFunc(all, name, func(c *configuration, name string) int {
		return compareNames(c.name, name)
	})
}

// compareNames orders configurations (S-061).
func compareNames(a, b string) int { return cmp.Compare(a, b) }

// put adds a configuration, or replaces the one of the same name. The set keeps
// the declared webhooks; the caller must not modify them.
func (r *configurationSet) put(name string, declared []*admission.Webhook) {
	at, exists := find(r.desired, name)
	if exists && reflect.DeepEqual(r.desired[at].declared, declared) {
		return
	}
	r.dirty = append(r.dirty, name)
	if !exists {
		r.desired = slices.Insert(r.desired, at, nil)
	}
	r.desired[at] = &configuration{name: name, declared: declared}
}

// remove deletes a configuration, if the set has it.
func (r *configurationSet) remove(name string) {
	if at, exists := find(r.desired, name); exists {
		r.dirty = append(r.dirty, name)
		r.desired = slices.Delete(r.desired, at, at+1)
	}
}

// snapshot returns all webhooks, sorted by the names of their configurations.
// It compiles new configurations and returns the same snapshot until something
// changes. If compiling panics, snapshot returns an error, and does so on every
// call until the configuration compiles or is removed: a snapshot without it
// would be incomplete.
func (c *snapshotBuilder) snapshot() (*matching.Snapshot, error) {
	var changes [2][]change
	for i, r := range []*configurationSet{&c.mutating, &c.validating} {
		changes[i] = r.diff()
		if err := r.compile(changes[i], c.compiler); err != nil {
			return nil, err
		}
	}
	switch {
	case len(changes[0])+len(changes[1]) == 0:
	case max(len(changes[0]), len(changes[1])) <= rebuildThreshold:
		c.latest = c.validating.apply(changes[1], c.mutating.apply(changes[0], c.latest))
	default:
		c.latest = matching.NewSnapshot(c.mutating.compiledWebhooks(), c.validating.compiledWebhooks())
	}
	c.mutating.commit(changes[0])
	c.validating.commit(changes[1])
	return c.latest, nil
}
