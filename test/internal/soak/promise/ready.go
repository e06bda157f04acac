package promise

import (
	"context"
	"time"

	"example.com/gatehouse/admission"
)

// unbearable is how long something may take that should be over after a second
// at most. What breaks such a promise takes longer.
const unbearable = 5 * time.Second

func readiness() Promise {
	return Promise{
		Name: "readiness",
		Says: "a request that waits until the informer has listed the configurations waits no longer than its context",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{phase: admission.Validating, webhooks: []webhook{hook()}, unsynced: true}
			return play(ctx, side, st, func(s *scene) error {
				// Release the requests that still wait.
				s.release = append(s.release, func() { s.factory.Start(s.stop) })
				limited, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
				defer cancel()
				switch o := s.sendFor(limited, unbearable, pod(nil)); {
				case o.hung:
					return broken("a request with a deadline of 200 ms had not returned after %s", unbearable)
				case o.allowed():
					return broken("a request was allowed before it was known which webhooks there are")
				}
				return nil
			})
		},
	}
}
