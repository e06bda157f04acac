package garbagecollector

import (
	"maps"
	"slices"
	"strconv"
	"sync"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// node is an object in the graph. It is not changed.
type node struct {
	resource        schema.GroupResource
	namespace, name string
	uid             types.UID
	// version orders the states of an object.
	version uint64
	owners  []metav1.OwnerReference
	// finalizer is that which the collector must remove from an object that is
	// being deleted, and "" if there is none.
	finalizer string
}

func newNode(resource schema.GroupResource, m metav1.Object) *node {
	version, _ := strconv.ParseUint(m.GetResourceVersion(), 10, 64) // etcd's revisions
	return &node{
		resource: resource, namespace: m.GetNamespace(), name: m.GetName(), uid: m.GetUID(),
		version: version, owners: slices.Clone(m.GetOwnerReferences()),
		finalizer: pendingFinalizer(m),
	}
}

// pendingFinalizer returns the finalizer that the collector must remove.
func pendingFinalizer(m metav1.Object) string {
	if m.GetDeletionTimestamp() == nil {
		return ""
	}
	for _, f := range []string{metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents} {
		if slices.Contains(m.GetFinalizers(), f) {
			return f
		}
	}
	return ""
}

// blocks reports whether the deletion of an owner waits for the object.
func (n *node) blocks(owner types.UID) bool {
	return slices.ContainsFunc(n.owners, func(r metav1.OwnerReference) bool {
		return r.UID == owner && r.BlockOwnerDeletion != nil && *r.BlockOwnerDeletion
	})
}

// waits reports whether the object is being deleted, and waits for its dependents.
func (n *node) waits() bool { return n.finalizer == metav1.FinalizerDeleteDependents }

// graph has the objects with owners and those with a pending finalizer. Events
// may come in another order than the writes.
type graph struct {
	lock  sync.Mutex
	nodes map[types.UID]*node
	// dependents are the objects in nodes by their owners, which need not exist.
	dependents map[types.UID]map[types.UID]bool
	// absent are the keys of dependents that have been deleted.
	absent map[types.UID]bool
}

func newGraph() *graph {
	return &graph{
		nodes:      map[types.UID]*node{},
		dependents: map[types.UID]map[types.UID]bool{},
		absent:     map[types.UID]bool{},
	}
}

// set adds or replaces an object, and returns the objects that must be
// processed.
func (g *graph) set(n *node) []types.UID {
	g.lock.Lock()
	defer g.lock.Unlock()
	old := g.nodes[n.uid]
	if old == nil {
		old = &node{}
	}
	if n.version < old.version {
		return nil
	}
	if n.finalizer == old.finalizer && apiequality.Semantic.DeepEqual(n.owners, old.owners) {
		if len(n.owners) > 0 || n.finalizer != "" {
			g.nodes[n.uid] = n
		}
		return nil
	}
	due := append(g.unlink(n.uid), n.uid)
	if len(n.owners) == 0 && n.finalizer == "" {
		return due
	}
	g.nodes[n.uid] = n
	for _, owner := range n.owners {
		if g.dependents[owner.UID] == nil {
			g.dependents[owner.UID] = map[types.UID]bool{}
		}
		g.dependents[owner.UID][n.uid] = true
	}
	if n.finalizer != "" {
		due = append(due, slices.Collect(maps.Keys(g.dependents[n.uid]))...)
	}
	return due
}

// unlink removes an object, and returns the owners that may wait for it.
func (g *graph) unlink(uid types.UID) (due []types.UID) {
	n := g.nodes[uid]
	if n == nil {
		return nil
	}
	delete(g.nodes, uid)
	for _, owner := range n.owners {
		delete(g.dependents[owner.UID], uid)
		if len(g.dependents[owner.UID]) == 0 {
			delete(g.dependents, owner.UID)
			delete(g.absent, owner.UID)
		}
		if g.nodes[owner.UID] != nil {
			due = append(due, owner.UID)
		}
	}
	return due
}

// remove removes a deleted object, and returns the objects that must be
// processed.
func (g *graph) remove(uid types.UID) []types.UID {
	g.lock.Lock()
	defer g.lock.Unlock()
	due := g.unlink(uid)
	if len(g.dependents[uid]) > 0 {
		g.absent[uid] = true
	}
	return append(due, slices.Collect(maps.Keys(g.dependents[uid]))...)
}

// node returns an object, and nil if it is not in the graph.
func (g *graph) node(uid types.UID) *node {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.nodes[uid]
}

// dependentsOf returns the dependents of an object.
func (g *graph) dependentsOf(uid types.UID) []*node {
	g.lock.Lock()
	defer g.lock.Unlock()
	var all []*node
	for dependent := range g.dependents[uid] {
		all = append(all, g.nodes[dependent])
	}
	return all
}

// isAbsent reports whether an owner of objects has been deleted. Otherwise it
// may exist or not.
func (g *graph) isAbsent(uid types.UID) bool {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.absent[uid]
}

// inCircle reports whether an object waits for itself: it waits for dependents that block
// it, and one of them waits for it, directly or through others.
func (g *graph) inCircle(uid types.UID) bool {
	g.lock.Lock()
	defer g.lock.Unlock()
	seen := map[types.UID]bool{}
	next := []types.UID{uid}
	for len(next) > 0 {
		owner := next[len(next)-1]
		next = next[:len(next)-1]
		for dependent := range g.dependents[owner] {
			n := g.nodes[dependent]
			if seen[dependent] || !n.waits() || !n.blocks(owner) {
				continue
			}
			seen[dependent] = true
			next = append(next, dependent)
		}
	}
	return seen[uid]
}
