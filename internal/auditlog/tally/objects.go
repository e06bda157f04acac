package tally

import (
	"cmp"
	"slices"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/recent"
)

// Object is an object with its writers.
type Object struct {
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Writes    int    `json:"writes"`
	// Writers are sorted by writes. Beyond eight the writes are counted in Others.
	Writers []Writer `json:"writers"`
	Others  int      `json:"others,omitempty"`
}

// Writer is a user with a field manager, or a webhook.
type Writer struct {
	User    string `json:"user,omitempty"`
	Manager string `json:"manager,omitempty"`
	Webhook string `json:"webhook,omitempty"`
	Writes  int    `json:"writes"`
}

// The bounds of what is kept, and of what is shown.
const (
	maxObjects = 50000
	maxWriters = 8
	shown      = 500
)

// objects counts the writes of objects.
type objects struct {
	byKey *recent.Map[objectKey, Object]
	// writers are all writers, whatever the object.
	writers map[Writer]int
}

type objectKey struct{ resource, namespace, name string }

func newObjects() *objects {
	return &objects{recent.New[objectKey, Object](maxObjects), map[Writer]int{}}
}

// add counts a request that stored something.
func (o *objects) add(e *auditlog.Event) {
	if !e.Mutates() || e.Failed() || e.DryRun() {
		return
	}
	writers := []Writer{{User: e.User.Name, Manager: e.Manager()}}
	for i := range e.Calls {
		if c := &e.Calls[i]; c.Changed {
			writers = append(writers, Writer{Webhook: c.Configuration + "/" + c.Webhook})
		}
	}
	for _, w := range writers {
		if _, ok := o.writers[w]; ok || len(o.writers) < maxNames {
			o.writers[w]++
		}
	}
	name := e.Name()
	if name == "" {
		return
	}
	key := objectKey{e.Resource(), e.Ref.Namespace, name}
	object := o.byKey.Get(key)
	if object == nil {
		object = o.byKey.Add(key)
	}
	object.Writes++
	for _, w := range writers {
		object.count(w)
	}
}

func (o *Object) count(by Writer) {
	for i := range o.Writers {
		w := &o.Writers[i]
		if w.User == by.User && w.Manager == by.Manager && w.Webhook == by.Webhook {
			w.Writes++
			return
		}
	}
	if len(o.Writers) >= maxWriters {
		o.Others++
		return
	}
	by.Writes = 1
	o.Writers = append(o.Writers, by)
}

// top returns the objects with the most writes.
func (o *objects) top() []Object {
	all := []Object{}
	for key, value := range o.byKey.All() {
		object := *value
		object.Resource, object.Namespace, object.Name = key.resource, key.namespace, key.name
		all = append(all, object)
	}
	slices.SortFunc(all, func(a, b Object) int {
		return cmp.Or(b.Writes-a.Writes, cmp.Compare(a.Resource, b.Resource),
			cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	all = slices.Clone(all[:min(len(all), shown)]) // the rest can be collected
	for i := range all {
		all[i].Writers = slices.Clone(all[i].Writers)
		sortWriters(all[i].Writers)
	}
	return all
}

// topWriters returns the writers with the most writes.
func (o *objects) topWriters() []Writer {
	all := make([]Writer, 0, len(o.writers))
	for w, n := range o.writers {
		w.Writes = n
		all = append(all, w)
	}
	sortWriters(all)
	return all[:min(len(all), shown)]
}

func sortWriters(all []Writer) {
	slices.SortFunc(all, func(a, b Writer) int {
		return cmp.Or(b.Writes-a.Writes, cmp.Compare(a.User, b.User),
			cmp.Compare(a.Manager, b.Manager), cmp.Compare(a.Webhook, b.Webhook))
	})
}
