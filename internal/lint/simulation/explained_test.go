package simulation_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/simulation"
)

func service(name string) inventory.Backend {
	return inventory.Backend{Namespace: "webhooks", Service: name}
}

// TestDurations: the durations of the calls make up the time of the request.
func TestDurations(t *testing.T) {
	t.Parallel()
	slow := 0
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		s, err := simulation.New(read(t, drawn(random)))
		if err != nil {
			t.Fatal(err)
		}
		down := simulation.Down{}
		for _, name := range []string{"a", "b", "c"} {
			down[service(name)] = simulation.State(random.IntN(3))
		}
		result, err := s.Run(t.Context(), configMap(), deadline, down)
		if err != nil {
			t.Fatal(err)
		}
		var serial, parallel time.Duration
		for _, c := range result.Calls {
			if c.Webhook.Phase == admission.Mutating {
				serial += c.Duration
			} else {
				parallel = max(parallel, c.Duration)
			}
		}
		if serial+parallel != result.Elapsed {
			t.Errorf("seed %d: the calls took %s and %s, the request %s", seed, serial, parallel, result.Elapsed)
		}
		if result.Elapsed > 0 {
			slow++
		}
	}
	if slow < 50 {
		t.Errorf("only %d requests were slow", slow)
	}
}

const phases = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: m}
webhooks:
- name: open.example.com
  clientConfig: {service: {namespace: webhooks, name: a}}
  rules: [{operations: ["*"], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  timeoutSeconds: 7
  failurePolicy: Ignore
  sideEffects: None
  admissionReviewVersions: [v1]
- name: pods.example.com
  clientConfig: {service: {namespace: webhooks, name: b}}
  rules: [{operations: ["*"], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`

// TestTree: the tree of a backend has its own webhooks only, with virtual times.
func TestTree(t *testing.T) {
	t.Parallel()
	s, err := simulation.New(read(t, phases))
	if err != nil {
		t.Fatal(err)
	}
	result, err := s.Run(t.Context(), configMap(), deadline, simulation.Down{service("a"): simulation.Hanging})
	if err != nil {
		t.Fatal(err)
	}
	explained := result.Explain()
	for _, tc := range []struct{ backend, has, lacks string }{
		{"a", "open.example.com (m) failed open in 7s\n", "pods.example.com"},
		{"b", "pods.example.com (m) not called: rules: no rule matches", "open.example.com"},
	} {
		tree := explained.Tree(service(tc.backend))
		if !strings.Contains(tree, tc.has) || strings.Contains(tree, tc.lacks) || strings.Contains(tree, "CREATE") {
			t.Errorf("the tree of %s lacks %q, or has something else:\n%s", tc.backend, tc.has, tree)
		}
	}
}
