package main

import (
	"context"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// forPods is a workload of pods that are validated.
func forPods(webhooks []runtime.Object, calls int) *workload {
	return &workload{webhooks: webhooks, request: creating(newPod(), podEndpoint()),
		enter: validate, calls: calls}
}

// forMutatedPods is one of pods that are mutated.
func forMutatedPods(webhooks []runtime.Object, a answers, calls int) *workload {
	return &workload{webhooks: webhooks, answers: a, request: creating(newPod(), podEndpoint()),
		enter: admit, calls: calls}
}

// elsewhereEach is how many webhooks a configuration of many has.
const elsewhereEach = 10

// scale is how many times longer a request takes with many webhooks than with
// ten.
const scale unit = "times-longer"

func matchingRows() []row {
	return []row{
		{
			name: "B1", what: "1,000 validating webhooks, none of which matches a pod", together: true,
			gates: []bound{{timePerOp, timesBetter, 150}, {allocsPerOp, atMost, 8}},
			open:  forPods(validatingWebhooks(1000, elsewhereEach, elsewhere), 0).timed(both()...),
		},
		{
			name: "B1/scale", what: "time with 10,000 webhooks ÷ time with 10", headline: scale,
			gates: []bound{{scale, atMost, 2}}, open: openScale,
		},
	}
}

// openScale measures gatehouse with few webhooks and with many in turns.
func openScale(ctx context.Context, s *settings) (*bench, error) {
	few := forPods(validatingWebhooks(10, elsewhereEach, elsewhere), 0)
	many := forPods(validatingWebhooks(s.many, elsewhereEach, elsewhere), 0)
	return few.against(many, gatehouse)(ctx, s)
}

func validatingRows() []row {
	ask := func(name, what string, count int, gates ...bound) row {
		return row{
			name: name, what: what, together: true, gates: gates,
			open: forPods(validatingWebhooks(count, 1), count).timed(both()...),
		}
	}
	return []row{
		ask("B2", "20 validating webhooks, all called for a pod", 20, bound{timePerOp, timesBetter, 4},
			bound{bytesPerOp, timesBetter, 4}, bound{allocsPerOp, timesBetter, 4}),
		ask("B2/1", "the same with 1 webhook", 1, bound{timePerOp, timesBetter, 2}),
		ask("B2/100", "the same with 100 webhooks", 100, bound{timePerOp, timesBetter, 5}),
		tracedRow("B2", func() *workload { return forPods(validatingWebhooks(20, 1), 20) }),
	}
}

func conditionRows() []row {
	return []row{
		{
			name:     "B3",
			what:     "20 validating webhooks with the same 3 matchConditions, of which the last excludes the pod",
			together: true,
			gates:    []bound{{timePerOp, timesBetter, 3.5}},
			goals:    []bound{{timePerOp, timesBetter, 8}},
			open:     forPods(validatingWebhooks(20, 1, excluding(false)), 0).timed(both()...),
		},
		{
			name: "B3/different", what: "the same with 60 different expressions", together: true,
			gates: []bound{{timePerOp, timesBetter, 2}},
			goals: []bound{{timePerOp, timesBetter, 5}},
			open:  forPods(validatingWebhooks(20, 1, excluding(true)), 0).timed(both()...),
		},
		{
			name: "B3/wild", together: true,
			what:  "conditions of public projects, three for each webhook, and one that excludes the pod",
			gates: []bound{{timePerOp, timesBetter, 1.8}},
			goals: []bound{{timePerOp, timesBetter, 5}},
			open: func(ctx context.Context, s *settings) (*bench, error) {
				return forPods(wildWebhooks(), 0).timed(both()...)(ctx, s)
			},
		},
	}
}

// chainLength is the number of mutating webhooks.
const chainLength = 10

func mutatingRows() []row {
	const once = registrationv1.NeverReinvocationPolicy
	return []row{
		{
			name:     "B4",
			what:     "10 mutating webhooks, each of which adds another label to a pod",
			together: true,
			gates:    []bound{{timePerOp, timesBetter, 2}},
			open: forMutatedPods(mutatingWebhooks(chainLength, once), labelling(chainLength),
				chainLength).timed(both()...),
		},
		{
			name:     "B4/spec",
			what:     "10 mutating webhooks, each of which changes a pod's spec as an injector does",
			together: true,
			gates:    []bound{{timePerOp, timesBetter, 2}},
			open: forMutatedPods(mutatingWebhooks(chainLength, once), injecting(chainLength),
				chainLength).timed(both()...),
		},
		{
			name:     "B4/unchanged",
			what:     "10 mutating webhooks, none of which changes the pod",
			together: true,
			gates:    []bound{{timePerOp, timesBetter, 4}},
			open:     forMutatedPods(mutatingWebhooks(chainLength, once), nil, chainLength).timed(both()...),
		},
		{
			name:     "B4/unstructured",
			what:     "10 mutating webhooks, each of which adds another label to a custom resource",
			together: true,
			gates:    []bound{{timePerOp, timesBetter, 2}},
			open:     openCustom,
		},
		{
			name:     "B5",
			what:     "10 mutating webhooks as in B4, in a whole chain that calls 9 of them again",
			together: true,
			gates:    []bound{{timePerOp, timesBetter, 1.8}},
			open:     forReinvoked(chainLength).timed(both()...),
		},
		tracedRow("B4", func() *workload {
			return forMutatedPods(mutatingWebhooks(chainLength, once), labelling(chainLength), chainLength)
		}),
	}
}

// forReinvoked is a workload of pods to which webhooks add a label each, in a
// whole chain that calls all of them but the last again.
func forReinvoked(count int) *workload {
	w := forMutatedPods(mutatingWebhooks(count, registrationv1.IfNeededReinvocationPolicy),
		labelling(count), 2*count-1)
	w.enter = inWhole
	return w
}

func openCustom(ctx context.Context, s *settings) (*bench, error) {
	object, err := newCustom(newPod())
	if err != nil {
		return nil, err
	}
	return forLabelled(object, customEndpoint(), chainLength).timed(both()...)(ctx, s)
}

// forLabelled is a workload of objects to which webhooks add a label each.
func forLabelled(object runtime.Object, at endpoint, count int) *workload {
	return &workload{
		webhooks: mutatingWebhooks(count, registrationv1.NeverReinvocationPolicy, asking(at)),
		answers:  labelling(count),
		request:  creating(object, at),
		enter:    admit,
		calls:    count,
	}
}
