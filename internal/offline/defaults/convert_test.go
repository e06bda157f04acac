package defaults

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/offline/convert"
)

// TestConversionsAgree checks that defaults and conversions do not contradict
// each other: an object becomes the same in another version if it is defaulted
// before and after the conversion, or only after it.
func TestConversionsAgree(t *testing.T) {
	t.Parallel()
	s := scheme()
	for _, r := range table() {
		for _, to := range table() {
			if r.kind.Kind != to.kind.Kind || convert.Versions(r.kind) == nil || to.kind == r.kind {
				continue
			}
			t.Run(r.kind.Kind+" to "+to.kind.Version, func(t *testing.T) {
				t.Parallel()
				for seed := range uint64(4) {
					object := reflect.New(reflect.TypeOf(r.prototype).Elem())
					if seed > 0 {
						generator{rand.New(rand.NewPCG(seed, 0)), false}.value(object.Elem())
					}
					agree(t, s, object.Interface().(runtime.Object), to)
				}
			})
		}
	}
}

func agree(t *testing.T, s *runtime.Scheme, object runtime.Object, to row) {
	t.Helper()
	after, err := convert.ToVersion(object, to.kind)
	if err != nil {
		t.Fatal(err)
	}
	s.Default(after)
	s.Default(object)
	both, err := convert.ToVersion(object, to.kind)
	if err != nil {
		t.Fatal(err)
	}
	s.Default(both)
	if diff := cmp.Diff(leaves(t, after), leaves(t, both)); diff != "" {
		t.Fatalf("the result (-defaulted after +before and after):\n%s", diff)
	}
}
