package dispatcher_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/internal/testutil/testtable"
)

// requestErrorRow is a request that makes no sense.
type requestErrorRow struct {
	row
	edit func(*admission.Request)
	want string
}

func TestSimulateErrors(t *testing.T) {
	t.Parallel()
	testtable.Run(t, requestErrorRows(), func(t *testing.T, tc requestErrorRow) {
		s := bothPhases(allow(), allow())
		r := creation(pod())
		tc.edit(r)
		response, err := simulate.Request(t.Context(), s.dispatcher(t, newResult()), r, s.interfaces())
		if want := "simulating an admission request: " + tc.want; testtable.Text(err) != want || response != nil {
			t.Errorf("response %v and error\n%v\nwant\n%s", response, err, want)
		}
	})
	s := bothPhases(allow(), allow())
	d := s.dispatcher(t, newResult())
	if _, err := simulate.Request(t.Context(), d, nil, s.interfaces()); testtable.Text(err) != "simulating an admission request: there is no request" {
		t.Error(err)
	}
	if _, err := simulate.Request(t.Context(), d, creation(pod()), nil); testtable.Text(err) != "simulating an admission request: there are no object interfaces" {
		t.Error(err)
	}
}

func requestErrorRows() []requestErrorRow {
	const objectText = "Request.Object must be nil for DELETE and set for every other operation; the operation is "
	const oldText = "Request.OldObject must be nil for CREATE and CONNECT and set for every other operation; the operation is "
	return []requestErrorRow{
		{row{"no user", "the review holds the user"}, func(r *admission.Request) { r.User = nil }, "Request.User is required: the review holds the user"},
		{row{"no kind", "nothing can be matched"}, func(r *admission.Request) { r.Kind = schema.GroupVersionKind{} }, "Request.Kind is required"},
		{row{"no resource", "nothing can be matched"}, func(r *admission.Request) { r.Resource = schema.GroupVersionResource{} }, "Request.Resource is required"},
		{row{"no operation", "nothing can be matched"}, func(r *admission.Request) { r.Operation = ""; r.OldObject = pod() },
			`Request.Operation must be CREATE, UPDATE, DELETE or CONNECT; it is ""`},
		{row{"unknown operation", "webhooks hear of four"}, func(r *admission.Request) { r.Operation = "GET"; r.OldObject = pod() },
			`Request.Operation must be CREATE, UPDATE, DELETE or CONNECT; it is "GET"`},
		{row{"create without object", "there is nothing to create"}, func(r *admission.Request) { r.Object = nil }, objectText + `"CREATE"`},
		{row{"create with typed nil", "a nil pointer in an interface is nothing"}, func(r *admission.Request) { r.Object = (*corev1.Pod)(nil) }, objectText + `"CREATE"`},
		{row{"create with old object", "there was nothing before"}, func(r *admission.Request) { r.OldObject = pod() }, oldText + `"CREATE"`},
		{row{"update without old object", "something is to be updated"}, func(r *admission.Request) { r.Operation = admissionv1.Update }, oldText + `"UPDATE"`},
		{row{"delete with object", "S-217: nothing will be left"}, func(r *admission.Request) { r.Operation = admissionv1.Delete; r.OldObject = pod() }, objectText + `"DELETE"`},
		{row{"connect with old object", "S-217: options have no past"}, func(r *admission.Request) { r.Operation = admissionv1.Connect; r.OldObject = pod() }, oldText + `"CONNECT"`},
	}
}

// TestSimulateSkipped checks why each of several webhooks was not called.
func TestSimulateSkipped(t *testing.T) {
	t.Parallel()
	other := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "other"}}
	edits := map[string]func(*admission.Webhook){
		"rules":             func(w *admission.Webhook) { w.Rules[0].Operations = []registrationv1.OperationType{"DELETE"} },
		"objectSelector":    func(w *admission.Webhook) { w.ObjectSelector = other },
		"namespaceSelector": func(w *admission.Webhook) { w.NamespaceSelector = nil },
		"matchConditions": func(w *admission.Webhook) {
			w.MatchConditions = []registrationv1.MatchCondition{{Name: "never", Expression: "false"}}
		},
		"matched": func(*admission.Webhook) {},
	}
	s := &testRequest{backends: backends{"matched": allow()}}
	s.config = func(c *dispatcher.Config) { c.Namespaces = namespaces{"shop": {"env": "test"}} }
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		for name, edit := range edits {
			s.webhooks = append(s.webhooks, hook(phase, name, edit))
		}
	}
	got := s.simulate(t, creation(pod("app", "web")))
	if len(got.Matches) != len(s.webhooks) || len(got.Calls) != 2 || !got.Allowed {
		t.Fatalf("%d matches, %d calls, status %v", len(got.Matches), len(got.Calls), got.Status)
	}
	for i, m := range got.Matches {
		if m.Stage.String() != m.Webhook.Name || m.Index != i%len(edits) || m.Webhook != s.webhooks[i] || m.Seen == nil {
			t.Errorf("match %d of webhook %q: stage %v, index %d, seen %v", i, m.Webhook.Name, m.Stage, m.Index, m.Seen)
		}
	}
}

// TestSimulateOperations are requests other than CREATE.
func TestSimulateOperations(t *testing.T) {
	t.Parallel()
	t.Run("DELETE", func(t *testing.T) {
		t.Parallel()
		r := creation(nil)
		r.Operation, r.Object, r.OldObject = admissionv1.Delete, nil, pod()
		got := bothPhases(allow(), allow()).simulate(t, r)
		if !got.Allowed || got.Object != nil || len(got.Calls) != 2 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("DELETE with a patch", func(t *testing.T) {
		t.Parallel()
		r := creation(nil)
		r.Operation, r.Object, r.OldObject = admissionv1.Delete, nil, pod()
		got := bothPhases(patches(`[`+addLabel("a", "b")+`]`), allow()).simulate(t, r)
		if got.Allowed || got.Status.Code != 500 || len(got.Calls) != 1 {
			t.Errorf("S-175: got %+v", got)
		}
	})
	t.Run("UPDATE", func(t *testing.T) {
		t.Parallel()
		r := creation(pod("app", "new"))
		r.Operation, r.OldObject = admissionv1.Update, pod("app", "old")
		got := bothPhases(patches(`[`+addLabel("by", "m")+`]`), allow()).simulate(t, r)
		if diff := cmp.Diff(pod("app", "new", "by", "m"), got.Object); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("CONNECT", func(t *testing.T) {
		t.Parallel()
		r := creation(execOptions())
		r.Operation, r.Subresource, r.Kind = admissionv1.Connect, "exec", corev1.SchemeGroupVersion.WithKind("PodExecOptions")
		got := bothPhases(allow(), deny()).simulate(t, r)
		if got.Allowed || got.Status.Code != 400 || len(got.Calls) != 2 || !cmp.Equal(got.Object, execOptions()) {
			t.Errorf("got %+v", got)
		}
	})
}

// TestSimulateOwners repeats owner references, in the request and then by a
// webhook. Each time the repetitions are dropped with a warning (S-367).
func TestSimulateOwners(t *testing.T) {
	t.Parallel()
	a := metav1.OwnerReference{APIVersion: "v1", Kind: "Node", Name: "a", UID: "1"}
	b := metav1.OwnerReference{APIVersion: "v1", Kind: "Node", Name: "b", UID: "2"}
	const (
		before = ".metadata.ownerReferences contains duplicate entries; "
		after  = ".metadata.ownerReferences contains duplicate entries after mutating admission happens; "
		advice = "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: "
	)
	repeat := patches(`[{"op":"copy","from":"/metadata/ownerReferences/0","path":"/metadata/ownerReferences/-"}]`)
	for _, operation := range []admissionv1.Operation{admissionv1.Create, admissionv1.Update} {
		sent := pod()
		sent.OwnerReferences = []metav1.OwnerReference{a, b, a, b}
		r := creation(sent)
		r.Operation = operation
		if operation == admissionv1.Update {
			r.OldObject = pod()
		}
		var shown int
		s := bothPhases(repeat, func(r *http.Request) (*http.Response, error) {
			review, p, err := podIn(r)
			if err != nil {
				return nil, err
			}
			shown = len(p.OwnerReferences)
			return (&step{}).answer(string(review.Request.UID)), nil
		})
		got := s.simulate(t, r)
		if diff := cmp.Diff([]string{before + advice + "1, 2", after + advice + "1"}, got.Warnings); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", operation, diff)
		}
		if diff := cmp.Diff([]metav1.OwnerReference{a, b}, got.Object.(*corev1.Pod).OwnerReferences); diff != "" || shown != 2 {
			t.Errorf("%s: %d owners were validated; in the end (-want +got):\n%s", operation, shown, diff)
		}
	}
}
