package source

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// TestStoreReadersSeeWholeStates replaces the set while eight readers look. In
// every state all webhooks bear the number of that state, once per phase, so a
// mixture would show.
func TestStoreReadersSeeWholeStates(t *testing.T) {
	t.Parallel()
	const readers, states = 8, 200
	s := NewStore()
	setState(s, 0)

	done := make(chan struct{})
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			last := 0
			for {
				state, err := observe(t.Context(), s)
				if err != nil || state < last {
					t.Errorf("after state %d came state %d: %v", last, state, err)
					return
				}
				last = state
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for n := 1; n <= states; n++ {
		setState(s, n)
	}
	close(done)
	wg.Wait()
	if state, err := observe(t.Context(), s); state != states || err != nil {
		t.Errorf("the last state is %d, %v; want %d", state, err, states)
	}
}

func setState(s *Store, n int) {
	name := fmt.Sprint(n)
	s.Set(
		[]*registrationv1.MutatingWebhookConfiguration{mutating("b", name), mutating("a", name, "stays")},
		[]*registrationv1.ValidatingWebhookConfiguration{validating("a", name)},
	)
}

// observe returns the number of the state that a reader sees, or an error if it
// sees parts of several.
func observe(ctx context.Context, s *Store) (int, error) {
	snapshot, err := s.Current(ctx)
	if err != nil {
		return 0, err
	}
	got := orderOf(snapshot)
	var n int
	if _, err := fmt.Sscanf(got.Validating[0], "a/%d/0", &n); err != nil {
		return 0, fmt.Errorf("validating webhook %q: %w", got.Validating[0], err)
	}
	want := order{
		Mutating:   []string{fmt.Sprintf("a/%d/0", n), "a/stays/0", fmt.Sprintf("b/%d/0", n)},
		Validating: []string{fmt.Sprintf("a/%d/0", n)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return n, fmt.Errorf("mixed state (-want +got):\n%s", diff)
	}
	return n, nil
}
