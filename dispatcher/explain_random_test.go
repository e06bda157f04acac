package dispatcher_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/explain"
)

// TestExplainLooksAhead holds what hints say about stages that were not reached against
// the stages themselves: of each random webhook there is a second one whose
// namespaceSelector lets everything pass.
func TestExplainLooksAhead(t *testing.T) {
	t.Parallel()
	requests := []func(*admission.Request){
		updating, deleting, executing, toy, templated, deploying(admissionv1.Update, "scale"), founding(map[string]any{"app": "web"}),
	}
	for i, ask := range requests {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			r := creation(pod("app", "web"))
			ask(r)
			looksAhead(t, rand.New(rand.NewPCG(uint64(i), 0)), r)
		})
	}
}

func looksAhead(t *testing.T, random *rand.Rand, r *admission.Request) {
	t.Helper()
	const pairs = 500
	s := &scene{backends: numbered(allow(), 2*pairs), objects: workloads()}
	s.config = func(c *dispatcher.Config) { c.Namespaces = namespaces{"shop": {}, "web": {}} }
	for i := range pairs {
		free := randomHook(random, 2*i)
		stopped := *free
		stopped.Name, stopped.UID = fmt.Sprint(2*i+1), fmt.Sprint(2*i+1)
		stopped.NamespaceSelector = nil
		s.webhooks = append(s.webhooks, free, &stopped)
	}
	e := explain.Response(s.simulate(t, r))
	stages := map[string]int{}
	for i := 0; i < 2*pairs; i += 2 {
		free, stopped := &e.Rounds[0].Webhooks[i], &e.Rounds[0].Webhooks[i+1]
		stages[free.Stage]++
		if problem := compareAhead(free, stopped); problem != "" {
			t.Errorf("rules %v, objectSelector %v, stage %s: %s\n%s", free.Spec.Rules, free.Spec.ObjectSelector, free.Stage, problem, stopped.Hint)
		}
	}
	for _, stage := range []string{"objectSelector", "rules", "matched"} {
		if stages[stage] == 0 {
			t.Errorf("no webhook came to the stage %s: %v", stage, stages)
		}
	}
}

// compareAhead says what is wrong with the hint of a webhook that was stopped earlier
// than another one of the same rules and objectSelector.
func compareAhead(free, stopped *explain.Webhook) string {
	first, ahead, _ := strings.Cut(stopped.Hint, "; and then ")
	switch {
	case !strings.Contains(first, "absent namespaceSelector"):
		return "no hint about the stage itself"
	case free.Called && ahead != "":
		return "it looks ahead to what did not happen"
	case free.Called:
		return ""
	case free.Hint == "":
		return "no hint about the stage that was reached"
	case ahead != free.Hint:
		return "it does not look ahead to " + free.Hint
	}
	return ""
}

// randomHook asks for something that is near to many requests.
func randomHook(random *rand.Rand, i int) *admission.Webhook {
	h := hook(admission.Validating, fmt.Sprint(i))
	h.UID = h.Name
	h.Rules = nil
	for range 1 + random.IntN(3) {
		h.Rules = append(h.Rules, registrationv1.RuleWithOperations{
			Operations: pick[registrationv1.OperationType](random, "CREATE", "UPDATE", "DELETE", "CONNECT", "*"),
			Rule: registrationv1.Rule{
				APIGroups:   pick(random, "", "apps", toys, "*"),
				APIVersions: pick(random, "v1", "v1", "v1beta1", "*"),
				Resources:   pick(random, "pods", "pods/*", "pods/exec", "*", "*/*", "*/scale", "deployments", "nodes", "namespaces", "trains"),
				Scope:       pick(random, new(registrationv1.AllScopes), new(registrationv1.NamespacedScope), new(registrationv1.ClusterScope), nil)[0],
			},
		})
	}
	h.ObjectSelector = pick(random, everywhere(), everywhere(), labelled("app", "web"), labelled("app", "db"),
		requiring("app", metav1.LabelSelectorOpDoesNotExist), requiring("tier", metav1.LabelSelectorOpExists), nil)[0]
	return h
}

// pick returns one or two of the choices.
func pick[T any](random *rand.Rand, choices ...T) []T {
	picked := []T{choices[random.IntN(len(choices))]}
	if random.IntN(2) == 0 {
		picked = append(picked, choices[random.IntN(len(choices))])
	}
	return picked
}

// numbered are the backends of so many webhooks, named by numbers, which all say the same.
func numbered(e exchange, n int) backends {
	b := backends{}
	for i := range n {
		b[fmt.Sprint(i)] = e
	}
	return b
}
