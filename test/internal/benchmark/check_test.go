package main

import (
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

type checkCase struct {
	testRow
	// spoil makes a place that is good one that is not.
	spoil func(*place)
	want  string
}

// TestCheck sees that a difference between the sides is noticed, and that a row
// is about as many calls as it says.
func TestCheck(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []checkCase{
		{testRow{"error", "a webhook that objects to one side only"}, func(p *place) {
			p.reanswer(gatehouse, answers{path(0): `"allowed":false`})
		}, "the error"},
		{testRow{"object", "a patch for one side only"}, func(p *place) {
			p.reanswer(gatehouse, labelling(1))
		}, `"added-0":"by-webhook"`},
		{testRow{"body", "sides that are sent different objects"}, func(p *place) {
			other := *p.lanes[upstream].work
			pod := newPod()
			pod.Spec.NodeName = "elsewhere"
			other.request = creating(pod, podEndpoint())
			p.lanes[gatehouse].work = &other
		}, "body 1 for webhook.example/hook-0"},
		{testRow{"refused", "both sides agree that there is nothing to measure"}, func(p *place) {
			p.reanswer(upstream, answers{path(0): `"allowed":false`})
			p.reanswer(gatehouse, answers{path(0): `"allowed":false`})
		}, "both sides refuse the request"},
		{testRow{"calls", "webhooks that are not called make any side fast"}, func(p *place) {
			p.lanes[gatehouse].work.calls = 3
		}, "1 calls, and the row is about 3"},
	}, func(t *testing.T, tc checkCase) {
		p, err := forMutatedPods(mutatingWebhooks(1, registrationv1.NeverReinvocationPolicy), nil, 1).open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer p.close()
		tc.spoil(p)
		if err := p.check(t.Context()); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("want an error with %q, got %v", tc.want, err)
		}
	})
}

// reanswer has a side's webhooks say something else.
func (p *place) reanswer(s side, a answers) { p.lanes[s].witness.(*memory).answers = a }
