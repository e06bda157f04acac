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
	// crowd is how many reviews are under way at once.
	crowd = 64
	// patience is how long the crowd is waited for. How fast it is answered depends also on
	// who else is at work on this machine.
	patience = 30 * time.Second
)

func answersAtOnce(ctx context.Context, w *probe.Webhook, r *check.Record) {
	typical := w.AllowedFirst()
	if len(typical) == 0 {
		r.Lacks(check.Unanswered)
		return
	}
	r.Saw()
	met := typical[0]
	all := atOnce(ctx, w, met)
	var silent, denied, mixed, late []*probe.Exchange
	for _, x := range all {
		switch {
		case x.Answer == nil:
			silent = append(silent, x)
		case turned(met, x):
			denied = append(denied, x)
		case mixedUp(x, all):
			mixed = append(mixed, x)
		case x.Elapsed > w.Timeout():
			late = append(late, x)
		}
	}
	if len(silent) > 0 {
		r.Fail(silent[0], "%d of %d reviews at once have no answer, the first of them: %s", len(silent), crowd, silent[0].Outcome())
	}
	if len(denied) > 0 {
		r.Fail(denied[0], "%d of %d reviews at once are denied, and one alone is not: %q", len(denied), crowd, denied[0].Answer.Message)
	}
	if len(mixed) > 0 && echoesUID(w) {
		r.Fail(mixed[0], "%d of %d answers have the uid of another review that was under way", len(mixed), crowd)
	}
	if len(late) > 0 && len(silent) == 0 {
		findQueue(ctx, w, r, met, late)
	}
}

// atOnce sends a review many times, each with a uid of its own.
func atOnce(ctx context.Context, w *probe.Webhook, met *probe.Exchange) []*probe.Exchange {
	all := make([]*probe.Exchange, crowd)
	var senders sync.WaitGroup
	for i := range all {
		senders.Go(func() {
			review := met.Again().Set("uid", string(uuid.NewUUID()))
			all[i] = w.Ask(ctx, probe.Ask{Sample: met.Sample, Review: review, Wait: patience})
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

// echoesUID reports whether the webhook gets the uid right as long as it is asked one thing
// at a time. One that does not is for C-UID.
func echoesUID(w *probe.Webhook) bool {
	for _, x := range w.Answered() {
		if x.Answer.UID != x.Review.UID() {
			return false
		}
	}
	return true
}

// findQueue notes that answers came too late, if that is because reviews wait for one
// another. They may as well have waited for this machine: then the webhook's own time would
// not add up to it.
func findQueue(ctx context.Context, w *probe.Webhook, r *check.Record, met *probe.Exchange, late []*probe.Exchange) {
	last := late[0]
	for _, x := range late {
		if x.Elapsed > last.Elapsed {
			last = x
		}
	}
	alone := timeAlone(ctx, w, met)
	queue := crowd * alone
	if queue <= w.Timeout() || last.Elapsed <= queue/2 {
		return
	}
	r.Fail(last, "%d of %d reviews at once are answered too late, after more than %s: they wait for one another, the last one for %s, and one alone takes %s",
		len(late), crowd, w.Timeout(), last.Elapsed.Round(time.Millisecond), alone.Round(time.Millisecond))
}

// timeAlone returns how long the webhook takes when it is asked one thing at a time: the
// shortest of a few times, which has the least of what else goes on.
func timeAlone(ctx context.Context, w *probe.Webhook, met *probe.Exchange) time.Duration {
	alone := met.Elapsed
	for range 2 {
		if x := w.Send(ctx, met.Sample, met.Again()); x.Answer != nil {
			alone = min(alone, x.Elapsed)
		}
	}
	return alone
}
