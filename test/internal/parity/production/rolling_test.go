package production

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"example.com/gatehouse/internal/testutil/testtable"
)

type rollingRow struct {
	row
	life life
	// endpoints has the host resolve the service to its pods.
	endpoints bool
	// clean says that no call may fail, on any side.
	clean bool
}

// patient is a webhook that serves until clients know that it ends.
var patient = life{late: late, preStop: late + time.Second/2, drain: true}

var rollingRows = []rollingRow{
	{row{"killed", "calls in flight fail, and so do new connections until kube-proxy knows"}, life{late: late}, false, false},
	{row{"drained", "calls in flight end, and new connections fail"}, life{late: late, drain: true}, false, false},
	{row{"served on", "kube-proxy knows before the port is closed"}, patient, false, true},
	{row{"node lost", "nothing refuses a call, so that it takes its timeout"}, life{late: late, lost: true}, false, false},
	{row{"killed, endpoints", "each call may go to a pod that is gone"}, life{late: late}, true, false},
	{row{"drained, endpoints", "each call may go to a pod that has closed its port"}, life{late: late, drain: true}, true, false},
	{row{"served on, endpoints", "the resolver knows before the port is closed"}, patient, true, true},
	{row{"node lost, endpoints", "each call may take its timeout"}, life{late: late, lost: true}, true, false},
}

// callers is how many call at once, and so how many calls one event can decide
// on one side and not on the other.
const callers = 4

// between is no multiple of the time between two calls: an event at the very
// time of a call would come before or after it.
const between = 3 * time.Millisecond

// TestRolling replaces the three pods of a webhook one by one under load, in
// virtual time.
func TestRolling(t *testing.T) {
	testtable.Run(t, rollingRows, func(t *testing.T, r rollingRow) {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t, r.life, 3)
			tallies := callAll(t, s, r.endpoints, load{callers: callers, every: 100 * time.Millisecond}, func() {
				time.Sleep(time.Second/2 + between)
				for _, old := range s.known() {
					s.add(t)
					time.Sleep(late)
					s.remove(old)
				}
				time.Sleep(late + time.Second/2)
			})
			theirs, ours := tallies[upstream], tallies[gatehouse]
			for w, tally := range tallies {
				if r.clean && tally.failed > 0 {
					t.Errorf("%v: %d calls failed, want none", w, tally.failed)
				}
			}
			if ours.failed > theirs.failed+callers || ours.connections > theirs.connections+callers {
				t.Errorf("%d failed calls over %d connections, and %d over %d of kube-apiserver's",
					ours.failed, ours.connections, theirs.failed, theirs.connections)
			}
		})
	})
}

type balancedRow struct {
	row
	who  who
	want []int
}

// TestLoadBalancing: with the feature gate WebhookRoundTripLoadBalancing, as in
// gatehouse, the resolver chooses a pod for each call and not for each
// connection.
func TestLoadBalancing(t *testing.T) {
	rows := []balancedRow{
		{row{"on", "beta in v1.37, and on by default"}, upstream, []int{10, 10, 10}},
		{row{"off", "the first connection serves all calls"}, ungated, []int{0, 0, 30}},
		{row{"gatehouse", "as with the gate, which it does not read"}, gatehouse, []int{10, 10, 10}},
	}
	testtable.Run(t, rows, func(t *testing.T, r balancedRow) {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t, life{}, 3)
			h := r.who.client(t, &client{service: s, endpoints: true}) // makes a call
			for range 29 {
				if err := h.call(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			var got []int
			for address := range s.pods {
				got = append(got, s.calls[address])
			}
			slices.Sort(got)
			if !slices.Equal(got, r.want) {
				t.Errorf("the pods received %v calls, want %v", got, r.want)
			}
		})
	})
}

type publishedRow struct {
	row
	preStop time.Duration
	// replace first removes the pod and then starts another.
	replace bool
	// calls and failed are those that were published.
	calls, failed int
}

// publishedRows are those of openchoreo/openchoreo#3743: calls of a webhook with
// one replica while it is updated in a cluster of one node. The publication
// gives no times. Here a call begins every 50 ms, a pod is ready after 8.5
// seconds, and the API server knows about it half a second later.
var publishedRows = []publishedRow{
	{row{"maxUnavailable 1", "the pod ends before another is ready"}, 0, true, 788, 181},
	{row{"maxUnavailable 0", "another pod is ready first"}, 0, false, 855, 0},
	{row{"maxUnavailable 0 and preStop", "and the pod serves on before SIGTERM"}, 10 * time.Second, false, 1243, 0},
}

// TestPublishedUpdate: the share of failed calls is as published, within five
// points.
func TestPublishedUpdate(t *testing.T) {
	const every = 50 * time.Millisecond
	testtable.Run(t, publishedRows, func(t *testing.T, r publishedRow) {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t, life{
				late: time.Second / 2, start: 8500 * time.Millisecond, preStop: r.preStop, drain: true,
			}, 1)
			tallies := callAll(t, s, true, load{callers: 1, every: every}, func() {
				start, old := time.Now(), s.known()[0]
				time.Sleep(10*time.Second + between)
				if r.replace {
					s.remove(old)
				}
				s.add(t)
				if !r.replace {
					s.remove(old)
				}
				time.Sleep(time.Duration(r.calls)*every - time.Since(start))
			})
			published := 100 * float64(r.failed) / float64(r.calls)
			for w, tally := range tallies {
				if math.Abs(tally.share()-published) > 5 {
					t.Errorf("%v: %.1f %% of the calls failed, published: %.1f %%", w, tally.share(), published)
				}
			}
		})
	})
}
