package simulate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestRepeatedOwners draws references and compares with the equality of kube-apiserver.
func TestRepeatedOwners(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	optional := func() *bool {
		return []*bool{nil, new(false), new(true)}[random.IntN(3)]
	}
	text := func() string { return string(rune('a' + random.IntN(2))) }
	dropped := 0
	for range 200 {
		var refs, want []metav1.OwnerReference
		var repeated []string
		for range 20 {
			refs = append(refs, metav1.OwnerReference{
				APIVersion: text(), Kind: text(), Name: text(), UID: types.UID(text()), Controller: optional(), BlockOwnerDeletion: optional(),
			})
		}
		for i, ref := range refs {
			if isRepeated(refs[:i], ref) {
				repeated = append(repeated, string(ref.UID))
			} else {
				want = append(want, ref)
			}
		}
		kept, uids := withoutRepeated(refs)
		if diff := cmp.Diff(want, kept) + cmp.Diff(repeated, uids); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		dropped += len(uids)
	}
	if dropped < 100 {
		t.Errorf("only %d are repeated", dropped)
	}
}

func isRepeated(before []metav1.OwnerReference, ref metav1.OwnerReference) bool {
	for _, b := range before {
		if apiequality.Semantic.DeepEqual(b, ref) {
			return true
		}
	}
	return false
}

// TestManyOwners: the references take allocations, and so time, that are linear in their
// number.
func TestManyOwners(t *testing.T) {
	allocations := func(n int) float64 {
		refs := make([]metav1.OwnerReference, n)
		for i := range refs {
			refs[i].UID = types.UID(fmt.Sprint(i))
		}
		return testing.AllocsPerRun(1, func() { withoutRepeated(refs) })
	}
	if once, twice := allocations(500), allocations(1000); twice > 3*once {
		t.Errorf("%.0f allocations for 500 references, %.0f for 1,000", once, twice)
	}
}
