package convert

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// TestShapes is what makes it safe to carry fields over by name: a version has
// the fields of its hub, but for those that the table lists.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, f := range table() {
		hub := reflect.TypeOf(f.hub()).Elem()
		for _, v := range f.versions {
			t.Run(f.kind+"/"+strings.ReplaceAll(v.gv.String(), "/", "."), func(t *testing.T) {
				t.Parallel()
				var paths []string
				differences(&paths, "", hub, reflect.TypeOf(v.prototype).Elem(), map[[2]reflect.Type]bool{})
				slices.Sort(paths)
				if diff := cmp.Diff(v.differs, slices.Compact(paths)); diff != "" {
					t.Errorf("fields that differ from %v (-table +types):\n%s", hub, diff)
				}
			})
		}
	}
}

// TestTable compares the table with client-go's scheme: each Go type is what the
// table says it is, and is there once.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[schema.GroupVersionKind]bool{}
	for _, f := range table() {
		for _, v := range f.versions {
			kind := v.gv.WithKind(f.kind)
			if seen[kind] {
				t.Errorf("%v is there twice", kind)
			}
			seen[kind] = true
			kinds, _, err := scheme.Scheme.ObjectKinds(v.empty())
			if err != nil || !slices.Contains(kinds, kind) {
				t.Errorf("%T is %v, %v; want %v", v.prototype, kinds, err, kind)
			}
		}
	}
}

// TestShapesOfOtherTypes shows that the comparison sees differences.
func TestShapesOfOtherTypes(t *testing.T) {
	t.Parallel()
	type inner struct {
		Same  string `json:"same"`
		Moved int    `json:"a,omitempty"`
	}
	type other struct {
		Same  string `json:"same,omitempty"`
		Moved int    `json:"b"`
	}
	type left struct {
		Type   int              `json:"type"`
		Nested []*inner         `json:"nested"`
		Map    map[string]inner `json:"map"`
	}
	type right struct {
		Type   *int             `json:"type"`
		Nested []*other         `json:"nested"`
		Map    map[string]other `json:"map"`
	}
	var got []string
	differences(&got, "", reflect.TypeFor[left](), reflect.TypeFor[right](), map[[2]reflect.Type]bool{})
	slices.Sort(got)
	if diff := cmp.Diff([]string{".map", ".nested.a", ".nested.b", ".type"}, got); diff != "" {
		t.Error(diff)
	}
}

// differences collects the paths of the fields that carry would not carry
// between the types, in either direction.
func differences(paths *[]string, at string, a, b reflect.Type, seen map[[2]reflect.Type]bool) {
	if a == b || seen[[2]reflect.Type{a, b}] {
		return
	}
	seen[[2]reflect.Type{a, b}] = true
	defer delete(seen, [2]reflect.Type{a, b})
	switch {
	case a.Kind() != b.Kind():
		*paths = append(*paths, at)
	case a.Kind() == reflect.Struct:
		fieldDifferences(paths, at, a, b, seen)
	case a.Kind() == reflect.Pointer || a.Kind() == reflect.Slice:
		differences(paths, at, a.Elem(), b.Elem(), seen)
	case !a.ConvertibleTo(b):
		*paths = append(*paths, at)
	}
}

func fieldDifferences(paths *[]string, at string, a, b reflect.Type, seen map[[2]reflect.Type]bool) {
	left, right := fields(a), fields(b)
	for name, l := range left {
		if r, ok := right[name]; ok {
			differences(paths, below(at, name), l, r, seen)
			continue
		}
		*paths = append(*paths, below(at, name))
	}
	for name := range right {
		if _, ok := left[name]; !ok {
			*paths = append(*paths, below(at, name))
		}
	}
}

// below is the path of a field, and that of its parent for an inlined one.
func below(at, name string) string {
	if name == "" {
		return at
	}
	return at + "." + name
}

func fields(t reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for i := range t.NumField() {
		all[jsonName(t.Field(i))] = t.Field(i).Type
	}
	return all
}
