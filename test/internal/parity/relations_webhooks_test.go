package parity

import (
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/generate"
	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// relationsOfWebhooks are about changes of the webhooks' list.
func relationsOfWebhooks() map[int]relation {
	return map[int]relation{
		1:  {name: "a webhook that does not match changes nothing", holds: skipInvariance},
		2:  {name: "Ignore can only allow what Fail denies", holds: ignoreDominance},
		5:  {name: "the order of validating webhooks does not decide", holds: validatingPermutation},
		9:  {name: "one patch in two parts is two patches", holds: splitPatch},
		10: {name: "names of configurations matter by their order only", holds: renaming},
		11: {name: "no webhook is called more than twice", holds: reinvocationBound},
		23: {name: "a mutating webhook without a patch is a validating one", holds: crossPhase},
		24: {name: "there is no hidden state", holds: restart},
	}
}

func skipInvariance(t *trial) {
	s := generate.Scenario(t.T)
	before := t.observe(&s)
	more := anyone("unmatched", "/unmatched")
	switch rapid.IntRange(0, 2).Draw(t.T, "why it does not match") {
	case 0:
		more.Rules[0].APIGroups = []string{"none.example.com"}
	case 1:
		more.ObjectSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"no-object": "has-this"}}
	case 2:
		more.Rules = nil
	}
	changed := deepCopy(t, &s)
	last := metav1.ObjectMeta{Name: "z"}
	changed.Mutating = append(changed.Mutating, registrationv1.MutatingWebhookConfiguration{ObjectMeta: last, Webhooks: []registrationv1.MutatingWebhook{more}})
	changed.Validating = append(changed.Validating, registrationv1.ValidatingWebhookConfiguration{ObjectMeta: last, Webhooks: []registrationv1.ValidatingWebhook{generate.Validating(more)}})
	after := t.observe(changed)
	for _, o := range []*harness.Observation{before, after} {
		o.HostCalls.CachedNamespaces, o.HostCalls.LiveNamespaces = nil, nil // whether it matches may depend on them
	}
	t.same(before, after, changed)
}

func ignoreDominance(t *trial) {
	s := generate.Scenario(t.T)
	before := t.observe(&s)
	changed := deepCopy(t, &s)
	for i := range changed.Mutating {
		for j := range changed.Mutating[i].Webhooks {
			changed.Mutating[i].Webhooks[j].FailurePolicy = new(registrationv1.Ignore)
		}
	}
	for i := range changed.Validating {
		for j := range changed.Validating[i].Webhooks {
			changed.Validating[i].Webhooks[j].FailurePolicy = new(registrationv1.Ignore)
		}
	}
	after := t.observe(changed)
	if before.Error.Type == "" && (after.Error.Type != "" || after.Object != before.Object) {
		t.Errorf("with Ignore, what was allowed ends with %q and %s instead of %s", after.Error.Text, after.Object.JSON, before.Object.JSON)
	}
	t.show(changed)
}

func validatingPermutation(t *trial) {
	s := generate.Scenario(t.T)
	s.Mutating, s.InTree = nil, nil
	before := t.observe(&s)
	changed := deepCopy(t, &s)
	for i := range changed.Validating {
		slices.Reverse(changed.Validating[i].Webhooks)
	}
	after := t.observe(changed)
	if (before.Error.Type == "") != (after.Error.Type == "") {
		t.Errorf("%q became %q", before.Error.Text, after.Error.Text)
	}
	t.same(&harness.Observation{ValidatingCalls: before.ValidatingCalls}, &harness.Observation{ValidatingCalls: after.ValidatingCalls}, changed)
}

func splitPatch(t *trial) {
	parts := []string{
		`{"op":"add","path":"/metadata/labels","value":{"a":"1"}}`,
		`{"op":"add","path":"/metadata/labels/b","value":"2"}`,
		`{"op":"remove","path":"/metadata/labels/a"}`,
		`{"op":"add","path":"/metadata/annotations","value":{"x":"y"}}`,
	}
	at := rapid.IntRange(1, len(parts)-1).Draw(t.T, "where it is split")
	s := generate.Plain(t.T, "configmaps", "widgets")
	s.Validating = nil
	s.Mutating = mutatingWith(anyone("whole", "/whole"))
	s.Answers["/whole"] = patching(parts...)
	before := t.observe(&s)
	changed := deepCopy(t, &s)
	changed.Mutating = mutatingWith(anyone("first", "/first"), anyone("second", "/second"))
	changed.Answers["/first"], changed.Answers["/second"] = patching(parts[:at]...), patching(parts[at:]...)
	after := t.observe(changed)
	if after.Object != before.Object {
		t.Errorf("%s became %s", before.Object.JSON, after.Object.JSON)
	}
	t.show(changed)
}

// patching is a webhook that always sends these operations.
func patching(operations ...string) []scenario.Answer {
	return []scenario.Answer{{Allowed: true, Patch: "[" + strings.Join(operations, ",") + "]"}}
}

func renaming(t *trial) {
	s := generate.Scenario(t.T)
	before := t.observe(&s)
	changed := deepCopy(t, &s)
	for i := range changed.Mutating {
		changed.Mutating[i].Name = "renamed-" + changed.Mutating[i].Name
	}
	for i := range changed.Validating {
		changed.Validating[i].Name = "renamed-" + changed.Validating[i].Name
	}
	after := t.observe(changed)
	for _, o := range []*harness.Observation{before, after} {
		o.Metadata, o.Request, o.Spans = nil, nil, nil // which name the configuration
	}
	t.same(before, after, changed)
}

func reinvocationBound(t *trial) {
	s := generate.Scenario(t.T)
	webhooks := inOrder(&s)
	for key, value := range t.observe(&s).Metadata {
		position, ok := strings.CutPrefix(key, "mutation.webhook.admission.k8s.io/")
		if !ok {
			continue
		}
		round, index := parsePosition(t, position)
		switch {
		case round > 1:
			t.Errorf("there is a round %d: %s", round, value)
		case round == 1 && (webhooks[index].ReinvocationPolicy == nil || *webhooks[index].ReinvocationPolicy != registrationv1.IfNeededReinvocationPolicy):
			t.Errorf("called again without having asked for it: %s", value)
		}
	}
	t.show(&s)
}

func crossPhase(t *trial) {
	s := generate.Plain(t.T)
	s.Mutating, s.Validating = mutatingWith(anyone("hook", "/hook")), nil
	s.Answers["/hook"] = []scenario.Answer{{Allowed: rapid.Bool().Draw(t.T, "allowed"), Result: &metav1.Status{Message: "so", Code: 403}}}
	mutating := t.observe(&s)
	changed := deepCopy(t, &s)
	changed.Mutating, changed.Validating = nil, validatingWith(anyone("hook", "/hook"))
	validating := t.observe(changed)
	t.same(&harness.Observation{Error: mutating.Error, Object: mutating.Object, MutatingCalls: mutating.MutatingCalls},
		&harness.Observation{Error: validating.Error, Object: validating.Object, MutatingCalls: validating.ValidatingCalls}, changed)
}

// restart makes the plugins anew for each request, which is what a world with
// excluded resources needs.
func restart(t *trial) {
	s := generate.Scenario(t.T)
	before := t.observe(&s)
	changed := deepCopy(t, &s)
	changed.Excluded = append(changed.Excluded, schema.GroupResource{Group: "none.example.com", Resource: "none"})
	t.same(before, t.observe(changed), changed)
}
