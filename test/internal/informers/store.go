package informers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Object is what a server holds.
type Object interface {
	runtime.Object
	metav1.Object
}

// Resource is one that a server serves.
type Resource struct{ Group, Version, Kind, Name string }

// The resources that sources follow.
var (
	Mutating   = Resource{"admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations"}
	Validating = Resource{"admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations"}
	Policies   = Resource{"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies"}
	Bindings   = Resource{"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"}
	Namespaces = Resource{"", "v1", "Namespace", "namespaces"}
)

func resources() []Resource {
	return []Resource{Mutating, Validating, Policies, Bindings, Namespaces}
}

// path is where the server serves a resource.
func (r Resource) path() string {
	if r.Group == "" {
		return "/api/" + r.Version + "/" + r.Name
	}
	return "/apis/" + r.Group + "/" + r.Version + "/" + r.Name
}

func (r Resource) apiVersion() string {
	if r.Group == "" {
		return r.Version
	}
	return r.Group + "/" + r.Version
}

// etcd is what outlives a restart of the server.
type etcd struct {
	revision int64
	// compacted is the last revision that cannot be watched any more.
	compacted int64
	events    []event
	objects   map[Resource]map[string]stored
	// states are all states that a resource has had.
	states map[Resource][]version
}

// version is a state, and the revision since which it is one.
type version struct {
	revision int64
	State
}

// stored is an object as it is sent.
type stored struct {
	name, state string
	revision    int64
	json        json.RawMessage
}

type event struct {
	kind     string
	resource Resource
	stored
}

func newEtcd() *etcd {
	e := &etcd{revision: 1, compacted: 1, objects: map[Resource]map[string]stored{},
		states: map[Resource][]version{}}
	for _, r := range resources() {
		e.objects[r] = map[string]stored{}
		e.states[r] = []version{{1, ""}}
	}
	return e
}

// write makes the next revision, which is a state: that of an object that is created or
// replaced, or, with the kind DELETED, deleted.
func (e *etcd) write(kind string, r Resource, o Object) {
	e.store(kind, r, o)
	e.note(r)
}

// note adds the current state of a resource to its states.
func (e *etcd) note(r Resource) {
	all := make([]string, 0, len(e.objects[r]))
	for _, one := range e.objects[r] {
		all = append(all, one.state)
	}
	e.states[r] = append(e.states[r], version{e.revision, join(all)})
}

func (e *etcd) store(kind string, r Resource, o Object) {
	e.revision++
	o.SetResourceVersion(strconv.FormatInt(e.revision, 10))
	text, err := json.Marshal(o)
	if err != nil {
		panic(fmt.Sprintf("informers: %v", err)) // no object of these kinds
	}
	s := stored{o.GetName(), stateOf(o), e.revision, text}
	if kind == deleted {
		delete(e.objects[r], s.name)
	} else {
		e.objects[r][s.name] = s
	}
	e.events = append(e.events, event{kind, r, s})
}

// list returns the objects of a resource by name.
func (e *etcd) list(r Resource) []stored {
	var all []stored
	for _, one := range e.objects[r] {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b stored) int { return cmp.Compare(a.name, b.name) })
	return all
}

// since returns the events of a resource after a revision.
func (e *etcd) since(r Resource, revision int64) iter.Seq[event] {
	first, _ := slices.BinarySearchFunc(e.events, revision+1,
		func(one event, revision int64) int { return cmp.Compare(one.revision, revision) })
	return func(yield func(event) bool) {
		for _, one := range e.events[first:] {
			if one.resource == r && !yield(one) {
				return
			}
		}
	}
}
