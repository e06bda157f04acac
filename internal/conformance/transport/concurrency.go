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

	// maxRounds limits how often reviews are sent at once, because it depends on
	// chance whether answers are mixed up. No round but the first begins after
	// maxTime.
	maxRounds = 10
	maxTime   = 8 * time.Second
	// minRounds are one with the questions as they are, and one with larger objects.
	minRounds = 2
)

// roundsFor returns the number of rounds of a run that measures the latency of so many
// calls: all of them if it makes as many as it does by default.
func roundsFor(calls int) int { return min(max(calls/10, minRounds), maxRounds) }

func answersAtOnce(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Missing(check.NothingAnswered)
	questions := mixedQuestions(ctx, w)
	if len(questions) == 0 {
		return
	}
	r.Checked()
	large := enlarged(ctx, w, questions)
	began := time.Now()
	for round := range roundsFor(w.Config().Calls) {
		if round > 0 && time.Since(began) > maxTime || ctx.Err() != nil {
			return
		}
		chosen := questions
		if len(large) > 0 && round%5 != 0 {
			chosen = large
		}
		if reportBurst(ctx, w, r, burst(ctx, w, chosen)) {
			return
		}
	}
}

// reply is the response to one review of a burst.
type reply struct {
	*probe.Exchange
	to *question
}

// shown returns a finding without a sample, because the sample differs in each
// run.
func (x reply) shown() check.Finding {
	return check.Finding{Evidence: []*probe.Exchange{x.Exchange}}
}

// burst sends the questions in turn, reviewsAtOnce in all and each with a
// unique uid, and has the webhook receive their ends together.
func burst(ctx context.Context, w *probe.Webhook, questions []*question) []reply {
	all := make([]reply, reviewsAtOnce)
	gate := probe.NewGate(reviewsAtOnce)
	var senders sync.WaitGroup
	for i := range all {
		q := questions[i%len(questions)]
		senders.Go(func() {
			review := q.met.ReviewCopy().Set("uid", string(uuid.NewUUID()))
			ask := probe.RawRequest{Sample: q.met.Sample, Review: review, Wait: maxWait, Gate: gate}
			all[i] = reply{w.Do(ctx, ask), q}
		})
	}
	gate.Open()
	senders.Wait()
	return all
}

// reportBurst reports what is wrong with the replies of a burst, and whether
// anything is.
func reportBurst(
	ctx context.Context, w *probe.Webhook, r *check.Record, all []reply,
) (failed bool) {
	var silent, mixed, late []reply
	wrong := map[string][]reply{}
	for _, x := range all {
		switch {
		case x.Answer == nil:
			silent = append(silent, x)
		case mixedUp(x, all):
			mixed = append(mixed, x)
		case x.Elapsed > w.Timeout() && !x.to.large: // large objects take their time
			late = append(late, x)
		}
		if part := x.to.otherwise(x.Exchange); part != "" {
			wrong[part] = append(wrong[part], x)
		}
	}
	if failed = len(silent) > 0; failed {
		r.Add(silent[0].shown(), "%d of %d reviews at once have no answer, the first of them: %s",
			len(silent), reviewsAtOnce, silent[0].Outcome())
	}
	if len(mixed) > 0 && echoesUID(w) {
		r.Add(mixed[0].shown(), "%d of %d answers have the uid of another review that was under way",
			len(mixed), reviewsAtOnce)
		failed = true
	}
	failed = reportWrong(ctx, w, r, wrong) || failed
	if len(late) > 0 && len(silent) == 0 {
		failed = findQueue(ctx, w, r, late) || failed
	}
	return failed
}

// reportWrong reports replies that differ from the answers to the same reviews
// alone, and whether there are any. wrong has the replies by the part that
// differs. If the part also differs when the review is sent alone again, it is
// not reported.
func reportWrong(
	ctx context.Context, w *probe.Webhook, r *check.Record, wrong map[string][]reply,
) (failed bool) {
	for _, part := range partNames() {
		for _, x := range wrong[part] {
			if !x.to.confirm(ctx, w) || x.to.otherwise(x.Exchange) != part {
				continue
			}
			shown := check.Finding{Evidence: []*probe.Exchange{x.to.met, x.Exchange}}
			n := len(wrong[part])
			switch {
			case part != verdictPart:
				r.Add(shown, "%d of %d answers at once have another %s than the same review has alone, such as that to %s",
					n, reviewsAtOnce, part, x.Sample)
			case x.Answer.IsAllowed():
				r.Add(shown, "%d of %d reviews at once have another verdict than alone: %s is allowed, and alone it is denied: %q",
					n, reviewsAtOnce, x.Sample, x.to.met.Answer.Message)
			default:
				r.Add(shown, "%d of %d reviews at once have another verdict than alone: %s is denied, and alone it is not: %q",
					n, reviewsAtOnce, x.Sample, x.Answer.Message)
			}
			failed = true
			break
		}
	}
	return failed
}

// mixedUp reports whether an answer has the uid of another review.
func mixedUp(x reply, all []reply) bool {
	for _, other := range all {
		if other.Exchange != x.Exchange && other.Review.UID() == x.Answer.UID {
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

// findQueue reports late answers if reviews wait for one another, and whether
// they do. If instead they waited for this machine, the webhook's own time does
// not add up to the delay.
func findQueue(
	ctx context.Context, w *probe.Webhook, r *check.Record, late []reply,
) bool {
	last := late[0]
	for _, x := range late {
		if x.Elapsed > last.Elapsed {
			last = x
		}
	}
	alone := timeAlone(ctx, w, last.to.met)
	queue := reviewsAtOnce * alone
	if queue <= w.Timeout() || last.Elapsed <= queue/2 {
		return false
	}
	r.Add(last.shown(), "%d of %d reviews at once are answered too late, after more than %s: they wait for one another, the last one for %s, and one alone takes %s",
		len(late), reviewsAtOnce, w.Timeout(),
		last.Elapsed.Round(time.Millisecond), alone.Round(time.Millisecond))
	return true
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
