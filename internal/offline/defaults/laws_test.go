package defaults

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
)

// everyKind shows a law for each row of the table, with many random objects of
// its type.
func everyKind(t *testing.T, full bool, law func(t *testing.T, kind string, object runtime.Object)) {
	t.Parallel()
	for _, r := range table() {
		name := strings.ReplaceAll(r.kind.GroupVersion().String(), "/", ".") + " " + r.kind.Kind
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(4) {
				object := reflect.New(reflect.TypeOf(r.prototype).Elem())
				generator{rand.New(rand.NewPCG(seed, 0)), full}.value(object.Elem())
				law(t, r.kind.Kind, object.Interface().(runtime.Object))
			}
		})
	}
}

// TestTwiceIsOnce is what allows an object to be defaulted after every patch.
func TestTwiceIsOnce(t *testing.T) {
	s := scheme()
	everyKind(t, false, func(t *testing.T, _ string, object runtime.Object) {
		s.Default(object)
		once := object.DeepCopyObject()
		s.Default(object)
		if diff := cmp.Diff(leaves(t, once), leaves(t, object)); diff != "" {
			t.Fatalf("the second time changed more (-once +twice):\n%s", diff)
		}
	})
}

// TestWhatIsSetStays is the promise of the package: defaults are for what no
// client has said anything about. The exceptions are those of doc.go;
// quantities here need no rounding, no time is less than none, and namespaces
// are labelled with their names.
func TestWhatIsSetStays(t *testing.T) {
	s := scheme()
	affinity := regexp.MustCompile(`^spec\.sessionAffinityConfig\.`)
	aliases := regexp.MustCompile(`(^|\.)spec\.serviceAccount$|^status\.podIPs\[`)
	everyKind(t, false, func(t *testing.T, kind string, object runtime.Object) {
		before := leaves(t, object)
		s.Default(object)
		after := leaves(t, object)
		for path, value := range before {
			if isZero(value) || aliases.MatchString(path) || kind == "Service" && affinity.MatchString(path) && after["spec.sessionAffinity"] == "None" {
				continue
			}
			if after[path] != value {
				t.Fatalf("%s was %q and is %q", path, value, after[path])
			}
		}
	})
}

// TestFullObjectsStay shows that nothing is added to an object that says
// everything.
func TestFullObjectsStay(t *testing.T) {
	s := scheme()
	everyKind(t, true, func(t *testing.T, _ string, object runtime.Object) {
		before := leaves(t, object)
		s.Default(object)
		if diff := cmp.Diff(before, leaves(t, object)); diff != "" {
			t.Fatalf("a full object was changed (-before +after):\n%s", diff)
		}
	})
}

// TestEmptyObjects shows that no part has to be there.
func TestEmptyObjects(t *testing.T) {
	t.Parallel()
	s := scheme()
	for _, r := range table() {
		s.Default(reflect.New(reflect.TypeOf(r.prototype).Elem()).Interface().(runtime.Object))
	}
}

// TestLabelsAreCopied keeps a change of the one from showing in the other.
func TestLabelsAreCopied(t *testing.T) {
	t.Parallel()
	from, labels := map[string]string{"app": "a"}, map[string]string(nil)
	inherit(&labels, from)
	from["app"] = "b"
	if labels["app"] != "a" {
		t.Errorf("the copy is %v", labels)
	}
}
