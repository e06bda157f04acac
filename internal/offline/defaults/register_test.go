package defaults

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/internal/offline/kinds"
)

// TestTable compares the table with client-go's scheme: each Go type is of the
// kind that the table says, and is there once.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[schema.GroupVersionKind]bool{}
	for _, r := range table() {
		if seen[r.kind] {
			t.Errorf("%v is there twice", r.kind)
		}
		seen[r.kind] = true
		found, _, err := clientscheme.Scheme.ObjectKinds(reflect.New(reflect.TypeOf(r.prototype).Elem()).Interface().(runtime.Object))
		if err != nil || !slices.Contains(found, r.kind) {
			t.Errorf("%T is %v, %v; want %v", r.prototype, found, err, r.kind)
		}
	}
}

// TestKindsCanBeSent checks that every kind with defaults is served, or is the
// body of a subresource.
func TestKindsCanBeSent(t *testing.T) {
	t.Parallel()
	known := kinds.New()
	for _, kind := range Kinds() {
		_, err := known.Lookup(kind)
		if _, _, isBody := known.Body(kind); err != nil && !isBody {
			t.Error(err)
		}
	}
}

// TestKinds keeps the list of kinds in step with what Register does.
func TestKinds(t *testing.T) {
	t.Parallel()
	all := Kinds()
	if len(all) != len(table()) || all[0] != corev1.SchemeGroupVersion.WithKind("Pod") {
		t.Errorf("Kinds are %v", all)
	}
}

// TestOtherTypes shows that what is not in the table is left alone.
func TestOtherTypes(t *testing.T) {
	t.Parallel()
	s := scheme()
	for _, object := range []runtime.Object{
		&corev1.ConfigMap{}, &corev1.ServiceAccount{}, &policyv1.PodDisruptionBudget{},
		&corev1.PodList{Items: []corev1.Pod{{}}},
	} {
		before := object.DeepCopyObject()
		s.Default(object)
		if diff := cmp.Diff(before, object); diff != "" {
			t.Errorf("%T was changed (-before +after):\n%s", object, diff)
		}
	}
}

// TestPage compares docs/defaulting.md with the table: the tables of the page
// name each kind once, with all its versions, and no other.
func TestPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/defaulting.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, kind := range Kinds() {
		want = append(want, kind.GroupVersion().String()+" "+kind.Kind)
	}
	got := named(string(page))
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kinds (-table +page):\n%s", diff)
	}
	if !strings.Contains(string(page), "--no-defaulting") {
		t.Error("the page does not say how to turn it off")
	}
}

// named are the kinds in the first two columns of the page's tables.
func named(page string) []string {
	cells := regexp.MustCompile(`(?m)^\| ([A-Z]\w+(?:, [A-Z]\w+)*) \| ([a-z0-9./, ]+) \|`)
	var kinds []string
	for _, row := range cells.FindAllStringSubmatch(page, -1) {
		for _, kind := range strings.Split(row[1], ", ") {
			for _, version := range strings.Split(row[2], ", ") {
				kinds = append(kinds, version+" "+kind)
			}
		}
	}
	return kinds
}
