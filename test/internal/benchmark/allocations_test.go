package main

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/testutil/testtable"
)

// allocationCase is a workload and how many allocations a request may take.
type allocationCase struct {
	testtable.Row
	work    func() *workload
	allowed float64
}

// TestAllocations guards the cost of requests: allocations are the only figure
// that is about the same on every machine. The bounds are some 1 % above what
// was measured, and 2 % in B6, whose garbage collections empty pools: without
// patches, one more allocation for each call exceeds them. It is not parallel,
// because the allocations of all goroutines count.
func TestAllocations(t *testing.T) {
	const once = registrationv1.NeverReinvocationPolicy
	called := func(n int) func() *workload {
		return func() *workload { return forPods(validatingWebhooks(n, 1), n) }
	}
	patched := func() *workload {
		return forMutatedPods(mutatingWebhooks(chainLength, once), labelling(chainLength), chainLength)
	}
	cases := []allocationCase{
		{testtable.Row{"B1", "no webhook matches"},
			func() *workload { return forPods(validatingWebhooks(1000, elsewhereEach, elsewhere), 0) }, 2},
		{testtable.Row{"B2", "20 calls"}, called(20), 1075},
		{testtable.Row{"B2/100", "calls are linear in their number"}, called(100), 5 * 926},
		{testtable.Row{"B2/traced", "an observer receives traces"}, traced(called(20)), 1296},
		{testtable.Row{"B4", "10 patches"}, patched, 6340},
		{testtable.Row{"B4/traced", "traces have the object before and after"}, traced(patched), 6555},
		{testtable.Row{"B6", "a large object costs no more allocations than a small one"},
			func() *workload { return forLargeObjects(largeSize) }, 968},
		{testtable.Row{"B3/wild", "conditions of public projects"},
			func() *workload { return forPods(wildWebhooks(), 0) }, 1784},
	}
	for _, tc := range cases {
		t.Run(tc.Name(), func(t *testing.T) {
			n := allocationsOf(t, tc.work())
			t.Logf("%.1f allocations, at most %.1f", n, tc.allowed)
			if n > tc.allowed {
				t.Errorf("that is too much: %s", tc.Why())
			}
		})
	}
}

func traced(work func() *workload) func() *workload {
	return func() *workload {
		w := work()
		w.options = []plugin.Option{plugin.WithObserver(deaf{}), plugin.WithTrace()}
		return w
	}
}

// allocationsOf returns the fewest allocations of a request in several batches.
func allocationsOf(t *testing.T, w *workload) float64 {
	t.Helper()
	p, err := w.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	const batches, size = 4, 20
	var fewest float64
	for i := range batches {
		b, err := p.lanes[gatehouse].run(t.Context(), size)
		if err != nil {
			t.Fatal(err)
		}
		if n := float64(b.allocs) / size; i == 0 || n < fewest {
			fewest = n
		}
	}
	return fewest
}
