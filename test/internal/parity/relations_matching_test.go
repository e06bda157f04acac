package parity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/generate"
	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// relationsOfMatching are about the choice of webhooks.
func relationsOfMatching() map[int]relation {
	return map[int]relation{
		12: {name: "a selector or its complement", holds: selectorComplement},
		13: {name: "a condition or its complement", holds: conditionComplement},
		14: {name: "Equivalent calls whom Exact calls", holds: equivalentCallsMore},
		15: {name: "conversion before or after is the same", holds: versionCommutation},
		16: {name: "a dry run spares side effects", holds: dryRunPurity},
		26: {name: "a namespace is known by its labels", holds: namespaceMove},
	}
}

// allowing has a path allow everything.
func allowing() []scenario.Answer { return []scenario.Answer{{Allowed: true}} }

func selectorComplement(t *trial) {
	s := generate.Plain(t.T, "configmaps", "widgets", "nodes", "deployments")
	if q := &s.Steps[0].Request; q.Operation == "UPDATE" {
		q.OldObject = q.Object // with equal labels
	}
	requirement := metav1.LabelSelectorRequirement{Key: "a", Operator: metav1.LabelSelectorOpExists}
	complement := metav1.LabelSelectorRequirement{Key: "a", Operator: metav1.LabelSelectorOpDoesNotExist}
	if rapid.Bool().Draw(t.T, "by value") {
		requirement = metav1.LabelSelectorRequirement{Key: "b", Operator: metav1.LabelSelectorOpIn, Values: []string{"1"}}
		complement = metav1.LabelSelectorRequirement{Key: "b", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"1"}}
	}
	yes, no := anyone("yes", "/yes"), anyone("no", "/no")
	yes.ObjectSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{requirement}}
	no.ObjectSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{complement}}
	exactlyOne(t, &s, yes, no, false)
}

func conditionComplement(t *trial) {
	s := generate.Plain(t.T)
	condition := generate.Condition(t.T)
	yes, no := anyone("yes", "/yes"), anyone("no", "/no")
	yes.MatchConditions = []registrationv1.MatchCondition{{Name: "c", Expression: condition}}
	no.MatchConditions = []registrationv1.MatchCondition{{Name: "c", Expression: "!(" + condition + ")"}}
	exactlyOne(t, &s, yes, no, true)
}

// exactlyOne requires that one of two webhooks is called, in either phase, or
// an error if that is permitted.
func exactlyOne(t *trial, s *scenario.Scenario, yes, no registrationv1.MutatingWebhook, mayFail bool) {
	s.Answers["/yes"], s.Answers["/no"] = allowing(), allowing()
	s.Mutating, s.Validating = nil, validatingWith(yes, no)
	if rapid.Bool().Draw(t.T, "mutating") {
		s.Mutating, s.Validating = mutatingWith(yes, no), nil
	}
	o := t.observe(s)
	called := callsTo(o, "/yes") + callsTo(o, "/no")
	failed := o.Error.Type != ""
	if failed && !mayFail || !failed && called != 1 || failed && called > 1 {
		t.Errorf("%d of the two were called, with error %q", called, o.Error.Text)
	}
	t.show(s)
}

func equivalentCallsMore(t *trial) {
	s := generate.Plain(t.T)
	webhooks := inOrder(&s)
	if len(webhooks) == 0 {
		return
	}
	hook := webhooks[0]
	hook.ClientConfig, hook.MatchConditions, hook.MatchPolicy = anyone("hook", "/hook").ClientConfig, nil, new(registrationv1.Exact)
	s.Answers["/hook"] = allowing()
	s.Mutating, s.Validating = mutatingWith(hook), nil
	exact := t.observe(&s)
	changed := deepCopy(t, &s)
	changed.Mutating[0].Webhooks[0].MatchPolicy = new(registrationv1.Equivalent)
	if equivalent := t.observe(changed); callsTo(exact, "/hook") > callsTo(equivalent, "/hook") {
		t.Errorf("Equivalent does not call it: %q", equivalent.Error.Text)
	}
	t.show(changed)
}

func versionCommutation(t *trial) {
	s := generate.Plain(t.T, "widgets")
	hook := anyone("hook", "/hook")
	hook.Rules[0].Rule = registrationv1.Rule{APIGroups: []string{"acme.example.com"}, APIVersions: []string{"v2"}, Resources: []string{"widgets"}}
	hook.MatchPolicy = new(registrationv1.Equivalent)
	s.Mutating, s.Validating = mutatingWith(hook), nil
	s.Answers["/hook"] = patching(`{"op":"add","path":"/metadata/annotations","value":{"x":"y"}}`)
	if s.Steps[0].Request.Operation == "DELETE" {
		s.Answers["/hook"] = allowing()
	}
	converted := t.observe(&s)

	sent := deepCopy(t, &s)
	q := &sent.Steps[0].Request
	q.Kind.Version, q.Resource.Version = "v2", "v2"
	q.Object, q.OldObject = inVersion2(q.Object), inVersion2(q.OldObject)
	direct := t.observe(sent)
	if got := strings.ReplaceAll(direct.Object.JSON, "acme.example.com/v2", "acme.example.com/v1"); got != converted.Object.JSON {
		t.Errorf("converted: %s\nsent:      %s", converted.Object.JSON, got)
	}
	if callsTo(converted, "/hook") != 1 || callsTo(direct, "/hook") != 1 {
		t.Errorf("called %d and %d times", callsTo(converted, "/hook"), callsTo(direct, "/hook"))
	}
	t.show(&s)
}

func inVersion2(object *runtime.RawExtension) *runtime.RawExtension {
	if object == nil {
		return nil
	}
	return &runtime.RawExtension{Raw: []byte(strings.Replace(string(object.Raw), "acme.example.com/v1", "acme.example.com/v2", 1))}
}

// dryRunPurity gives every webhook a unique path, at which it allows.
func dryRunPurity(t *trial) {
	s := generate.Plain(t.T)
	spared := map[string]bool{}
	own := func(i int, w registrationv1.MutatingWebhook) registrationv1.MutatingWebhook {
		path := fmt.Sprintf("/own%d", i)
		w.ClientConfig, w.MatchConditions = anyone("own", path).ClientConfig, nil
		s.Answers[path] = allowing()
		spared[path] = w.SideEffects == nil || !slices.Contains([]registrationv1.SideEffectClass{registrationv1.SideEffectClassNone, registrationv1.SideEffectClassNoneOnDryRun}, *w.SideEffects)
		return w
	}
	webhooks := inOrder(&s)
	for i := range webhooks {
		webhooks[i] = own(i, webhooks[i])
	}
	s.Mutating, s.Validating = mutatingWith(webhooks...), validatingWith(webhooks...)
	wet := t.observe(&s)
	changed := deepCopy(t, &s)
	changed.Steps[0].Request.DryRun = true
	dry := t.observe(changed)
	for path, side := range spared {
		if n := callsTo(dry, path); n > callsTo(wet, path) || side && n > 0 {
			t.Errorf("%s, with side effects %v, is called %d times in a dry run and %d times otherwise", path, side, n, callsTo(wet, path))
		}
	}
	if refused := strings.Contains(dry.Error.Text, "does not support dry run"); refused != (codeOf(t, dry) == 400 && wet.Error != dry.Error) {
		t.Errorf("refused %v with %q", refused, dry.Error.Text)
	}
	t.show(changed)
}

// namespaceMove runs a request in two namespaces with the same labels.
// Conditions are left out, because they know namespaces by name.
func namespaceMove(t *trial) {
	const here, there = "qqqa", "qqqb"
	s := generate.Plain(t.T, "configmaps", "widgets", "deployments")
	for i := range s.Mutating {
		for j := range s.Mutating[i].Webhooks {
			s.Mutating[i].Webhooks[j].MatchConditions = nil
		}
	}
	for i := range s.Validating {
		for j := range s.Validating[i].Webhooks {
			s.Validating[i].Webhooks[j].MatchConditions = nil
		}
	}
	s.Namespaces = nil
	for _, name := range []string{here, there} {
		s.Namespaces = append(s.Namespaces, corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"a": "1"}}})
	}
	outcome := func(namespace string) string {
		moved := deepCopy(t, &s)
		q := &moved.Steps[0].Request
		q.Namespace = namespace
		q.Object, q.OldObject = movedTo(q.Object, namespace), movedTo(q.OldObject, namespace)
		o := t.observe(moved)
		if t.side == harness.Exact { // any of several rejections
			o.Error = harness.Failure{Type: o.Error.Type}
		}
		content, err := json.MarshalIndent(o, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(content), namespace, "NAMESPACE")
	}
	if first, second := outcome(here), outcome(there); first != second {
		t.Errorf("here:\n%s\nthere:\n%s", first, second)
	}
	t.show(&s)
}

// movedTo puts an object that generate has made into another namespace.
func movedTo(object *runtime.RawExtension, namespace string) *runtime.RawExtension {
	if object == nil {
		return nil
	}
	var content map[string]any
	if err := json.Unmarshal(object.Raw, &content); err != nil {
		return object
	}
	if m, ok := content["metadata"].(map[string]any); ok {
		m["namespace"] = namespace
	}
	raw, err := json.Marshal(content)
	if err != nil {
		return object
	}
	return &runtime.RawExtension{Raw: raw}
}
