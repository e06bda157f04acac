package main

import (
	"testing"
)

// TestAllocations guards the cost of a request that matches no webhook, however
// many there are: the only figure that is the same on every machine. It is not
// parallel, because the allocations of all goroutines count.
func TestAllocations(t *testing.T) {
	const webhooks, allowed = 1000, 1
	p, err := forPods(validatingWebhooks(webhooks, elsewhereEach, elsewhere), 0).open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	l := p.lanes[gatehouse]
	r := l.work.request() // validation leaves it as it is
	n := testing.AllocsPerRun(200, func() {
		if err := l.serve(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	})
	if n > allowed {
		t.Errorf("%v allocations for a request that none of %d webhooks matches, want at most %d", n, webhooks, allowed)
	}
}
