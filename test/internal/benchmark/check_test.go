package main

import (
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

type checkCase struct {
	testRow
	// spoil breaks a valid openWorkload.
	spoil func(*openWorkload)
	want  string
}

// TestCheck: a difference between the sides is detected, and so is a wrong
// number of calls.
func TestCheck(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []checkCase{
		{testRow{"error", "a webhook that objects to one side only"}, func(p *openWorkload) {
			p.reanswer(gatehouse, answers{path(0): `"allowed":false`})
		}, "the error"},
		{testRow{"object", "a patch for one side only"}, func(p *openWorkload) {
			p.reanswer(gatehouse, labelling(1))
		}, `"added-0":"by-webhook"`},
		{testRow{"body", "sides that are sent different objects"}, func(p *openWorkload) {
			other := *p.lanes[upstream].work
			pod := newPod()
			pod.Spec.NodeName = "elsewhere"
			other.request = creating(pod, podEndpoint())
			p.lanes[gatehouse].work = &other
		}, "body 1 for webhook.example/hook-0"},
		{testRow{"refused", "both sides agree that there is nothing to measure"}, func(p *openWorkload) {
			p.reanswer(upstream, answers{path(0): `"allowed":false`})
			p.reanswer(gatehouse, answers{path(0): `"allowed":false`})
		}, "both sides refuse the request"},
		{testRow{"calls", "webhooks that are not called make any side fast"}, func(p *openWorkload) {
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
func (p *openWorkload) reanswer(s side, a answers) { p.lanes[s].recorder.(*memory).answers = a }
