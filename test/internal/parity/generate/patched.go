package generate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// patched draws a scenario about patches: all of its mutating webhooks see the
// object, and most of them change what is below its metadata.
func patched(t *rapid.T) scenario.Scenario {
	return patchedWith(t, oneOf(t, "patched resource", patchedResources()))
}

func patchedWith(t *rapid.T, r patchedResource) scenario.Scenario {
	s := about(t, r.resource)
	s.Undefaulted, s.Excluded = false, nil
	c := registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "m"}}
	for i := range 1 + below(t, "patching webhooks", 6) {
		path := fmt.Sprintf("/p%d", i)
		s.Answers[path] = []scenario.Answer{{Allowed: true, Patch: r.patch(t)}}
		c.Webhooks = append(c.Webhooks, registrationv1.MutatingWebhook{
			Name: fmt.Sprintf("patch%d.example.com", i),
			ClientConfig: registrationv1.WebhookClientConfig{URL: new("https://webhook" + path),
				CABundle: []byte("CA")},
			Rules:                   everything(),
			SideEffects:             new(registrationv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
			FailurePolicy: oneOf(t, "failurePolicy",
				[]*registrationv1.FailurePolicyType{nil, new(registrationv1.Ignore)}),
			ReinvocationPolicy: oneOf(t, "reinvocationPolicy",
				[]*registrationv1.ReinvocationPolicyType{nil, new(registrationv1.IfNeededReinvocationPolicy)}),
		})
	}
	s.Mutating = []registrationv1.MutatingWebhookConfiguration{c}
	for i := range s.Steps {
		s.Steps[i].Request.Deadline = metav1.Duration{}
		enlarge(t, &s.Steps[i].Request)
	}
	return s
}

func everything() []registrationv1.RuleWithOperations {
	return []registrationv1.RuleWithOperations{{
		Operations: []registrationv1.OperationType{"*"},
		Rule: registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"},
			Resources: []string{"*/*"}},
	}}
}

// enlarge rarely gives the object an annotation that makes it as large as
// objects become.
func enlarge(t *rapid.T, q *scenario.Request) {
	if q.Object == nil || !rarely(t, "large", 60) {
		return
	}
	size := oneOf(t, "size", []int{10 << 10, 100 << 10, 1 << 20})
	metadata := `"metadata":{`
	with := fmt.Sprintf(`%s"annotations":{"large":%q},`, metadata,
		strings.Repeat("<a line of some length>", size/23))
	if object := string(q.Object.Raw); !strings.Contains(object, `"annotations"`) {
		q.Object.Raw = []byte(strings.Replace(object, metadata, with, 1))
	}
}

// patchedResource is a resource with operations that fit its objects.
type patchedResource struct {
	*resource
	sound []string
}

// patch draws a patch of one to three operations, most of which fit.
func (r *patchedResource) patch(t *rapid.T) string {
	var operations []string
	for range 1 + oneOf(t, "more operations", []int{0, 0, 1, 2}) {
		if below(t, "fitting", 6) > 0 {
			operations = append(operations, oneOf(t, "operation", r.sound))
		} else {
			operations = append(operations, r.anywhere(t))
		}
	}
	return "[" + strings.Join(operations, ",") + "]"
}

// anywhere draws an operation at, above or below any value of the object, with
// any value. A tested value has no null in it, on which json-patch may panic.
func (r *patchedResource) anywhere(t *rapid.T) string {
	at := r.pointer(t, "path")
	switch op := oneOf(t, "op", []string{"add", "replace", "remove", "copy", "move", "test"}); op {
	case "remove":
		return fmt.Sprintf(`{"op":"remove","path":%q}`, at)
	case "copy", "move":
		return fmt.Sprintf(`{"op":%q,"from":%q,"path":%q}`, op, r.pointer(t, "from"), at)
	case "test":
		return fmt.Sprintf(`{"op":"test","path":"/metadata/name","value":%q}`,
			oneOf(t, "tested", []string{"x", "y"}))
	default:
		return fmt.Sprintf(`{"op":%q,"path":%q,"value":%s}`, op, at, oneOf(t, "value", oddValues))
	}
}

// oddValues are spelled as no encoder would, and fit hardly anywhere.
var oddValues = []string{
	`"v"`, `{ "b" : 1 , "a" : [ ] }`, `{"a":1,"a":2}`, `{"\u0061":"<&>\u2028","é":"\/"}`, `[ {"name":"n"} , null ]`, `1.0`, `-0`, `1e3`, `12345678901234567890`,
	`"2026-01-02T03:04:05.6Z"`, `true`, `null`, `{}`, `[]`, `"\ud800"`,
}

// pointer draws a JSON pointer: to something in the object, or near it.
func (r *patchedResource) pointer(t *rapid.T, label string) string {
	at := oneOf(
		t, label, append(pointers("", parsed("{"+r.object+"}")), "/metadata", "/metadata/labels", ""))
	if !rarely(t, label+": near", 2) {
		return at
	}
	return at + oneOf(t, label+": child", []string{"/-", "/0", "/1", "/9", "/-1", "/01", "/", "/a", "/b", "/name", "/~1", "/~0", "/~01", "/x~1y", "/<>", "/é", "/Name"})
}

// pointers are those of all that is in a value.
func pointers(at string, value any) []string {
	all := []string{at}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(
				all, pointers(at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), v[name])...)
		}
	case []any:
		for i, element := range v {
			all = append(all, pointers(at+"/"+strconv.Itoa(i), element)...)
		}
	}
	return all
}

func parsed(text string) (value any) {
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(fmt.Sprintf("generate: %s: %v", text, err))
	}
	return value
}
