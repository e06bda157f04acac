package matching_test

import (
	"math/rand"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// script is a source of randomness in which each byte is one decision, so that
// a changed byte changes one thing about the webhooks or the request. After its
// end, all decisions are for the first choice.
type script struct{ rest []byte }

func (s *script) Int63() int64 {
	if len(s.rest) == 0 {
		return 0
	}
	first := s.rest[0]
	s.rest = s.rest[1:]
	return int64(first) << 32 // of which rand.Intn takes the upper half
}

func (s *script) Seed(int64) {}

// FuzzMatch makes webhooks and a request from bytes, and compares the
// candidates and the matches with a naive implementation: of the rules as in
// TestRandomRules, and of the selectors as the Kubernetes documentation
// describes them.
func FuzzMatch(f *testing.F) {
	random := rand.New(rand.NewSource(1))
	for range 20 {
		seed := make([]byte, 50+random.Intn(250))
		random.Read(seed)
		f.Add(seed)
	}
	f.Add([]byte{})
	compiler := matching.NewCompiler()
	f.Fuzz(func(t *testing.T, seed []byte) { checkMatch(t, compiler, seed) })
}

// TestRandomMatches is the fuzz target with fixed seeds. It also shows that its
// webhooks often match, and often not.
func TestRandomMatches(t *testing.T) {
	t.Parallel()
	const many = 10_000
	random, compiler, matched := rand.New(rand.NewSource(1)), matching.NewCompiler(), 0
	for range many {
		seed := make([]byte, 300)
		random.Read(seed)
		matched += checkMatch(t, compiler, seed)
	}
	if matched < many/10 || matched > 2*many {
		t.Errorf("%d of %d webhooks match, want many and not most", matched, 3*many)
	}
	t.Logf("%d of %d webhooks match", matched, 3*many)
}

// checkMatch returns how many webhooks match.
func checkMatch(t *testing.T, compiler *matching.Compiler, seed []byte) (matched int) {
	t.Helper()
	d := dice{rand.New(&script{seed})}
	a, others, known := d.labelledAsk(), candidates{d.resource(), d.resource()}, d.labels()
	hooks := []*admission.Webhook{d.selectingWebhook(), d.selectingWebhook(), d.selectingWebhook()}
	record := d.Intn(2) == 0
	r := request(a, func(in *input) {
		in.Objects, in.Namespaces, in.Record = objects{mapper: others}, knows(known), record
	})
	compiled := compiler.Compile(hooks)
	found := matching.NewSnapshot(nil, compiled).Candidates(admission.Validating, r.View)
	for i, hook := range hooks {
		rule, gvr := naiveMatch(hook, a, others)
		want := rule >= 0 && naiveNamespace(hook.NamespaceSelector, a, known) && naiveObject(hook.ObjectSelector, a)
		m := match(t.Context(), compiled[i], r)
		if m.Err != nil || m.Matched() != want || want && (m.Rule != rule || m.Target.Resource != gvr) {
			t.Errorf("asked %+v, equivalents %v, namespace labels %v\n%+v\nstopped at %v with rule %d for %v, error %v; want %v with rule %d for %v",
				a, others, known, hook, m.Stage, m.Rule, m.Target.Resource, m.Err, want, rule, gvr)
		}
		if got := slices.Contains(found, int32(i)); got != (rule >= 0) {
			t.Errorf("asked %+v, equivalents %v\n%+v\nfound: %v, want %v", a, others, hook.Rules, got, rule >= 0)
		}
		if want {
			matched++
		}
	}
	return matched
}

// labels are few, so that selectors match them.
func (d dice) labels() map[string]string {
	labels := map[string]string{}
	for _, key := range []string{"app", "example.com/tier"} {
		if value := d.one("absent", "", "web", "db"); value != "absent" {
			labels[key] = value
		}
	}
	return labels
}

// labelledAsk has an object, an old one, both or none, with labels.
func (d dice) labelledAsk() testRequest {
	a := d.ask()
	a.object = nil
	if d.Intn(4) > 0 {
		a.object = pod(d.labels())
	}
	if d.Intn(2) > 0 {
		a.old = pod(d.labels())
	}
	// The labels of a namespace that is written are those of the object.
	if a.object == nil && (a.operation == apiadmission.Create || a.operation == apiadmission.Update) {
		a.object = pod(d.labels())
	}
	return a
}

func (d dice) selectingWebhook() *admission.Webhook {
	w := d.webhook()
	w.NamespaceSelector, w.ObjectSelector = d.selector(), d.selector()
	return w
}

// selector is a valid one, or none.
func (d dice) selector() *metav1.LabelSelector {
	if d.Intn(16) == 15 {
		return nil
	}
	s := &metav1.LabelSelector{}
	if d.Intn(3) == 1 {
		s.MatchLabels = d.labels()
	}
	for range d.Intn(3) {
		r := metav1.LabelSelectorRequirement{
			Key:      d.one("app", "example.com/tier"),
			Operator: metav1.LabelSelectorOperator(d.one("In", "NotIn", "Exists", "DoesNotExist")),
		}
		if r.Operator == metav1.LabelSelectorOpIn || r.Operator == metav1.LabelSelectorOpNotIn {
			r.Values = append([]string{d.one("web", "db", "")}, d.some("web", "db", "")...)
		}
		s.MatchExpressions = append(s.MatchExpressions, r)
	}
	return s
}

// naiveSelects reads a selector: all of its parts have to hold, none selects
// nothing.
func naiveSelects(s *metav1.LabelSelector, labels map[string]string) bool {
	if s == nil {
		return false
	}
	for key, want := range s.MatchLabels {
		if value, ok := labels[key]; !ok || value != want {
			return false
		}
	}
	for _, r := range s.MatchExpressions {
		value, ok := labels[r.Key]
		holds := map[metav1.LabelSelectorOperator]bool{
			metav1.LabelSelectorOpIn:           ok && slices.Contains(r.Values, value),
			metav1.LabelSelectorOpNotIn:        !ok || !slices.Contains(r.Values, value),
			metav1.LabelSelectorOpExists:       ok,
			metav1.LabelSelectorOpDoesNotExist: !ok,
		}
		if !holds[r.Operator] {
			return false
		}
	}
	return true
}

// naiveNamespace applies a namespaceSelector (S-090…S-092): a request without a
// namespace passes, unless its object is a namespace; a namespace that is
// written has its own labels; otherwise the known ones count.
func naiveNamespace(s *metav1.LabelSelector, a testRequest, known map[string]string) bool {
	aboutNamespaces := a.resource.Resource == "namespaces"
	if a.namespace == "" && !aboutNamespaces {
		return true
	}
	if aboutNamespaces && a.subresource == "" && (a.operation == apiadmission.Create || a.operation == apiadmission.Update) {
		return naiveSelects(s, labelsIn(a.object))
	}
	return naiveSelects(s, known)
}

// naiveObject applies an objectSelector (S-100): it is enough that one of the
// objects is selected. An absent object is selected only by an empty selector.
func naiveObject(s *metav1.LabelSelector, a testRequest) bool {
	if s != nil && len(s.MatchLabels) == 0 && len(s.MatchExpressions) == 0 {
		return true
	}
	return a.object != nil && naiveSelects(s, labelsIn(a.object)) || a.old != nil && naiveSelects(s, labelsIn(a.old))
}

func labelsIn(object runtime.Object) map[string]string {
	labelled, ok := object.(metav1.Object)
	if !ok {
		return nil
	}
	return labelled.GetLabels()
}
