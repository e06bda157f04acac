package source

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
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
	// name byte by byte (S-061), and current those that the latest one holds.
	desired, current []*configuration
	// origins are the desired configurations by the objects that were read, and reads
	// counts the calls of read.
	origins map[any]*configuration
	reads   int
}

// configuration is a webhook configuration of either kind. Its declared
// webhooks are immutable.
type configuration struct {
	name string
	// origin is the object that the caller of Store.Set passed, or the one in the
	// store of an informer. The same object is not read again.
	origin   any
	declared []*admission.Webhook
	// seen is the last call of configurationSet.read that found the configuration.
	seen int
	// compiled is nil until the next snapshot. read does not compile, so that a
	// failure cannot lose a configuration.
	compiled []*matching.Webhook
}

func newSnapshotBuilder() *snapshotBuilder {
	return &snapshotBuilder{
		compiler:   matching.NewCompiler(),
		mutating:   newConfigurationSet(mutatingKind, admission.Mutating),
		validating: newConfigurationSet(validatingKind, admission.Validating),
		latest:     matching.NewSnapshot(nil, nil),
	}
}

func newConfigurationSet(kind string, phase admission.Phase) configurationSet {
	return configurationSet{kind: kind, phase: phase, origins: map[any]*configuration{}}
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

// read makes the set hold the configurations of a list, in any order, whose names
// are unique. Objects of other types are ignored (S-065). The set keeps the objects;
// the caller must not modify them.
func (r *configurationSet) read(list []any) {
	r.reads++
	present := 0
	for _, object := range list {
		known := r.origins[object]
		if known == nil {
			known = r.readOne(object)
		}
		if known != nil {
			known.seen = r.reads
			present++
		}
	}
	if present == len(r.desired) {
		return
	}
	r.desired = slices.DeleteFunc(r.desired, func(c *configuration) bool {
		if c.seen == r.reads {
			return false
		}
		delete(r.origins, c.origin)
		return true
	})
}

// readOne adds a configuration, or replaces the one of the same name if that
// declares other webhooks. It returns nil for other objects.
func (r *configurationSet) readOne(object any) *configuration {
	name, declared := declaredWebhooks(object)
	if declared == nil {
		return nil
	}
	at, exists := find(r.desired, name)
	switch {
	case !exists:
		r.desired = slices.Insert(r.desired, at, &configuration{name: name, declared: declared})
	case reflect.DeepEqual(r.desired[at].declared, declared):
		delete(r.origins, r.desired[at].origin)
	default:
		delete(r.origins, r.desired[at].origin)
		r.desired[at] = &configuration{name: name, declared: declared}
	}
	r.desired[at].origin = object
	r.origins[object] = r.desired[at]
	return r.desired[at]
}

// declaredWebhooks returns the name of a configuration and its webhooks, which are
// not nil even if there are none. Those of other objects are nil.
func declaredWebhooks(object any) (string, []*admission.Webhook) {
	switch c := object.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		return c.Name, admission.MutatingWebhooks(c)
	case *registrationv1.ValidatingWebhookConfiguration:
		return c.Name, admission.ValidatingWebhooks(c)
	default:
		return "", nil
	}
}

// snapshot returns all webhooks, sorted by the names of their configurations.
// It compiles new configurations and returns the same snapshot until something
// changes. If compiling panics, snapshot returns an error, and does so on every
// call until the configuration compiles or is removed: a snapshot without it
// would be incomplete.
func (c *snapshotBuilder) snapshot() (*matching.Snapshot, error) {
	both := []*configurationSet{&c.mutating, &c.validating}
	for _, r := range both {
		if err := r.compile(c.compiler); err != nil {
			return nil, err
		}
	}
	for _, r := range both {
		if !slices.Equal(r.current, r.desired) {
			c.latest = c.latest.With(r.phase, r.webhooks())
			r.current = slices.Clone(r.desired)
		}
	}
	return c.latest, nil
}

// compile compiles the new configurations. No content of a configuration makes
// it fail (see matching.Compiler); only a panic of the CEL libraries does.
func (r *configurationSet) compile(compiler *matching.Compiler) error {
	for _, c := range r.desired {
		if c.compiled != nil {
			continue
		}
		err := guard.Do(func() { c.compiled = compiler.Compile(c.declared) })
		if err != nil {
			return fmt.Errorf("compiling %s %q: %w", r.kind, c.name, err)
		}
	}
	return nil
}

// webhooks returns the webhooks of all desired configurations.
func (r *configurationSet) webhooks() []*matching.Webhook {
	var all []*matching.Webhook
	for _, c := range r.desired {
		all = append(all, c.compiled...)
	}
	return all
}
