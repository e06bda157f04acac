package outage_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/lint/simulation"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requests"
)

// hook is a webhook of a model: it receives the creation of pods outside of the
// namespaces that it excludes.
type hook struct {
	backend  int
	fails    bool
	mutating bool
	excludes []int
}

// model is a cluster: backend i is a Service in namespace namespaces[i].
type model struct {
	namespaces []int
	hooks      []hook
}

func drawModel(random *rand.Rand) model {
	m := model{namespaces: make([]int, 1+random.IntN(5))}
	for i := range m.namespaces {
		m.namespaces[i] = random.IntN(4)
	}
	for range 1 + random.IntN(6) {
		h := hook{
			backend: random.IntN(len(m.namespaces)), fails: random.IntN(4) > 0, mutating: random.IntN(2) == 0,
		}
		for n := range 4 {
			if random.IntN(2) == 0 {
				h.excludes = append(h.excludes, n)
			}
		}
		m.hooks = append(m.hooks, h)
	}
	return m
}

// manifests returns the configurations: one for each webhook.
func (m *model) manifests() string {
	var all strings.Builder
	for i, h := range m.hooks {
		kind, policy := "ValidatingWebhookConfiguration", "Ignore"
		if h.mutating {
			kind = "MutatingWebhookConfiguration"
		}
		if h.fails {
			policy = "Fail"
		}
		values := []string{"none"}
		for _, n := range h.excludes {
			values = append(values, fmt.Sprintf("ns%d", n))
		}
		fmt.Fprintf(&all, `---
apiVersion: admissionregistration.k8s.io/v1
kind: %s
metadata: {name: h%d}
webhooks:
- name: h%d.example.com
  clientConfig: {service: {namespace: ns%d, name: b%d}}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
  namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [%s]}]}
  failurePolicy: %s
  sideEffects: None
  admissionReviewVersions: [v1]
`, kind, i, i, m.namespaces[h.backend], h.backend, strings.Join(values, ", "), policy)
	}
	return all.String()
}

// stuck returns the names of the backends that do not come up, by the simplest
// simulation: try every backend until nothing changes.
func (m *model) stuck(excluded map[[2]int]bool) []string {
	up := make([]bool, len(m.namespaces))
	for changed := true; changed; {
		changed = false
		for b, namespace := range m.namespaces {
			blocked := false
			for i, h := range m.hooks {
				blocked = blocked || h.fails && !up[h.backend] &&
					!slices.Contains(h.excludes, namespace) && !excluded[[2]int{i, namespace}]
			}
			if !up[b] && m.used(b) && !blocked {
				up[b], changed = true, true
			}
		}
	}
	var names []string
	for b, namespace := range m.namespaces {
		if m.used(b) && !up[b] {
			names = append(names, fmt.Sprintf("ns%d/b%d", namespace, b))
		}
	}
	slices.Sort(names)
	return names
}

// alone returns the names of the backends that do not come up while all others are up.
func (m *model) alone() []string {
	var names []string
	for b, namespace := range m.namespaces {
		if slices.ContainsFunc(m.hooks, func(h hook) bool {
			return h.backend == b && h.fails && !slices.Contains(h.excludes, namespace)
		}) {
			names = append(names, fmt.Sprintf("ns%d/b%d", namespace, b))
		}
	}
	slices.Sort(names)
	return names
}

// used reports whether a webhook has the backend.
func (m *model) used(b int) bool {
	return slices.ContainsFunc(m.hooks, func(h hook) bool { return h.backend == b })
}

type started struct {
	in   *inventory.Inventory
	cold *outage.ColdStart
	lock *outage.Deadlock
}

func coldStart(t *testing.T, in *inventory.Inventory) started {
	t.Helper()
	merger, err := merge.New(in.Kinds.ObjectInterfaces())
	if err != nil {
		t.Fatal(err)
	}
	needs, err := outage.NeedsOf(in, requests.New(in.Kinds, merger, requests.Settings{Namespace: "default"}))
	if err != nil {
		t.Fatal(err)
	}
	s, err := simulation.New(in)
	if err != nil {
		t.Fatal(err)
	}
	cold, err := outage.NewColdStart(t.Context(), s, needs)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := outage.NewDeadlock(t.Context(), s, needs, cold)
	if err != nil {
		t.Fatal(err)
	}
	return started{in, cold, lock}
}

func read(t *testing.T, text string) *inventory.Inventory {
	t.Helper()
	in, err := inventory.Read(inventory.Files{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	return in
}

func names(stuck []outage.Stuck) []string {
	var all []string
	for _, s := range stuck {
		all = append(all, s.Backend.String())
	}
	slices.Sort(all)
	return all
}

// ownOf returns the backends that are also stuck alone, all of whose blockers are their own
// webhooks that do not ignore failures.
func ownOf(t *testing.T, stuck []outage.Stuck) []string {
	t.Helper()
	var alone []outage.Stuck
	for _, s := range stuck {
		if s.Alone == nil {
			continue
		}
		alone = append(alone, *s.Alone)
		for _, w := range s.Alone.Outcome.Failed {
			if inventory.BackendOf(w) != s.Backend || w.IgnoresFailures() {
				t.Errorf("%s is blocked by %s", s.Backend, w.Name)
			}
		}
	}
	return names(alone)
}

// TestColdStart compares 1,000 clusters with a model, and runs each again with the
// exclusions that free it.
func TestColdStart(t *testing.T) {
	t.Parallel()
	deadlocks, pairs := 0, 0
	for seed := range uint64(1000) {
		m := drawModel(rand.New(rand.NewPCG(seed, 1)))
		got := coldStart(t, read(t, m.manifests()))
		want := m.stuck(nil)
		if !slices.Equal(names(got.cold.Stuck), want) {
			t.Fatalf("seed %d: stuck are %v, want %v:\n%s", seed, names(got.cold.Stuck), want, m.manifests())
		}
		if own, want := ownOf(t, got.cold.Stuck), m.alone(); !slices.Equal(own, want) {
			t.Fatalf("seed %d: alone are stuck %v, want %v:\n%s", seed, own, want, m.manifests())
		}
		if (got.lock == nil) != (len(want) == 0) {
			t.Fatalf("seed %d: %v are stuck, and the deadlock is %v", seed, want, got.lock)
		}
		if got.lock == nil {
			continue
		}
		deadlocks++
		if !got.lock.Fewest {
			t.Fatalf("seed %d: the search for exclusions was not complete", seed)
		}
		if fewest := m.fewest(t); len(got.lock.Exclusions) != fewest {
			t.Fatalf("seed %d: %d exclusions, but %d are enough", seed, len(got.lock.Exclusions), fewest)
		} else if fewest > 1 {
			pairs++
		}
		freed := coldStart(t, excluding(got.in, got.lock.Exclusions))
		if left := names(freed.cold.Stuck); len(left) > 0 {
			t.Fatalf("seed %d: with exclusions %v are stuck", seed, left)
		}
	}
	if deadlocks < 200 || pairs < 50 {
		t.Errorf("only %d clusters had a deadlock, %d of them needed two exclusions", deadlocks, pairs)
	}
}

// fewest returns the least number of exclusions that free the model, trying all.
func (m *model) fewest(t *testing.T) int {
	var candidates [][2]int
	for i, h := range m.hooks {
		for n := range 4 {
			if h.fails && slices.Contains(m.namespaces, n) && !slices.Contains(h.excludes, n) {
				candidates = append(candidates, [2]int{i, n})
			}
		}
	}
	for size := range 1 + len(candidates) {
		if m.freedBy(map[[2]int]bool{}, candidates, size) {
			return size
		}
	}
	t.Fatal("no exclusion frees the model")
	return 0
}

func (m *model) freedBy(chosen map[[2]int]bool, candidates [][2]int, size int) bool {
	if size == 0 {
		return len(m.stuck(chosen)) == 0
	}
	for i, c := range candidates {
		chosen[c] = true
		if m.freedBy(chosen, candidates[i+1:], size-1) {
			return true
		}
		delete(chosen, c)
	}
	return false
}
