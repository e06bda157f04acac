package informers

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// State is the objects of a resource that are in force together: their names and
// revisions, in order.
type State string

// revisionLabel is the label with the number of an object's revision.
const revisionLabel = "revision"

// stateOf returns what a State says of an object.
func stateOf(o metav1.Object) string { return o.GetName() + "@" + o.GetLabels()[revisionLabel] }

// join returns the state of several objects, of which the order does not matter.
func join(objects []string) State {
	slices.Sort(objects)
	return State(strings.Join(objects, " "))
}

// of returns the part of a state that is about one object; empty if it is not there.
func (s State) of(name string) State {
	for _, one := range strings.Fields(string(s)) {
		if strings.HasPrefix(one, name+"@") {
			return State(one)
		}
	}
	return ""
}
