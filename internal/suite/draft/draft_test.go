package draft

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/expect"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/manifesttest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// response returns that of a request to create a pod, with changes.
func response(change func(*admission.Response)) *admission.Response {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}
	r := &admission.Response{Allowed: true, Object: pod, Request: &admission.Request{
		Operation: admissionv1.Create, Kind: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Name: "web", Namespace: "shop", Object: pod,
	}}
	if change != nil {
		change(r)
	}
	return r
}

func TestExpected(t *testing.T) {
	t.Parallel()
	a, b, c := behind("a", "one", "a"), behind("b", "one", "b"), behind("c", "two", "c")
	webhooks := []*admission.Webhook{a, b, c}
	type test struct {
		row
		change func(*admission.Response)
		want   suitefile.Expect
	}
	why := func(name, why string) suitefile.ExpectWebhook {
		return suitefile.ExpectWebhook{Name: name, Why: new(why)}
	}
	testtable.Run(t, []test{
		{row{"no call", "each has its stage, and is not asked for the rest of the reason"}, func(r *admission.Response) {
			r.Matches = []admission.Match{{Webhook: a, Stage: admission.StageRules}, {Webhook: b, Stage: admission.StageObjectSelector}, {Webhook: c, Stage: admission.StageExempt}}
		}, suitefile.Expect{Allowed: new(true), Called: []string{}, Webhooks: []suitefile.ExpectWebhook{why("a", "^rules: "), why("b", "^objectSelector: "), why("c", "^exempt kind: ")}}},
		{row{"called again", "each is named once, and there are two rounds"}, func(r *admission.Response) {
			r.Calls = []admission.Call{{Webhook: a}, {Webhook: b}, {Webhook: a, Round: 1}, {Webhook: c}}
			r.Warnings = []string{"a (b)", "c"}
		}, suitefile.Expect{Allowed: new(true), Called: []string{"a", "b", "c"}, Rounds: new(int32(2)), Warnings: []string{`^a \(b\)$`, "^c$"}}},
		{row{"denied", "those after it were not reached"}, func(r *admission.Response) {
			r.Allowed, r.Status = false, &metav1.Status{Code: 403, Reason: metav1.StatusReasonForbidden, Message: "no: [x]"}
			r.Matches = []admission.Match{{Webhook: a, Stage: admission.StagePassed}, {Webhook: b, Stage: admission.StagePassed}}
			r.Calls = []admission.Call{{Webhook: a}}
		}, suitefile.Expect{Code: new(int32(403)), Reason: new(metav1.StatusReasonForbidden), Message: new(`^no: \[x\]$`), Called: []string{"a"},
			Webhooks: []suitefile.ExpectWebhook{why("b", "^not reached: "), why("c", "^not reached: ")}}},
		{row{"no reason", "an empty one is not worth a line"}, func(r *admission.Response) {
			r.Allowed, r.Status = false, &metav1.Status{Code: 400, Message: "no"}
			r.Calls = []admission.Call{{Webhook: a}, {Webhook: b}, {Webhook: c}}
		}, suitefile.Expect{Code: new(int32(400)), Message: new("^no$"), Called: []string{"a", "b", "c"}}},
		{row{"not matched", "what is wrong with a webhook is not to be expected"}, func(r *admission.Response) {
			r.Matches = []admission.Match{{Webhook: a, Stage: admission.StageConditions, Err: errors.New("no")}}
			r.Calls = []admission.Call{{Webhook: b}, {Webhook: c}}
		}, suitefile.Expect{Allowed: new(true), Called: []string{"b", "c"}}},
		{row{"later round", "the first is the one that counts"}, func(r *admission.Response) {
			r.Matches = []admission.Match{{Webhook: a, Stage: admission.StageRules}, {Webhook: a, Stage: admission.StageReinvocation, Round: 1}}
			r.Calls = []admission.Call{{Webhook: b}, {Webhook: c}}
		}, suitefile.Expect{Allowed: new(true), Called: []string{"b", "c"}, Webhooks: []suitefile.ExpectWebhook{why("a", "^rules: ")}}},
		{row{"two of a name", "they were stopped by different things, and one reason is for both"}, func(r *admission.Response) {
			r.Matches = []admission.Match{{Webhook: a, Stage: admission.StageRules}, {Webhook: a, Stage: admission.StageObjectSelector}}
			r.Calls = []admission.Call{{Webhook: b}, {Webhook: c}}
		}, suitefile.Expect{Allowed: new(true), Called: []string{"b", "c"}}},
		{row{"generated name", "it is another one each time, wherever it is quoted"}, func(r *admission.Response) {
			r.Request.Name = ""
			r.Object = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "w.", Name: "w.x7k2p"}}
			r.Warnings = []string{`w.x7k2p, "w.x7k2p", and w.x7k2ps`}
			r.Calls = []admission.Call{{Webhook: a}, {Webhook: b}, {Webhook: c}}
		}, suitefile.Expect{Allowed: new(true), Called: []string{"a", "b", "c"}, Warnings: []string{`^w\.[a-z0-9]+, "w\.[a-z0-9]+", and w\.x7k2ps$`}}},
	}, func(t *testing.T, tc test) {
		if diff := cmp.Diff(tc.want, expected(response(tc.change), newNames(webhooks))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// TestPolicyErrors: the response meets what is expected, also if a policy ended with an
// error that its failurePolicy hides.
func TestPolicyErrors(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		change func(*admission.Response)
		want   []suitefile.ExpectPolicy
	}
	failed := &admission.PolicyEvaluation{Decisions: []admission.PolicyDecision{{Failed: true, Message: "no such key: x"}}}
	passed := &admission.PolicyEvaluation{Decisions: []admission.PolicyDecision{{}}}
	record := func(phase admission.Phase, name string, e *admission.PolicyEvaluation) admission.PolicyRecord {
		match := admission.Match{Webhook: &admission.Webhook{Name: name}, Stage: admission.StagePassed}
		return admission.PolicyRecord{Phase: phase, Name: name, Match: match,
			Bindings: []admission.BindingRecord{{Name: name, Match: match, Evaluations: []*admission.PolicyEvaluation{e}}}}
	}
	testtable.Run(t, []test{
		{row{"error", "failurePolicy Ignore hides it"}, func(r *admission.Response) {
			r.Policies = []admission.PolicyRecord{record(admission.Validating, "p", failed), record(admission.Validating, "q", passed)}
		}, []suitefile.ExpectPolicy{{Name: "p", Outcome: "error"}}},
		{row{"selector", "it cannot be parsed"}, func(r *admission.Response) {
			p := record(admission.Validating, "p", passed)
			p.Bindings, p.Err = nil, errors.New("no")
			r.Policies = []admission.PolicyRecord{p}
		}, []suitefile.ExpectPolicy{{Name: "p", Outcome: "error"}}},
		{row{"two of a name", "one expectation is for both"}, func(r *admission.Response) {
			r.Policies = []admission.PolicyRecord{record(admission.Mutating, "p", failed), record(admission.Validating, "p", failed)}
		}, []suitefile.ExpectPolicy{{Name: "p", Outcome: "error"}}},
		{row{"no error", "there is nothing to expect"}, func(r *admission.Response) {
			r.Policies = []admission.PolicyRecord{record(admission.Validating, "p", passed)}
		}, nil},
	}, func(t *testing.T, tc test) {
		r := response(tc.change)
		e := expected(r, newNames(nil))
		if diff := cmp.Diff(tc.want, e.Policies); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
		var declared []runtime.Object
		for i := range r.Policies {
			declared = append(declared, &registrationv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: r.Policies[i].Name}})
		}
		compiled := expect.Compile(&e, nil, declared, func(field string, err error) { t.Errorf("%s: %v", field, err) })
		for _, f := range compiled.Check(r) {
			t.Error(f.Text)
		}
	})
}

func TestCaseNames(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		change func(*admission.Response)
		want   string
	}
	rows := []test{
		{row{"plain", "as people say it"}, nil, "create Pod shop/web"},
		{row{"again", "names are unique"}, nil, "create Pod shop/web (2)"},
		{row{"once more", "also the third time"}, nil, "create Pod shop/web (3)"},
		{row{"subresource", "as it is in the API's paths"}, func(r *admission.Response) { r.Request.Operation, r.Request.Subresource = admissionv1.Connect, "exec" }, "connect Pod shop/web/exec"},
		{row{"cluster", "there is no namespace"}, func(r *admission.Response) { r.Request.Namespace = "" }, "create Pod web"},
		{row{"namespace", "it is in itself"}, func(r *admission.Response) { r.Request.Kind.Kind, r.Request.Name = "Namespace", "shop" }, "create Namespace shop"},
		{row{"generated", "the name is not known before"}, func(r *admission.Response) {
			r.Request.Name, r.Request.Object = "", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "job-"}}
		}, "create Pod shop/job"},
		{row{"collection", "its members have no name in requests"}, func(r *admission.Response) {
			r.Request.Operation, r.Request.Name, r.Request.OldObject, r.Request.Object = admissionv1.Delete, "", r.Request.Object, nil
		}, "delete Pod shop/web"},
	}
	names := newNames(nil)
	for _, tc := range testtable.Checked(t, rows) {
		if got := names.forCase(response(tc.change)); got != tc.want {
			t.Errorf("%s: got %q, want %q: %s", tc.Name(), got, tc.want, tc.Why())
		}
	}
	for _, want := range []string{"create-pod-shop-web-1", "create-pod-shop-web-1-2"} {
		if got := names.forFile("create Pod shop/web_1"); got != want {
			t.Errorf("got the file %q, want %q", got, want)
		}
	}
	if got := names.forFile(strings.Repeat("a", 300)); len(got) != maxSlug {
		t.Errorf("a name of a file has %d letters", len(got))
	}
}

// TestMake: a sample becomes a request as a suite has it, and what webhooks
// have changed a file.
func TestMake(t *testing.T) {
	t.Parallel()
	a := behind("a", "one", "a")
	all := manifesttest.Documents(t, "a.yaml", `apiVersion: v1
kind: Pod
metadata: {name: web}
---
apiVersion: gatehouse/v1alpha1
kind: AdmissionRequest
operation: DELETE
oldObject: {apiVersion: v1, kind: Pod, metadata: {name: web}}
---
apiVersion: admission.k8s.io/v1
kind: AdmissionReview
request: {uid: "1"}
`)
	changing := func(r *admission.Response) {
		r.Calls = []admission.Call{{Webhook: a, Changed: true, Outcome: admission.Allowed}}
	}
	d, err := Make(Frame{Name: "first", Configurations: []string{"../config"}, Webhooks: []suitefile.Webhook{{Address: "localhost:1"}}}, []*admission.Webhook{a}, []Sample{
		{Document: all[0], Path: "a.yaml", Response: response(changing)},
		{Document: all[1], Response: response(func(r *admission.Response) { changing(r); r.Object = nil })},
		{Document: all[2], Path: "b.yaml", Response: response(func(r *admission.Response) { changing(r); r.Allowed = false })},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range d.Test.Cases {
		got = append(got, fmt.Sprintf("%s: %s: %s", c.Name, c.Request, c.Expect.Golden))
	}
	want := []string{
		`create Pod shop/web: {"object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}}}: golden/first/create-pod-shop-web.yaml`,
		`create Pod shop/web (2): {"operation":"DELETE","oldObject":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}}}: `,
		`create Pod shop/web (3): "b.yaml": `,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(d.Goldens) != 1 || d.Goldens[0].Path != "golden/first/create-pod-shop-web.yaml" {
		t.Errorf("the golden files are %v", d.Goldens)
	}
	text, err := d.Text()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"# TODO: ", "\nkind: AdmissionTest\n", "\n- ../config\n", "\n- address: localhost:1\n"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
}

// TestSecret: a suite with a case of a Secret or a token is known as such.
func TestSecret(t *testing.T) {
	t.Parallel()
	all := manifesttest.Documents(t, "a.yaml", "apiVersion: v1\nkind: Pod\n")
	of := func(group, kind string) Sample {
		return Sample{Document: all[0], Response: response(func(r *admission.Response) {
			r.Request.Kind = schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
		})}
	}
	type test struct {
		row
		samples []Sample
		want    bool
	}
	testtable.Run(t, []test{
		{row{"pod", "it has no data"}, []Sample{of("", "Pod")}, false},
		{row{"Secret", "one is enough"}, []Sample{of("", "Secret"), of("", "Pod")}, true},
		{row{"token", "it is as good as a password"}, []Sample{of("authentication.k8s.io", "TokenReview")}, true},
		{row{"custom Secret", "its data is not known to be secret"}, []Sample{of("example.com", "Secret")}, false},
	}, func(t *testing.T, tc test) {
		d, err := Make(Frame{}, nil, tc.samples)
		if err != nil || d.Secret != tc.want {
			t.Errorf("%s: got %+v, error %v", tc.Why(), d, err)
		}
	})
}

// TestMakeLeavesOut failed calls, and rejects samples that cannot be requests.
func TestMakeLeavesOut(t *testing.T) {
	t.Parallel()
	a := behind("a", "one", "a")
	all := manifesttest.Documents(t, "a.yaml", "apiVersion: v1\nkind: Pod\n---\napiVersion: admission.k8s.io/v1\nkind: AdmissionReview\n")
	calls := func(o admission.Outcome) *admission.Response {
		return response(func(r *admission.Response) {
			r.Calls = []admission.Call{{Webhook: a, Outcome: o, Err: errors.New("connection refused")}}
		})
	}
	unreachable := []admission.Outcome{admission.FailedClosed, admission.FailedOpen, admission.Canceled, admission.Panicked}
	for o := admission.Allowed; o <= admission.Panicked; o++ {
		d, err := Make(Frame{}, nil, []Sample{{Document: all[0], Response: calls(o)}, {Document: all[0], Response: response(nil)}})
		if err != nil {
			t.Fatal(err)
		}
		if out := slices.Contains(unreachable, o); out != (len(d.LeftOut) == 1) || out != (len(d.Test.Cases) == 1) {
			t.Errorf("%s: got %d cases, and without %v", o, len(d.Test.Cases), d.LeftOut)
		}
		want := "a.yaml: document 1 (line 1): one/a could not be called: connection refused"
		if len(d.LeftOut) > 0 && d.LeftOut[0].Error() != want {
			t.Errorf("got %v, want %s", d.LeftOut[0], want)
		}
	}
	_, err := Make(Frame{}, nil, []Sample{{Document: all[0], Response: calls(admission.FailedOpen)}, {Document: all[1], Response: response(nil)}})
	want := "a.yaml: document 2 (line 4): an AdmissionReview must be the only document of a file, because the suite names the file"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want\n%s", err, want)
	}
}

// TestTwins: a name that two webhooks have stands for both of them.
func TestTwins(t *testing.T) {
	t.Parallel()
	mutating, validating := behind("a", "one", "a"), behind("a", "one", "a")
	mutating.Phase, validating.Phase = admission.Mutating, admission.Validating
	n := newNames([]*admission.Webhook{mutating, validating})
	both := &admission.Response{Calls: []admission.Call{{Webhook: mutating}, {Webhook: mutating, Round: 1}, {Webhook: validating}}}
	if diff := cmp.Diff([]string{"a"}, n.called(both)); diff != "" {
		t.Errorf("both are called (-want +got):\n%s", diff)
	}
	one := &admission.Response{Calls: both.Calls[:2]}
	if got := n.called(one); got != nil {
		t.Errorf("one of them is called: %v, which would be expected of both", got)
	}
}
