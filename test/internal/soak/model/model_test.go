package model

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/faultserver"
)

// TestRequests: one in ten requests selects a fault, and every fault is
// selected.
func TestRequests(t *testing.T) {
	t.Parallel()
	met, of := map[string]int{}, map[string]int{}
	const many = 100_000
	for n := range int64(many) {
		r := RequestAt(n)
		of[r.Resource]++
		if r.Fault != "" {
			met[r.Fault]++
			met["any"]++
			of["faulty "+r.Resource]++
		}
	}
	if met["any"] != many/everyFault {
		t.Errorf("%d of %d requests ask for a fault", met["any"], many)
	}
	for _, fault := range Faults() {
		if _, ok := faultserver.Lookup(fault); !ok || met[fault] == 0 {
			t.Errorf("%d requests ask for %q, which exists: %v", met[fault], fault, ok)
		}
	}
	for _, kind := range []string{Pods, Widgets} {
		if of[kind] < many/3 || of["faulty "+kind] < many/everyFault/3 {
			t.Errorf("%d requests are for %s, %d of them ask for a fault", of[kind], kind, of["faulty "+kind])
		}
	}
	if of[PodExec] < many/30 || of["faulty "+PodExec] > 0 {
		t.Errorf("%d requests are for %s, %d of them ask for a fault", of[PodExec], PodExec, of["faulty "+PodExec])
	}
}

// TestOf reads configurations back as they were written.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		draft := Draft{Name: "soak", Phase: phase, Revision: 1234, Webhooks: []WebhookDraft{
			{Role: "pods", Resources: []string{Pods}, Client: registrationv1.WebhookClientConfig{URL: new("https://127.0.0.1:8443")}},
			{Role: "hang", Fault: "hang", Resources: []string{Pods, Widgets}, Client: registrationv1.WebhookClientConfig{
				Service: &registrationv1.ServiceReference{Namespace: "a", Name: "b"},
			}},
			{Role: "narrow", Resources: []string{Pods}, Operations: []registrationv1.OperationType{registrationv1.Delete}, Team: "red",
				Golden: true, Converted: true, Conditional: true, Effects: true, Again: true,
				Client: registrationv1.WebhookClientConfig{URL: new("https://127.0.0.1:8443")}},
		}}
		want := &Configuration{Name: "soak", Webhooks: []Webhook{
			webhook(Webhook{Name: fmt.Sprintf("pods-02.%v.example.com", phase), Role: "pods", Revision: 1234}),
			webhook(Webhook{Name: fmt.Sprintf("hang-00.%v.example.com", phase), Role: "hang", Revision: 1234, Fault: "hang",
				Resources: []string{Pods, Widgets}, Ignore: true}),
			webhook(Webhook{Name: fmt.Sprintf("narrow-02.%v.example.com", phase), Role: "narrow", Revision: 1234,
				Operations: []registrationv1.OperationType{registrationv1.Delete}, Versions: []string{"v1"}, Team: "red",
				Equivalent: true, Golden: true, Conditional: true, Effects: true, Again: phase == admission.Mutating, Ignore: true}),
		}}
		if got := Of(draft.Object()); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		if *draft.Webhooks[0].Client.URL != "https://127.0.0.1:8443" {
			t.Errorf("the draft has changed: %s", *draft.Webhooks[0].Client.URL)
		}
	}
}

// webhook returns the webhook, for every request for pods if it is not said
// otherwise.
func webhook(w Webhook) Webhook {
	if w.Operations == nil {
		w.Operations = []registrationv1.OperationType{registrationv1.OperationAll}
	}
	if w.Versions == nil {
		w.Versions = []string{"*"}
	}
	if w.Resources == nil {
		w.Resources = []string{Pods}
	}
	return w
}

// TestReports holds what webhooks report of requests against what the model
// expects.
func TestReports(t *testing.T) {
	t.Parallel()
	for n := range int64(2000) {
		r := RequestAt(n)
		a, _ := r.Make()
		v := Review{Operation: string(a.GetOperation()), Namespace: a.GetNamespace(), SubResource: a.GetSubresource(),
			DryRun: a.IsDryRun(), Object: contentOf(t, r, a.GetObject()), OldObject: contentOf(t, r, a.GetOldObject())}
		v.Resource.Version, v.Resource.Resource = a.GetResource().Version, a.GetResource().Resource
		if got, want := v.text(), r.report(r.Version); got != want {
			t.Fatalf("request %d is reported as\n%s\nwant\n%s", n, got, want)
		}
		if got, want := Shape(a), r.shape(); got != want {
			t.Fatalf("request %d has the object %q, want %q", n, got, want)
		}
	}
}

// contentOf is what a webhook reads of an object. Typed ones get their kind when
// they are sent.
func contentOf(t *testing.T, r Request, o runtime.Object) *Content {
	t.Helper()
	if o == nil {
		return nil
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var c Content
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	if _, ok := o.(*unstructured.Unstructured); !ok {
		c.APIVersion, c.Kind = "v1", map[string]string{Pods: "Pod", PodExec: "PodExecOptions"}[r.Resource]
	}
	return &c
}
