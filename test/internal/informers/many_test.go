package informers

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestManyConfigurations has informers list 10,000 configurations again, half of which
// were renamed meanwhile. Requests see those before or those after.
func TestManyConfigurations(t *testing.T) {
	t.Parallel()
	const many = 10_000
	synctest.Test(t, func(t *testing.T) {
		server := NewServer()
		server.fill(func(e *etcd) {
			for i := range many {
				e.store(added, Validating, object(Validating, fmt.Sprint("o", i), 0))
			}
		})
		var subject Subject
		delivered, asked, last := 0, 0, 0
		ask := func(ctx context.Context) {
			asked++
			got, err := subject.InForce(ctx, "")
			states := server.States(Validating, many+1)
			at := len(states) - 1
			for at > last && states[at] != got {
				at--
			}
			if err != nil || states[at] != got {
				t.Errorf("after %d events: %d bytes of webhooks, which no state has (error %v)", delivered, len(got), err)
			}
			last = at
		}
		factory, err := newFactory(server, func(Resource) {
			if delivered++; delivered > many && delivered%200 == 1 {
				ask(t.Context())
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		subjects, end, err := openGatehouse(factory)
		if err != nil {
			t.Fatal(err)
		}
		defer end()
		subject = subjects[1]
		stop := make(chan struct{})
		factory.Start(stop)
		synctest.Wait()
		ask(t.Context())

		server.Fail(Refused)
		server.fill(func(e *etcd) {
			for i := range many / 2 {
				e.store(added, Validating, object(Validating, fmt.Sprint("renamed", i), 0))
				e.store(deleted, Validating, object(Validating, fmt.Sprint("o", i), 0))
			}
		})
		server.Compact()
		server.Fail(Healthy)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		ask(t.Context())
		if want := many + many + many/2; last != 1 || delivered < want {
			t.Errorf("%d events, want %d; in the end state %d is in force, want 1", delivered, want, last)
		}
		t.Logf("%d questions during %d events", asked, delivered)
		close(stop)
		server.Close()
		factory.Shutdown()
	})
}

// fill makes changes that are one state.
func (s *Server) fill(do func(*etcd)) {
	s.change(func() {
		do(s.etcd)
		s.etcd.note(Validating)
	})
}
