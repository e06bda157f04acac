package behaviour

import (
	"strconv"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/testutil/testtable"
)

// ifAbsent sets a label that is not there.
func ifAbsent(name, value string) hook {
	return func(r probe.Review) []op {
		if label(r, name) != nil {
			return nil
		}
		return []op{setLabel(name, value)}
	}
}

// sidecar adds a container if it is missing.
func sidecar(name string) hook {
	return func(r probe.Review) []op {
		containers, _ := at(r, "spec", "containers").([]any)
		for _, c := range containers {
			if c, ok := c.(map[string]any); ok && c["name"] == name {
				return nil
			}
		}
		return []op{add("/spec/containers/-", map[string]any{"name": name, "image": "registry.example.com/" + name})}
	}
}

// counts sets a label that is missing to another value each time.
func counts() hook {
	var n atomic.Int64
	return func(r probe.Review) []op { return ifAbsent("id", strconv.FormatInt(n.Add(1), 10))(r) }
}

func TestOrder(t *testing.T) {
	t.Parallel()
	const missing = "skip: no sample visits two mutating webhooks that have a good answer to it"
	updates := func(w *registrationv1.MutatingWebhook) {
		w.Rules[0].Operations = []registrationv1.OperationType{registrationv1.Update}
	}
	apart := append(mutating(1, updates), mutating(2)[1])
	runLooks(t, "C-ORDER", []look{
		{row{"two labels", "each has one of its own"}, mutating(2), servers(patching(always("x", "a")), patching(always("y", "b"))), created(), []string{"pass"}},
		{row{"first come", "the webhook called first prevails"}, mutating(2), servers(patching(ifAbsent("team", "a")), patching(ifAbsent("team", "b"))), created(),
			[]string{"fail: CREATE pods/web in shop: a/a.example.com before b/b.example.com makes another object than b/b.example.com before a/a.example.com [metadata.labels.team]"}},
		{row{"one pair of three", "the pair is named that disagrees"}, mutating(3), servers(patching(ifAbsent("team", "a")), patching(always("x", "b")), patching(ifAbsent("team", "c"))), created(),
			[]string{"fail: CREATE pods/web in shop: a/a.example.com before c/c.example.com makes another object than c/c.example.com before a/a.example.com [metadata.labels.team]"}},
		{row{"two sidecars", "the order of containers says nothing"}, mutating(2), servers(patching(sidecar("x")), patching(sidecar("y"))), created(), []string{"pass"}},
		{row{"random value", "it differs in the same order, too"}, mutating(2), servers(patching(counts()), patching(always("x", "b"))), created(), []string{"pass"}},
		{row{"one webhook", "there is no other order"}, mutating(1), servers(patching(nothing)), created(), []string{missing}},
		{row{"samples apart", "they never meet"}, apart, servers(patching(nothing), patching(nothing)), created(), []string{missing}},
		{row{"one denies", "nothing is stored in either order"}, mutating(2), servers(patching(nothing), denying(hasLabel("app"), nothing)), created(), []string{missing}},
		{row{"one silent", "a missing answer is for other checks"}, mutating(2), servers(patching(nothing), silent(hasLabel("app"), nothing)), created(), []string{missing}},
		{row{"deletion", "there is no object to change"}, mutating(2), servers(patching(nothing), patching(nothing)), []*admission.Request{one(admissionv1.Delete)[0]}, []string{missing}},
	})
}

type reordering struct {
	row
	op, path string
	want     bool
}

func TestIsReordering(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []reordering{
		{row{"containers", "they are started all at once"}, "move", "spec.containers[1]", true},
		{row{"init containers", "they are started one after the other"}, "move", "spec.initContainers[1]", false},
		{row{"arguments", "their order is their meaning"}, "move", "spec.containers[0].args[1]", false},
		{row{"finalizers", "their order has no meaning"}, "move", "metadata.finalizers[0]", true},
		{row{"another change", "it is more than a move"}, "replace", "spec.containers[1]", false},
		{row{"at the root", "there is no list without a name"}, "move", "spec", false},
	}, func(t *testing.T, tc reordering) {
		if got := isReordering(explain.Change{Op: tc.op, Path: tc.path}); got != tc.want {
			t.Errorf("%s of %s is %t, want %t", tc.op, tc.path, got, tc.want)
		}
	})
}
