package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Object is what a collection keeps.
type Object interface {
	runtime.Object
	metav1.Object
}

// Collection keeps the objects of one kind.
type Collection struct {
	// list makes the list that a client gets.
	list func(version string, objects []Object) runtime.Object

	mu      sync.Mutex
	objects map[string]Object
	// version is that of the last change.
	version int64
	// kept are the last changes, for watches that begin in the past.
	kept    []change
	watches map[*following]struct{}
}

// change is a change with the version that it led to.
type change struct {
	version int64
	event   watch.Event
}

// remembered is how many changes are kept at least; twice as many at most.
const remembered = 512

func newCollection(list func(string, []Object) runtime.Object) *Collection {
	return &Collection{list: list, objects: map[string]Object{}, version: 1,
		watches: map[*following]struct{}{}}
}

// Put creates or replaces an object, which from now on is the collection's.
func (c *Collection) Put(o Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kind := watch.Added
	if _, ok := c.objects[o.GetName()]; ok {
		kind = watch.Modified
	}
	c.objects[o.GetName()] = o
	c.changed(kind, o)
}

// Delete removes an object. It panics if there is none of that name, which is a
// mistake of the caller.
func (c *Collection) Delete(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.objects[name]
	if !ok {
		panic(fmt.Sprintf("cluster: there is no %q to delete", name))
	}
	delete(c.objects, name)
	// A deletion has its own resource version, hence its own object.
	c.changed(watch.Deleted, o.DeepCopyObject().(Object))
}

// changed sets the resource version of a change and notifies all watches. The
// caller holds the lock.
func (c *Collection) changed(kind watch.EventType, o Object) {
	c.version++
	o.SetResourceVersion(strconv.FormatInt(c.version, 10))
	made := change{c.version, watch.Event{Type: kind, Object: o}}
	if len(c.kept) == 2*remembered {
		c.kept = slices.Delete(c.kept, 0, remembered)
	}
	c.kept = append(c.kept, made)
	for f := range c.watches {
		f.tell(made.event)
	}
}

// Break ends all watches, as a server that restarts does. Clients can resume
// them.
func (c *Collection) Break() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
}

// Expire ends all watches and forgets what has changed, so that clients have to
// list again.
func (c *Collection) Expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = nil
	c.version++ // what clients know of is too old now
	for f := range c.watches {
		f.tell(watch.Event{Type: watch.Error, Object: expired()})
	}
	c.end()
}

// Forget drops what is kept for watches that begin in the past. All watches
// must have been told of everything.
func (c *Collection) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = nil
}

func (c *Collection) end() {
	for f := range c.watches {
		f.end()
	}
	clear(c.watches)
}

func expired() *metav1.Status {
	return &apierrors.NewResourceExpired("too old resource version").ErrStatus
}

// all returns all objects as a list, ordered by name as a server orders them.
func (c *Collection) all(context.Context, metav1.ListOptions) (runtime.Object, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var objects []Object
	for _, name := range slices.Sorted(maps.Keys(c.objects)) {
		objects = append(objects, c.objects[name])
	}
	return c.list(strconv.FormatInt(c.version, 10), objects), nil
}

// follow begins a watch at a version.
func (c *Collection) follow(_ context.Context, o metav1.ListOptions) (watch.Interface, error) {
	since, err := strconv.ParseInt(o.ResourceVersion, 10, 64)
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("resource version: %v", err))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if first := c.version - int64(len(c.kept)); since < first {
		return nil, &apierrors.StatusError{ErrStatus: *expired()}
	}
	f := &following{events: make(chan watch.Event, 4*remembered), of: c}
	c.watches[f] = struct{}{}
	for _, made := range c.kept {
		if made.version > since {
			f.tell(made.event)
		}
	}
	return f, nil
}

// following is a watch. Its collection's lock guards it.
type following struct {
	of     *Collection
	events chan watch.Event
	ended  bool
}

// tell sends an event, or ends the watch of a client that is too slow.
func (f *following) tell(e watch.Event) {
	if f.ended {
		return
	}
	select {
	case f.events <- e:
	default:
		f.end()
	}
}

func (f *following) end() {
	if !f.ended {
		f.ended = true
		close(f.events)
	}
}

// ResultChan implements watch.Interface.
func (f *following) ResultChan() <-chan watch.Event { return f.events }

// Stop implements watch.Interface.
func (f *following) Stop() {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	delete(f.of.watches, f)
	f.end()
}
