//go:build failpoints

package failpoints

import (
	"fmt"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
)

// webhooks is how many there are.
const webhooks = 2

// timeout is that of each webhook, and patience that of the request: more than
// all webhooks together need, even if one of them is late.
const (
	timeout  = 10 * time.Second
	patience = 30 * time.Second
)

// action is what happens at a site.
type action uint8

const (
	cancels   action = 1 + iota // the request's context is cancelled
	panics                      // the failpoint panics
	isSlow                      // it takes a while, for which there is time
	isLate                      // it takes longer than the webhook may
	isTooLate                   // it takes longer than the request may
)

func actions() []action { return []action{cancels, panics, isSlow, isLate, isTooLate} }

// takes is how long it takes.
func (a action) takes() time.Duration {
	return [...]time.Duration{isSlow: time.Second, isLate: timeout * 3 / 2, isTooLate: patience * 4 / 3}[a]
}

// String implements fmt.Stringer.
func (a action) String() string {
	return [...]string{cancels: "cancel", panics: "panic", isSlow: "slow", isLate: "late", isTooLate: "too late"}[a]
}

// run is one request to which something happens.
type run struct {
	*site
	action  action
	webhook int // at which it happens, if the site is one of webhooks
	phase   admission.Phase
	ignore  bool // the failurePolicy of both webhooks
	long    bool // the answers, and their patches
	kind    *kind
}

// runs are all that a site can be tried with.
func (s *site) runs() []run {
	var all []run
	for _, a := range actions() {
		for _, k := range kinds() {
			for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
				for _, ignore := range []bool{false, true} {
					for n := range 2 * webhooks {
						r := run{site: s, action: a, webhook: n % webhooks, phase: phase, ignore: ignore, long: n >= webhooks, kind: k}
						if r.possible() {
							all = append(all, r)
						}
					}
				}
			}
		}
	}
	return all
}

// possible reports whether there is such a run, and none that is the same.
func (r *run) possible() bool {
	switch {
	case r.mutatingOnly() && r.phase == admission.Validating,
		r.panics == endsProcess && r.action == panics,
		!r.ofWebhooks() && r.webhook > 0:
		return false
	}
	return !r.long || r.timed == isCutIfLong || r.point == failpoint.MidBody
}

// far is the stage of the request at the failpoint. Enough of a long response
// has arrived by then to use memory of the budget.
func (r *run) far() stage {
	if r.long && r.at == answering {
		return answered
	}
	return r.at
}

// happens reports whether what happens does so at this point.
func (r *run) happens(webhook string, p failpoint.Point, used int) bool {
	return p == r.point && (!r.ofWebhooks() || webhook == webhookName(r.webhook)) && (p != failpoint.MidBody || !r.long || used > 0)
}

// String is the run's name.
func (r *run) String() string {
	policy, length := "Fail", "short"
	if r.ignore {
		policy = "Ignore"
	}
	if r.long {
		length = "long"
	}
	return fmt.Sprintf("%v, %v, %v, %v, %v, webhook %d", r.action, r.phase, policy, r.kind.name, length, r.webhook)
}
