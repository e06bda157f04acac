package churn

import (
	"context"
	"errors"
	"time"

	"example.com/gatehouse/test/internal/soak/model"
)

// event is what happens at the beginning of the n-th cycle, while the callers
// call.
//
// Watches of one kind expire no more often than every seventh cycle: client-go
// waits twice as long each time before it lists again, until it was quiet for
// two minutes.
func (w *writer) event(ctx context.Context, n int) {
	w.events.Add(1)
	switch n % 7 {
	case 0:
		w.world.mutating.collection.Expire()
		w.world.namespaces.collection.Expire()
	case 2:
		w.world.validating.collection.Expire()
	case 3, 5:
		for _, f := range w.world.all() {
			f.collection.Break()
		}
	default:
		if err := w.rotate(context.WithoutCancel(ctx)); err != nil {
			w.findings.Add("replacing the authority: %v", err)
		}
	}
}

// rotate replaces the authority of the webhooks' certificates, so that no
// request may notice.
func (w *writer) rotate(ctx context.Context) error {
	if err := w.world.backend.Announce(); err != nil {
		return err
	}
	w.putAll()
	w.waitDelivered(ctx)
	if err := w.passed(ctx); err != nil {
		return err
	}
	w.world.backend.Switch()
	w.world.backend.Retire()
	w.putAll()
	return nil
}

// passed waits until no request is under way any more that knows an older state
// than the one in force.
func (w *writer) passed(ctx context.Context) error {
	const patience = time.Minute
	var marks []model.Mark
	for _, f := range w.world.all() {
		marks = append(marks, f.history.Mark())
	}
	return until(ctx, patience, func() error {
		for _, m := range marks {
			if !m.Passed() {
				return errors.New("requests that began long ago have not ended")
			}
		}
		return nil
	})
}
