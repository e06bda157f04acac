package dispatcher_test

import (
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// labelling is a converter that marks what it makes.
type labelling struct{ apiruntime.ObjectConvertor }

func (l labelling) Convert(in, out, c any) error {
	if err := l.ObjectConvertor.Convert(in, out, c); err != nil {
		return err
	}
	if v2, ok := out.(*testKindV2); ok {
		v2.Labels = map[string]string{"converted": "yes"}
	}
	return nil
}

// TestSelectorsSeeTheConvertedObject: after a webhook that needs another
// version, the next webhooks are matched against the object in that version,
// even if it was not patched (S-101, S-170).
func TestSelectorsSeeTheConvertedObject(t *testing.T) {
	t.Parallel()
	var calls []string
	note := func(name string) exchange {
		return func(r *http.Request) (*http.Response, error) {
			calls = append(calls, name)
			return allow()(r)
		}
	}
	objects := newTestKindInterfaces()
	s := &testRequest{
		webhooks: []*admission.Webhook{
			hook(admission.Mutating, "first", inVersion("v2")),
			hook(admission.Mutating, "second", inVersion("v2"), func(w *admission.Webhook) {
				w.ObjectSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"converted": "yes"}}
			}),
		},
		backends: backends{"first": note("first"), "second": note("second")},
		objects:  &faulty{ObjectInterfaces: objects, convertor: labelling{objects.GetObjectConvertor()}},
		request:  testKindRequest(&testKind{}),
	}
	if r := s.run(t.Context(), t, admission.Mutating); r.err != nil {
		t.Fatal(r.err)
	}
	if diff := cmp.Diff([]string{"first", "second"}, calls); diff != "" {
		t.Errorf("called (-want +got):\n%s", diff)
	}
}

// TestCallsThatEndTheirGoroutine: what a client does to its goroutine does not
// reach the request.
func TestCallsThatEndTheirGoroutine(t *testing.T) {
	t.Parallel()
	exit := func(*http.Request) (*http.Response, error) { runtime.Goexit(); return nil, nil }
	s := &testRequest{
		webhooks: []*admission.Webhook{hook(admission.Validating, "a"), hook(admission.Validating, "b")},
		backends: backends{"a": exit, "b": allow()},
	}
	s.request.object = pod("app", "web")
	r := s.run(t.Context(), t, admission.Validating)
	const want = "Internal error occurred: ValidatingAdmissionWebhook/a has panicked: the call ended its goroutine"
	if testtable.Text(r.err) != want {
		t.Errorf("want %s\ngot  %v", want, r.err)
	}
	if len(r.calls) != 2 || r.calls[0].Outcome != admission.Panicked || r.calls[1].Outcome != admission.Allowed {
		t.Errorf("calls: %v", r.calls)
	}
}

// TestSimulateOneAuditEvent: both phases write into one event, where the first
// value of a key stays (S-317).
func TestSimulateOneAuditEvent(t *testing.T) {
	t.Parallel()
	s := &testRequest{
		webhooks: []*admission.Webhook{hook(admission.Mutating, "same.example.com"), hook(admission.Validating, "same.example.com")},
	}
	n := 0
	s.backends = backends{"same.example.com": func(r *http.Request) (*http.Response, error) {
		n++
		return reply(`"allowed":true,"auditAnnotations":{"a":"` + strings.Repeat("x", n) + `"}`)(r)
	}}
	var got []string
	for _, a := range s.simulate(t, creation(pod("app", "web"))).AuditAnnotations {
		if a.Key == "same.example.com/a" {
			got = append(got, a.Value)
		}
	}
	if diff := cmp.Diff([]string{"x"}, got); diff != "" {
		t.Errorf("same.example.com/a (-want +got):\n%s", diff)
	}
}

// TestSimulateNameOfTheObject: a POST names nothing, so the handlers take the
// name from the object, for both phases.
func TestSimulateNameOfTheObject(t *testing.T) {
	t.Parallel()
	var names []string
	note := func(r *http.Request) (*http.Response, error) {
		review, err := reviewIn(r)
		if err != nil {
			return nil, err
		}
		names = append(names, review.Request.Name)
		return (&step{}).answer(string(review.Request.UID)), nil
	}
	request := creation(pod("app", "web"))
	request.Name = ""
	bothPhases(note, note).simulate(t, request)
	if diff := cmp.Diff([]string{"web", "web"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
