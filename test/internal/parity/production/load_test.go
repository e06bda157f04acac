package production

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/internal/testutil/dialtest"
	"example.com/gatehouse/test/internal/parity/harness"
)

// load is how each side calls.
type load struct {
	callers int
	every   time.Duration
}

// tally is what became of one side's calls.
type tally struct {
	mu          sync.Mutex
	failed      int
	took        []time.Duration // sorted at the end
	connections int
	// err is the first error.
	err error
	// seen are gatehouse's records.
	seen *records
}

func (l *tally) add(took time.Duration, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.took = append(l.took, took)
	if err == nil {
		return
	}
	l.failed++
	if l.err == nil {
		l.err = err
	}
}

// share is the percentage of calls that failed.
func (l *tally) share() float64 { return 100 * float64(l.failed) / float64(len(l.took)) }

func (l *tally) String() string {
	return fmt.Sprintf("calls %d, failed %d (%.1f %%), p99 %v, connections %d, first error: %v",
		len(l.took), l.failed, l.share(), l.took[len(l.took)*99/100], l.connections, l.err)
}

// drive calls until stop is closed.
func (l *tally) drive(t *testing.T, h *host, load load, stop <-chan struct{}) {
	var callers sync.WaitGroup
	for i := range load.callers {
		callers.Go(func() {
			time.Sleep(load.every * time.Duration(i) / time.Duration(load.callers))
			tick := time.NewTicker(load.every)
			defer tick.Stop()
			for {
				start := time.Now()
				err := h.call(t.Context())
				l.add(time.Since(start), err)
				select {
				case <-tick.C:
				case <-stop:
					return
				}
			}
		})
	}
	callers.Wait()
	slices.Sort(l.took)
}

// who is a side, and upstream with WebhookRoundTripLoadBalancing off.
type who uint8

const (
	upstream who = iota
	ungated
	gatehouse
)

func (w who) String() string {
	return [...]string{"kube-apiserver", "kube-apiserver, gate off", "gatehouse"}[w]
}

// client opens w's plugin for a service, and makes a call.
func (w who) client(t *testing.T, c *client) *host {
	t.Helper()
	side := harness.Upstream
	if w == gatehouse {
		side = harness.Gatehouse
	}
	h := open(t, side, setup{
		webhook: registrationv1.WebhookClientConfig{
			Service:  &registrationv1.ServiceReference{Namespace: "test", Name: "hook"},
			CABundle: c.service.authority.Bundle(),
		},
		wrap: func(next webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
			return dialtest.Through(c.dial, next)
		},
		services: c,
		mutating: c.service.answer != nil,
	})
	// Upstream reads the gate when it makes a webhook's client, at the first
	// call. gatehouse does not read it.
	gate.Lock()
	defer gate.Unlock()
	setGate(t, w != ungated)
	defer setGate(t, true)
	if err := h.call(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

// gate is held while a side depends on the feature gate, which is global.
var gate sync.Mutex

func setGate(t *testing.T, on bool) {
	t.Helper()
	flag := fmt.Sprintf("%s=%v", features.WebhookRoundTripLoadBalancing, on)
	if err := utilfeature.DefaultMutableFeatureGate.Set(flag); err != nil {
		t.Fatal(err)
	}
}

// callAll has each side call the service while it rolls.
func callAll(t *testing.T, s *service, endpoints bool, load load, roll func()) map[who]*tally {
	t.Helper()
	tallies := map[who]*tally{}
	stop := make(chan struct{})
	var sides sync.WaitGroup
	for w := range gatehouse + 1 {
		c := &client{service: s, endpoints: endpoints}
		h := w.client(t, c)
		tally := &tally{seen: &h.seen}
		tallies[w] = tally
		sides.Go(func() {
			tally.drive(t, h, load, stop)
			tally.connections = c.dials
		})
	}
	roll()
	close(stop)
	sides.Wait()
	for w := range gatehouse + 1 {
		t.Logf("%-24s  %v", w, tallies[w])
	}
	return tallies
}
