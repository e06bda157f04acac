package garbagecollector

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func owned(uid string, version uint64, owners ...types.UID) *node {
	n := &node{uid: types.UID(uid), version: version}
	for _, owner := range owners {
		n.owners = append(n.owners, metav1.OwnerReference{UID: owner})
	}
	return n
}

func waiting(n *node) *node {
	n.finalizer = metav1.FinalizerDeleteDependents
	return n
}

// TestGraph has what must be processed after the last of some events, which may
// come in the wrong order.
func TestGraph(t *testing.T) {
	t.Parallel()
	type event func(*graph) []types.UID
	set := func(n *node) event { return func(g *graph) []types.UID { return g.set(n) } }
	remove := func(uid types.UID) event { return func(g *graph) []types.UID { return g.remove(uid) } }
	type test struct {
		row
		events []event
		due    []types.UID
		// nodes are those in the graph afterwards.
		nodes []types.UID
	}
	testtable.Run(t, []test{
		{row{"plain", "most objects have no owners"}, []event{set(owned("a", 1))}, nil, nil},
		{row{"dependent", "its owner may not exist"}, []event{set(owned("a", 1, "o"))}, []types.UID{"a"}, []types.UID{"a"}},
		{row{"other change", "the owners are the same"}, []event{set(owned("a", 1, "o")), set(owned("a", 2, "o"))}, nil, []types.UID{"a"}},
		{row{"late", "an older state says nothing"}, []event{set(owned("a", 2, "o")), set(owned("a", 1, "p"))}, nil, []types.UID{"a"}},
		{row{"orphan", "it is processed once more"}, []event{set(owned("a", 1, "o")), set(owned("a", 2))}, []types.UID{"a"}, nil},
		{row{"owner is gone", "its dependents may go"}, []event{set(owned("a", 1, "o")), remove("o")}, []types.UID{"a"}, []types.UID{"a"}},
		{row{"owner waits", "its dependents must go"}, []event{set(owned("a", 1, "o")), set(waiting(owned("o", 2)))}, []types.UID{"a", "o"}, []types.UID{"a", "o"}},
		{row{"dependent is gone", "the owner may go"}, []event{set(owned("a", 1, "o")), set(waiting(owned("o", 2))), remove("a")}, []types.UID{"o"}, []types.UID{"o"}},
		{row{"dependent is orphaned", "the owner may go"}, []event{set(owned("a", 1, "o")), set(waiting(owned("o", 2))), set(owned("a", 3))}, []types.UID{"a", "o"}, []types.UID{"o"}},
	}, func(t *testing.T, r test) {
		g := newGraph()
		var due []types.UID
		for _, event := range r.events {
			due = event(g)
		}
		slices.Sort(due)
		if diff := cmp.Diff(r.due, due); diff != "" {
			t.Errorf("due (-want, +got):\n%s", diff)
		}
		var nodes []types.UID
		for _, uid := range []types.UID{"a", "o"} {
			if g.node(uid) != nil {
				nodes = append(nodes, uid)
			}
		}
		if diff := cmp.Diff(r.nodes, nodes); diff != "" {
			t.Errorf("nodes (-want, +got):\n%s", diff)
		}
	})
}

// TestAbsent: an owner is known to be absent as long as it has dependents.
func TestAbsent(t *testing.T) {
	t.Parallel()
	g := newGraph()
	g.remove("o")
	if g.isAbsent("o") {
		t.Error("the graph remembers what has no dependents")
	}
	g.set(owned("a", 1, "o"))
	if g.isAbsent("o") {
		t.Error("the graph does not know yet whether the owner exists")
	}
	g.remove("o")
	if !g.isAbsent("o") {
		t.Error("the graph has forgotten the owner")
	}
	g.remove("a")
	if g.isAbsent("o") || len(g.dependents) > 0 || len(g.nodes) > 0 {
		t.Errorf("the graph has %+v, want nothing", g)
	}
}

// blocking lets the owners of an object wait for it.
func blocking(n *node) *node {
	for i := range n.owners {
		n.owners[i].BlockOwnerDeletion = ptr.To(true)
	}
	return n
}

// TestInCircle asks for the object a.
func TestInCircle(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		nodes []*node
		want  bool
	}
	testtable.Run(t, []test{
		{row{"alone", "it has no dependents"}, []*node{waiting(owned("a", 1))}, false},
		{row{"itself", "an object can own itself"}, []*node{waiting(blocking(owned("a", 1, "a")))}, true},
		{row{"two", "they wait for each other"}, []*node{waiting(blocking(owned("a", 1, "b"))), waiting(blocking(owned("b", 2, "a")))}, true},
		{row{"three", "through another one"}, []*node{
			waiting(blocking(owned("a", 1, "b"))), waiting(blocking(owned("b", 2, "c"))), waiting(blocking(owned("c", 3, "a"))),
		}, true},
		{row{"one does not wait", "its deletion has not begun"}, []*node{waiting(blocking(owned("a", 1, "b"))), blocking(owned("b", 2, "a"))}, false},
		{row{"one does not block", "the other one can go"}, []*node{waiting(blocking(owned("a", 1, "b"))), waiting(owned("b", 2, "a"))}, false},
		{row{"generations", "the last one can go"}, []*node{
			waiting(owned("a", 1)), waiting(blocking(owned("b", 2, "a"))), waiting(blocking(owned("c", 3, "b"))),
		}, false},
		{row{"circle of dependents", "the object waits for them, but not they for it"}, []*node{
			waiting(owned("a", 1)), waiting(blocking(owned("b", 2, "a", "c"))), waiting(blocking(owned("c", 3, "b"))),
		}, false},
	}, func(t *testing.T, r test) {
		g := newGraph()
		for _, n := range r.nodes {
			g.set(n)
		}
		if got := g.inCircle("a"); got != r.want {
			t.Errorf("got %t, want %t", got, r.want)
		}
	})
}
