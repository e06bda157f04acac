package parity

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/internal/testutil/doctest"
	"example.com/gatehouse/test/internal/parity/generate"
	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// relation is something that must hold between runs of gatehouse, whatever
// kube-apiserver does: an oracle that cannot be wrong in the same way.
type relation struct {
	name string
	// byDefault is true if the relation need not hold in exact mode, because
	// upstream breaks it.
	byDefault bool
	// elsewhere is the test of another package that checks it; there is no
	// holds then.
	elsewhere string
	holds     func(*trial)
}

// relations are those of the catalogue of faults, in its order and under its
// numbers.
func relations() map[int]relation {
	all := map[int]relation{}
	maps.Copy(all, relationsOfWebhooks())
	maps.Copy(all, relationsOfOutcomes())
	maps.Copy(all, relationsOfMatching())
	maps.Copy(all, relationsOfPatches())
	maps.Copy(all, relationsOfAnswers())
	return all
}

// knownRelations is how many the catalogue has, all of which are here.
const knownRelations = 26

func TestRelations(t *testing.T) {
	h := newHarness(t)
	all := relations()
	compared.add("relations", 0, 0)
	for number := 1; number <= knownRelations; number++ {
		r, ok := all[number]
		if !ok {
			t.Errorf("relation %d is missing", number)
			continue
		}
		t.Run(fmt.Sprintf("%d %s", number, r.name), func(t *testing.T) {
			if r.elsewhere != "" {
				dir, function, _ := strings.Cut(r.elsewhere, ".")
				if exists, err := (doctest.Test{Package: dir, Name: function}).Exists("../../.."); err != nil || !exists {
					t.Errorf("there is no %s (error %v)", r.elsewhere, err)
				}
				return
			}
			r.check(t, h, harness.Gatehouse)
			if !r.byDefault {
				r.check(t, h, harness.Exact)
			}
		})
	}
}

// check tries a relation on one side.
func (r *relation) check(t *testing.T, h *harness.Harness, side harness.Side) {
	const least, per = 20, 100
	n := max(least, *cases/per)
	defer func() { // rapid ends the goroutine of a test that fails
		broken := 0
		if t.Failed() {
			broken = 1
		}
		compared.add("relations", n, broken)
	}()
	check(t, n, func(t *rapid.T) { r.holds(&trial{T: t, h: h, side: side}) })
}

// trial is one scenario on which a relation is tried.
type trial struct {
	*rapid.T
	h    *harness.Harness
	side harness.Side
}

// observe runs a scenario and returns its only or first request's observation.
func (t *trial) observe(s *scenario.Scenario) *harness.Observation {
	t.Helper()
	observed, err := t.h.Observe(t.Context(), s, t.side)
	if err != nil {
		t.Fatalf("%v\n%s", err, text(s))
	}
	return &observed[0]
}

// same compares two observations of which the second is of a scenario. In exact
// mode any of several denials is right.
func (t *trial) same(want, got *harness.Observation, s *scenario.Scenario) {
	t.Helper()
	before, after := *want, *got
	if t.side == harness.Exact {
		before.Error, after.Error = harness.Failure{Type: before.Error.Type}, harness.Failure{Type: after.Error.Type}
	}
	for _, d := range harness.Compare(before, after) {
		t.Errorf("%s:\n  before: %s\n  after:  %s", d.Field, d.Upstream, d.Gatehouse)
	}
	t.show(s)
}

// show prints a scenario if something is wrong with it.
func (t *trial) show(s *scenario.Scenario) {
	if t.Failed() {
		t.Logf("the scenario:\n%s", text(s))
	}
}

// anyone returns a webhook that every request visits.
func anyone(name, path string) registrationv1.MutatingWebhook {
	url := "https://webhook" + path
	return registrationv1.MutatingWebhook{
		Name:         name + ".example.com",
		ClientConfig: registrationv1.WebhookClientConfig{URL: &url, CABundle: []byte("CA")},
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{"*"},
			Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}},
		}},
		SideEffects:             new(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1"},
	}
}

// mutatingWith returns one configuration with webhooks in this order.
func mutatingWith(webhooks ...registrationv1.MutatingWebhook) []registrationv1.MutatingWebhookConfiguration {
	return []registrationv1.MutatingWebhookConfiguration{{ObjectMeta: metav1.ObjectMeta{Name: "m"}, Webhooks: webhooks}}
}

// validatingWith returns one configuration with webhooks in this order.
func validatingWith(webhooks ...registrationv1.MutatingWebhook) []registrationv1.ValidatingWebhookConfiguration {
	c := registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "v"}}
	for _, w := range webhooks {
		c.Webhooks = append(c.Webhooks, generate.Validating(w))
	}
	return []registrationv1.ValidatingWebhookConfiguration{c}
}

// inOrder returns the mutating webhooks of a scenario in the order in which
// they are called.
func inOrder(s *scenario.Scenario) []registrationv1.MutatingWebhook {
	sorted := slices.Clone(s.Mutating)
	slices.SortStableFunc(sorted, func(a, b registrationv1.MutatingWebhookConfiguration) int { return strings.Compare(a.Name, b.Name) })
	var all []registrationv1.MutatingWebhook
	for _, c := range sorted {
		all = append(all, c.Webhooks...)
	}
	return all
}

// callsTo counts the calls of both phases to a path.
func callsTo(o *harness.Observation, path string) int {
	n := 0
	for _, c := range slices.Concat(o.MutatingCalls, o.ValidatingCalls) {
		if c.Path == path {
			n++
		}
	}
	return n
}

// deepCopy copies a scenario, so that one can be changed and the other not.
func deepCopy(t *trial, s *scenario.Scenario) *scenario.Scenario {
	t.Helper()
	content, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var c scenario.Scenario
	if err := json.Unmarshal(content, &c); err != nil {
		t.Fatal(err)
	}
	for i := range s.Steps { // JSON would spell the objects in another way
		from, to := &s.Steps[i].Request, &c.Steps[i].Request
		to.Object, to.OldObject, to.Options = from.Object.DeepCopy(), from.OldObject.DeepCopy(), from.Options.DeepCopy()
	}
	return &c
}
