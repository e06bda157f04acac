package explain

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/admission"
)

// secretResponse returns the response of an update of a Secret that two traced
// webhooks have patched and a third has denied.
func secretResponse() *admission.Response {
	kind := corev1.SchemeGroupVersion.WithKind("Secret")
	secret := func(version string) *corev1.Secret {
		return &corev1.Secret{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
			ObjectMeta: metav1.ObjectMeta{Name: "keys", Namespace: "shop", ResourceVersion: version},
			Data:       map[string][]byte{"password": []byte(password)}}
	}
	encoded := func(version, label string) []byte {
		s := secret(version)
		s.Labels = map[string]string{"by": label}
		text, _ := json.Marshal(s)
		return text
	}
	r := &admission.Response{
		Request: &admission.Request{Operation: admissionv1.Update, Kind: kind,
			Resource: corev1.SchemeGroupVersion.WithResource("secrets"), Namespace: "shop", Name: "keys",
			Object: secret("2"), OldObject: secret("1"), Options: &metav1.UpdateOptions{},
			User: &authenticationv1.UserInfo{Username: "ann"}},
		Status: &metav1.Status{Status: "Failure", Message: "no", Code: 403}, Object: secret("2"),
		AuditAnnotations: []admission.AuditAnnotation{{Key: "k", Value: "v"}}, Warnings: []string{"w"},
	}
	last := "user"
	for i, phase := range []admission.Phase{admission.Mutating, admission.Mutating, admission.Validating} {
		name := fmt.Sprintf("w%d", i)
		w := &admission.Webhook{Phase: phase, Name: name, Configuration: "c", UID: "c/" + name}
		target := admission.Target{Resource: r.Request.Resource, Kind: kind}
		r.Matches = append(r.Matches, admission.Match{Webhook: w, Operation: admissionv1.Update,
			Index: i, Stage: admission.StagePassed, Target: target,
			Seen:       &admission.Seen{ObjectLabels: map[string]string{"by": last}},
			Conditions: admission.Conditions{Results: []admission.ConditionResult{{Name: "c", Expression: "true", Value: true}}}})
		c := admission.Call{Webhook: w, Operation: admissionv1.Update, Target: target, Index: i,
			Outcome: admission.Rejected, Step: admission.StepVerify, Code: 403, Err: fmt.Errorf("no"),
			Trace: &admission.Trace{Response: []byte(`{"response":{}}`), Request: func() []byte {
				return fmt.Appendf(nil, `{"request":{"kind":{"version":"v1","kind":"Secret"},"object":%s}}`, encoded("2", "sent"))
			}}}
		if phase == admission.Mutating {
			c.Outcome, c.Code, c.Err, c.Changed = admission.Allowed, 200, nil, true
			c.Patch = json.RawMessage(`[{"op":"add","path":"/data/password","value":"` + coded(password) + `"}]`)
			c.Trace.Before, c.Trace.Patched, c.Trace.After = encoded("2", last), encoded("2", name), encoded("2", name)
			last = name
		}
		r.Calls = append(r.Calls, c)
	}
	r.Object.(*corev1.Secret).Labels = map[string]string{"by": last}
	return r
}

// responseField is a field of a record that may be absent.
type responseField struct {
	name  string
	value reflect.Value
}

func (f *responseField) clear() { f.value.SetZero() }

// fieldsOf returns the fields of a record and of the records in it. Webhooks
// and the values of other packages are complete or absent.
func fieldsOf(name string, v reflect.Value) []responseField {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type() == reflect.TypeFor[*admission.Webhook]() {
			return nil
		}
		return fieldsOf(name, v.Elem())
	case reflect.Slice:
		var all []responseField
		for i := range v.Len() {
			all = append(all, fieldsOf(fmt.Sprintf("%s[%d]", name, i), v.Index(i))...)
		}
		return all
	case reflect.Struct:
		if v.Type().PkgPath() != reflect.TypeFor[admission.Response]().PkgPath() {
			return nil
		}
		var all []responseField
		for i := range v.NumField() {
			of := name + "." + v.Type().Field(i).Name
			all = append(all, responseField{of, v.Field(i)})
			all = append(all, fieldsOf(of, v.Field(i))...)
		}
		return all
	default:
		return nil
	}
}

// TestIncomplete requires that a response without one of its fields is
// explained, and that a problem says which part is missing.
func TestIncomplete(t *testing.T) {
	t.Parallel()
	const (
		noCall   = "call 0 names no webhook"
		noMatch  = "match 0 names no webhook"
		partly   = "1 of 3 calls were not traced: changes and fields are missing"
		recorded = "the record of call 0 of round 0 is incomplete: its changes are missing"
	)
	problems := map[string]string{
		"Response.Request":        "the request is missing, and with it its object and user",
		"Response.Object":         "the final object is missing: the last known state is shown",
		"Response.Request.Object": "the object that the user sent is missing: other fields that were added before the first webhook count as the user's",
	}
	for i := range 3 {
		call := fmt.Sprintf("Response.Calls[%d].", i)
		number := func(text string) string { return strings.Replace(text, "0", fmt.Sprint(i), 1) }
		problems[fmt.Sprintf("Response.Matches[%d].Webhook", i)] = number(noMatch)
		problems[call+"Webhook"], problems[call+"Trace"] = number(noCall), partly
		if i < 2 { // the others change nothing
			for _, field := range []string{"Target", "Target.Kind", "Trace.Before", "Trace.Patched", "Trace.After"} {
				problems[call+field] = number(recorded)
			}
		}
	}
	if e := Response(secretResponse()); len(e.Problems) > 0 {
		t.Fatalf("a complete response has problems: %q", e.Problems)
	}
	tested := map[string]bool{}
	for i, f := range fieldsOf("Response", reflect.ValueOf(secretResponse())) {
		tested[f.name] = true
		r := secretResponse()
		fields := fieldsOf("Response", reflect.ValueOf(r))
		fields[i].clear()
		e := Response(r)
		want, known := problems[f.name]
		if known != slices.Contains(e.Problems, want) || !known && len(e.Problems) > 0 {
			t.Errorf("without %s the problems are %q, want %q", f.name, e.Problems, want)
		}
	}
	for name := range problems {
		if !tested[name] {
			t.Errorf("there is no field %s", name)
		}
	}
}

// TestAnySubset explains responses that lack any of their fields. It must not
// panic or show the data of the Secret.
func TestAnySubset(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := secretResponse()
		fields := fieldsOf("Response", reflect.ValueOf(r))
		// Some drawn responses lack most fields, some only a few.
		odds := rapid.IntRange(2, len(fields)).Draw(rt, "odds")
		for i := range fields {
			if rapid.IntRange(1, odds).Draw(rt, fields[i].name) == 1 {
				fields[i].clear()
			}
		}
		e := Response(r, WithBodies())
		for _, out := range printed(t, e) {
			if strings.Contains(out, password) || strings.Contains(out, coded(password)) {
				rt.Fatalf("the data of the Secret is shown in\n%s", out)
			}
		}
	})
}

// TestChangesFromTraces explains what an observer in a server has: the records
// of the calls, but no object.
func TestChangesFromTraces(t *testing.T) {
	t.Parallel()
	r := secretResponse()
	r.Request.Object, r.Request.OldObject, r.Object = nil, nil, nil
	e := Response(r)
	var changes []string
	e.eachCall(func(w *Webhook, c *Call) {
		for _, change := range c.Changes {
			changes = append(changes, fmt.Sprintf("%s %s %s", w.Name, change.Op, change.Path))
		}
	})
	want := []string{"w0 replace metadata.labels.by", "w1 replace metadata.labels.by"}
	if !slices.Equal(changes, want) {
		t.Errorf("changes are %q, want %q", changes, want)
	}
	at := slices.IndexFunc(e.Fields, func(f Field) bool { return f.Path == "metadata.labels.by" })
	if at < 0 || e.Fields[at].Writer.Webhook != "w1" {
		t.Errorf("fields are %+v, want metadata.labels.by by w1", e.Fields)
	}
}

// TestQuotesWithoutObjects requires that a webhook's text which quotes a Secret
// is redacted although only the review that was sent shows the Secret, and the
// explanation leaves that review out.
func TestQuotesWithoutObjects(t *testing.T) {
	t.Parallel()
	r := secretResponse()
	r.Calls = r.Calls[2:]
	r.Calls[0].Err = fmt.Errorf("%q is a weak password", password)
	r.Request, r.Object, r.Status = nil, nil, &metav1.Status{Message: r.Calls[0].Err.Error()}
	for _, out := range printed(t, Response(r)) {
		if strings.Contains(out, password) || !strings.Contains(out, "is a weak password") {
			t.Errorf("the quote is shown, or nothing is, in\n%s", out)
		}
	}
}

// TestBrokenObject: an object of a host's type that cannot be encoded is a problem of the
// explanation, and no panic.
func TestBrokenObject(t *testing.T) {
	t.Parallel()
	r := secretResponse()
	r.Request.OldObject = (*corev1.Secret)(nil)
	e := Response(r)
	if len(e.Problems) != 1 || !strings.HasPrefix(e.Problems[0], "the stored object cannot be shown: ") || e.Request.Object == nil {
		t.Errorf("problems %q, and the object %s", e.Problems, e.Request.Object)
	}
}
