package defaults

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/offline/convert"
)

// TestConversionsAgree keeps this package and what conversions write out from
// contradicting each other: an object becomes the same in another version,
// whether it is defaulted before that and after, or only after.
func TestConversionsAgree(t *testing.T) {
	t.Parallel()
	s, c := scheme(), convert.New()
	for _, r := range past() {
		for _, to := range table() {
			if !slices.Contains(c.Siblings(r.kind), to.kind) || to.kind == r.kind {
				continue
			}
			name := strings.ReplaceAll(r.kind.GroupVersion().String()+" to "+to.kind.GroupVersion().String(), "/", ".")
			t.Run(r.kind.Kind+" "+name, func(t *testing.T) {
				t.Parallel()
				for seed := range uint64(4) {
					object := reflect.New(reflect.TypeOf(r.prototype).Elem())
					if seed > 0 {
						generator{rand.New(rand.NewPCG(seed, 0)), false}.value(object.Elem())
					}
					agree(t, s, c, object.Interface().(runtime.Object), to)
				}
			})
		}
	}
}

func agree(t *testing.T, s *runtime.Scheme, c *convert.Converter, object runtime.Object, to row) {
	t.Helper()
	after, err := c.Convert(object, to.kind)
	if err != nil {
		t.Fatal(err)
	}
	s.Default(after)
	s.Default(object)
	both, err := c.Convert(object, to.kind)
	if err != nil {
		t.Fatal(err)
	}
	s.Default(both)
	if diff := cmp.Diff(leaves(t, after), leaves(t, both)); diff != "" {
		t.Fatalf("the result (-defaulted after +before and after):\n%s", diff)
	}
}
