package lifecycle

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/uuid"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// question is a review that a webhook has answered, with the exchange that has the
// correct answer.
type question struct {
	of  *probe.Webhook
	met *probe.Exchange
}

// questionsOf returns the reviews to send. If there are none, it sets the skip
// message.
func questionsOf(c *probe.Collection, r *check.Record) []question {
	var all []question
	for _, w := range c.Webhooks {
		if w.Unreachable != nil {
			continue
		}
		for _, met := range w.AllowedFirst() {
			all = append(all, question{w, met})
		}
	}
	if len(all) == 0 {
		r.Missing(check.NothingAnswered)
	}
	return all
}

// ask sends the review with a new uid. how has the client.
func (q question) ask(ctx context.Context, how probe.RawRequest) *probe.Exchange {
	how.Sample = q.met.Sample
	how.Review = q.met.ReviewCopy().Set("uid", string(uuid.NewUUID()))
	return q.of.Do(ctx, how)
}

// wrong returns what is wrong with an answer; empty if nothing is.
func (q question) wrong(x *probe.Exchange) string {
	switch {
	case x.Answer == nil:
		return "there is no answer: " + x.Outcome()
	case x.Answer.IsAllowed() != q.met.Answer.IsAllowed():
		return fmt.Sprintf("the answer is %s, and otherwise %s", x.Outcome(), q.met.Outcome())
	}
	return ""
}

// Warm waits until the first process answers a sample, at most for the timeout.
// Some webhooks listen before they are ready; C-START reports that.
func (l *Launcher) Warm(ctx context.Context, c *probe.Collection) {
	late := time.Now().Add(l.exec.Timeout)
	for ctx.Err() == nil && time.Now().Before(late) {
		asked := false
		for _, w := range c.Webhooks {
			for _, v := range w.Visits {
				asked = true
				how := probe.RawRequest{Sample: v.Name, Review: v.Review(), Wait: w.Timeout()}
				if w.Do(ctx, how).Answer != nil {
					return
				}
			}
		}
		if !asked {
			return
		}
		pause(ctx, 50*time.Millisecond)
	}
}

// pause waits for a time, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
