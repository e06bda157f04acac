package transport

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/uuid"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

const (
	// reviewsAtOnce is the number of concurrent reviews.
	reviewsAtOnce = 64
	// maxWait limits the wait for all of them. The speed also depends on other
	// load on this machine.
	maxWait = 30 * time.Second
)

func answersAtOnce(ctx context.Context, w *probe.Webhook, met *probe.Exchange, r *check.Record) {
	r.Checked()
	all := atOnce(ctx, w, met)
	var silent, denied, mixed, late []*probe.Exchange
	for _, x := range all {
		switch {
		case x.Answer == nil:
			silent = append(silent, x)
		case newlyDenied(met, x):
			denied = append(denied, x)
		case mixedUp(x, all):
			mixed = append(mixed, x)
		case x.Elapsed > w.Timeout():
			late = append(late, x)
		}
	}
	if len(silent) > 0 {
		r.Fail(silent[0], "%d of %d reviews at once have no answer, the first of them: %s", len(silent),
			reviewsAtOnce, silent[0].Outcome())
	}
	if len(denied) > 0 {
		r.Fail(denied[0], "%d of %d reviews at once are denied, and one alone is not: %q", len(denied),
			reviewsAtOnce, denied[0].Answer.Message)
	}
	if len(mixed) > 0 && echoesUID(w) {
		r.Fail(mixed[0], "%d of %d answers have the uid of another review that was under way",
			len(mixed), reviewsAtOnce)
	}
	if len(late) > 0 && len(silent) == 0 {
		findQueue(ctx, w, r, met, late)
	}
}

// atOnce sends a review many times concurrently, each with a unique uid.
func atOnce(ctx context.Context, w *probe.Webhook, met *probe.Exchange) []*probe.Exchange {
	all := make([]*probe.Exchange, reviewsAtOnce)
	var senders sync.WaitGroup
	for i := range all {
		senders.Go(func() {
			review := met.ReviewCopy().Set("uid", string(uuid.NewUUID()))
			all[i] = w.Do(ctx, probe.RawRequest{Sample: met.Sample, Review: review, Wait: maxWait})
		})
	}
	senders.Wait()
	return all
}

// mixedUp reports whether an answer has the uid of another review.
func mixedUp(x *probe.Exchange, all []*probe.Exchange) bool {
	for _, other := range all {
		if other != x && other.Review.UID() == x.Answer.UID {
			return true
		}
	}
	return false
}

// echoesUID reports whether the webhook echoes the uid of sequential reviews.
// C-UID reports the others.
func echoesUID(w *probe.Webhook) bool {
	for _, x := range w.Answered() {
		if x.Answer.UID != x.Review.UID() {
			return false
		}
	}
	return true
}

// findQueue reports late answers if reviews wait for one another. If instead
// they waited for this machine, the webhook's own time does not add up to the
// delay.
func findQueue(
	ctx context.Context, w *probe.Webhook, r *check.Record, met *probe.Exchange,
	late []*probe.Exchange,
) {
	last := late[0]
	for _, x := range late {
		if x.Elapsed > last.Elapsed {
			last = x
		}
	}
	alone := timeAlone(ctx, w, met)
	queue := reviewsAtOnce * alone
	if queue <= w.Timeout() || last.Elapsed <= queue/2 {
		return
	}
	r.Fail(last, "%d of %d reviews at once are answered too late, after more than %s: they wait for one another, the last one for %s, and one alone takes %s",
		len(late), reviewsAtOnce, w.Timeout(),
		last.Elapsed.Round(time.Millisecond), alone.Round(time.Millisecond))
}

// timeAlone returns the duration of a single review: the shortest of three.
func timeAlone(ctx context.Context, w *probe.Webhook, met *probe.Exchange) time.Duration {
	alone := met.Elapsed
	for range 2 {
		if x := w.Send(ctx, met.Sample, met.ReviewCopy()); x.Answer != nil {
			alone = min(alone, x.Elapsed)
		}
	}
	return alone
}
