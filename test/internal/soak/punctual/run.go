package punctual

import (
	"context"
	"errors"
	"sync"
	"time"

	"example.com/gatehouse/test/internal/soak/vitals"
)

// Run measures. If ctx is done it ends early, and the result has what was
// measured until then. An error means that the measurement could not take
// place.
func Run(ctx context.Context, o Options) (*Result, error) {
	o = o.withDefaults()
	if o.Duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Duration)
		defer cancel()
	}
	start, baseline := time.Now(), vitals.Baseline()
	rows, err := openAll(o)
	if err != nil {
		return nil, err
	}
	measure(ctx, rows, o)
	result := newResult(rows, o, time.Since(start))
	result.Left = vitals.Drained(context.WithoutCancel(ctx), baseline, o.drains)
	return result, nil
}

func openAll(o Options) ([]*row, error) {
	var rows []*row
	for _, f := range o.Faults {
		r, err := open(f, o)
		if err != nil {
			return nil, errors.Join(err, closeAll(rows))
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func closeAll(rows []*row) error {
	var errs []error
	for _, r := range rows {
		r.left = r.close()
		errs = append(errs, r.left)
	}
	return errors.Join(errs...)
}

// measure measures all rows, and closes each when it is done.
func measure(ctx context.Context, rows []*row, o Options) {
	var waiting, alone []*row
	for _, r := range rows {
		if r.waits {
			waiting = append(waiting, r)
		} else {
			alone = append(alone, r)
		}
	}
	together(ctx, waiting, o.Waiting)
	_ = closeAll(waiting) // which each row remembers
	for _, r := range alone {
		r.measureAlone(ctx)
	}
}

// measureAlone measures a row and waits until all its work has ended: an
// engine's detached goroutines would disturb the next row.
func (r *row) measureAlone(ctx context.Context) {
	before := vitals.Baseline()
	together(ctx, []*row{r}, r.Alone)
	err := r.close()
	r.left = errors.Join(err, vitals.Drained(context.WithoutCancel(ctx), before, r.drains))
}

// together measures rows at the same time, with so many callers each.
func together(ctx context.Context, rows []*row, callers int) {
	c := beside()
	defer c.end()
	var all sync.WaitGroup
	for i := range len(rows) * callers {
		r := rows[i%len(rows)]
		r.control = c
		all.Go(func() {
			// A row that does not wait would be over before the others begin.
			if r.waits && !pause(ctx, timeout*time.Duration(i)/time.Duration(len(rows)*callers)) {
				return
			}
			for ctx.Err() == nil && r.next(context.WithoutCancel(ctx)) {
			}
		})
	}
	all.Wait()
}

// pause reports whether the time has passed; otherwise the context is done.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
