package dispatcher_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/internal/testutil/testtable"
)

// creation is a request to create a pod.
func creation(object runtime.Object) *admission.Request {
	return &admission.Request{
		Operation: admissionv1.Create, Kind: podKind, Resource: podResource, Name: "web", Namespace: "shop",
		Object: object, User: &authenticationv1.UserInfo{Username: "ann", UID: "7", Groups: []string{"devs"},
			Extra: map[string]authenticationv1.ExtraValue{"team": {"blue"}}},
	}
}

// simulate runs a request through the webhooks. It fails the test if the
// request is modified.
func (s *testRequest) simulate(t *testing.T, r *admission.Request) *admission.Response {
	t.Helper()
	before := *r
	for _, object := range []*runtime.Object{&before.Object, &before.OldObject, &before.Options} {
		if *object != nil {
			*object = (*object).DeepCopyObject()
		}
	}
	before.User = r.User.DeepCopy()
	response, err := simulate.Request(t.Context(), s.dispatcher(t, newResult()), r, s.interfaces())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&before, r); diff != "" {
		t.Errorf("the request was changed (-before +after):\n%s", diff)
	}
	return response
}

// bothPhases is a webhook that adds a label and one that agrees.
func bothPhases(mutating, validating exchange) *testRequest {
	return &testRequest{
		webhooks: []*admission.Webhook{hook(admission.Mutating, "m.example.com"), hook(admission.Validating, "v.example.com")},
		backends: backends{"m.example.com": mutating, "v.example.com": validating},
	}
}

// TestSimulate looks at the whole response. Of the warnings, those that are
// empty or were given before are dropped, as API servers do (S-301).
func TestSimulate(t *testing.T) {
	t.Parallel()
	s := bothPhases(
		reply(`"allowed":true,"warnings":["one","two","","one"],"auditAnnotations":{"a":"1"},`+patchMembers(`[`+addLabel("by", "m")+`]`)),
		reply(`"allowed":true,"warnings":["two","three"]`))
	asked := creation(pod("app", "web"))
	got := s.simulate(t, asked)

	calls := calledIn(got.Calls)
	if got.Began.IsZero() || got.Elapsed <= 0 {
		t.Errorf("it began at %v and took %v", got.Began, got.Elapsed)
	}
	got.Calls, got.Matches, got.Began, got.Elapsed = nil, nil, time.Time{}, 0
	want := &admission.Response{
		Request:  asked,
		Allowed:  true,
		Object:   pod("app", "web", "by", "m"),
		Warnings: []string{"one", "two", "three"},
		AuditAnnotations: []admission.AuditAnnotation{
			{Key: "m.example.com/a", Value: "1", Level: admission.AuditMetadata},
			{Key: "patch.webhook.admission.k8s.io/round_0_index_0", Level: admission.AuditRequest,
				Value: `{"configuration":"config","webhook":"m.example.com","patch":[` + addLabel("by", "m") + `],"patchType":"JSONPatch"}`},
			{Key: "mutation.webhook.admission.k8s.io/round_0_index_0", Level: admission.AuditMetadata,
				Value: `{"configuration":"config","webhook":"m.example.com","mutated":true}`},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("response (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"0 m.example.com allowed", "0 v.example.com allowed"}, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// TestSimulateDenials looks at the status as a client would receive it.
func TestSimulateDenials(t *testing.T) {
	t.Parallel()
	type denial struct {
		row
		mutating, validating exchange
		status               metav1.Status
		labels               map[string]string
		calls                int
	}
	labeled := patches(`[` + addLabel("by", "m") + `]`)
	refused := metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: "Failure", Code: 400,
	}
	with := func(message string) metav1.Status { s := refused; s.Message = message; return s }
	testtable.Run(t, []denial{{
		row{"mutating", "S-173: a denied request is not validated"}, deny(), allow(),
		with(`admission webhook "m.example.com" denied the request without explanation`), map[string]string{"app": "web"}, 1,
	}, {
		row{"validating", "the object is shown as far as it had come"}, labeled, deny(),
		with(`admission webhook "v.example.com" denied the request without explanation`), map[string]string{"app": "web", "by": "m"}, 2,
	}}, func(t *testing.T, tc denial) {
		got := bothPhases(tc.mutating, tc.validating).simulate(t, creation(pod("app", "web")))
		if diff := cmp.Diff(&tc.status, got.Status); diff != "" {
			t.Errorf("status (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(tc.labels, got.Object.(*corev1.Pod).Labels); diff != "" || got.Allowed || len(got.Calls) != tc.calls {
			t.Errorf("allowed %v, %d calls, want %d; labels (-want +got):\n%s", got.Allowed, len(got.Calls), tc.calls, diff)
		}
	})
}

// TestSimulateGoesAgain: the second webhook's change makes the first one due in
// round 1 (S-161).
func TestSimulateGoesAgain(t *testing.T) {
	t.Parallel()
	s := &testRequest{
		webhooks: []*admission.Webhook{hook(admission.Mutating, "a", reinvocable), hook(admission.Mutating, "b", reinvocable)},
		backends: backends{"a": allow(), "b": patches(`[` + addLabel("by", "b") + `]`)},
	}
	got := s.simulate(t, creation(pod("app", "web")))
	var matches []string
	for _, m := range got.Matches {
		matches = append(matches, string(rune('0'+m.Round))+" "+m.Webhook.Name+" "+m.Stage.String())
	}
	if diff := cmp.Diff([]string{"0 a matched", "0 b matched", "1 a matched", "1 b reinvocation"}, matches); diff != "" {
		t.Errorf("matches (-want +got):\n%s", diff)
	}
	var rounds []int
	for _, c := range got.Calls {
		rounds = append(rounds, c.Round)
	}
	if diff := cmp.Diff([]int{0, 0, 1}, rounds); diff != "" {
		t.Errorf("rounds of the calls (-want +got):\n%s", diff)
	}
}

// TestSimulateTellsTheObserverToo compares the response with the records of the
// configured observer.
func TestSimulateTellsTheObserverToo(t *testing.T) {
	t.Parallel()
	observer := &recorder{}
	s := bothPhases(allow(), allow())
	s.config = func(c *dispatcher.Config) { c.Observer = observer }
	got := s.simulate(t, creation(pod()))
	if len(got.Matches) != 2 || len(got.Calls) != 2 || !cmp.Equal(got.Matches, observer.matches) {
		t.Errorf("matches %v, the observer heard %v", got.Matches, observer.matches)
	}
	if diff := cmp.Diff(calledIn(got.Calls), calledIn(observer.calls)); diff != "" {
		t.Errorf("calls (-response +observer):\n%s", diff)
	}
}

// TestSimulateKeepsTheKind: conversion empties apiVersion and kind of typed
// objects; Simulate restores them for callers that print the objects.
func TestSimulateKeepsTheKind(t *testing.T) {
	t.Parallel()
	s := bothPhases(reply(`"allowed":true,`+patchMembers(`[`+addLabel("by", "m")+`]`)), reply(`"allowed":true`))
	sent := pod("app", "web")
	sent.APIVersion, sent.Kind = "v1", "Pod"
	got := s.simulate(t, creation(sent)).Object
	if gvk := got.GetObjectKind().GroupVersionKind(); gvk != podKind {
		t.Errorf("the object came back as %v", gvk)
	}
}
