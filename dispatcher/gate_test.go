package dispatcher_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// gateRow is a request for a resource, and how far it comes.
type gateRow struct {
	row
	kind     schema.GroupVersionKind
	resource schema.GroupVersionResource
	excluded sets.Set[schema.GroupResource]
	// stage is the recorded stage; 0 for a request that visits the webhook.
	stage admission.Stage
}

// TestGate sends requests that webhooks may or may not see, with an observer
// and without; a source that is not ready must not matter to those they may not
// see (S-010).
func TestGate(t *testing.T) {
	t.Parallel()
	testtable.Run(t, gateRows(), func(t *testing.T, tc gateRow) {
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			for _, observed := range []bool{false, true} {
				tc.run(t, phase, observed)
			}
		}
	})
}

func (tc *gateRow) run(t *testing.T, phase admission.Phase, observed bool) {
	t.Helper()
	observer := &recorder{}
	s := one(phase, allow())
	s.request = request{kind: tc.kind, resource: tc.resource, object: &corev1.Pod{TypeMeta: metav1.TypeMeta{
		APIVersion: tc.kind.GroupVersion().String(), Kind: tc.kind.Kind,
	}}}
	s.config = func(c *dispatcher.Config) {
		if tc.excluded != nil {
			c.Excluded = tc.excluded.Has
		}
		if observed {
			c.Observer = observer
		}
	}
	r := s.run(t.Context(), t, phase)
	want := 1
	if tc.stage != 0 {
		want = 0
	}
	if r.err != nil || len(r.calls) != want {
		t.Errorf("%v: %d calls and error %v, want %d calls", phase, len(r.calls), r.err, want)
	}
	if !observed || tc.stage == 0 {
		return
	}
	heard := []admission.Match{{Webhook: s.webhooks[0], Operation: "CREATE", Stage: tc.stage, Rule: -1}}
	if diff := cmp.Diff(heard, observer.matches); diff != "" {
		t.Errorf("%v: the observer heard (-want +got):\n%s", phase, diff)
	}
}

func gateRows() []gateRow {
	const registration, authentication, authorization = "admissionregistration.k8s.io", "authentication.k8s.io", "authorization.k8s.io"
	rows := []gateRow{{
		row:  row{"another kind of the same group", "S-012: only the six kinds are exempt"},
		kind: schema.GroupVersionKind{Group: registration, Version: "v1", Kind: "Other"},
	}, {
		row:  row{"exempt name in another group", "S-012: the group counts"},
		kind: schema.GroupVersionKind{Group: toys, Version: "v1", Kind: "MutatingWebhookConfiguration"},
	}, {
		row:  row{"excluded name in another group", "S-011: the group counts"},
		kind: schema.GroupVersionKind{Group: toys, Version: "v1", Kind: "TokenReview"}, resource: toysV1.WithResource("tokenreviews"),
	}, {
		row:  row{"excluded set that is empty", "S-011: an empty set excludes nothing"},
		kind: schema.GroupVersionKind{Group: authentication, Version: "v1", Kind: "TokenReview"}, resource: schema.GroupVersionResource{Group: authentication, Version: "v1", Resource: "tokenreviews"},
		excluded: sets.New[schema.GroupResource](),
	}, {
		row:  row{"excluded set of one's own", "S-011: it takes the place of the default"},
		kind: podKind, resource: podResource, excluded: sets.New(podResource.GroupResource()), stage: admission.StageExcluded,
	}, {
		row:  row{"excluded and exempt", "S-010: excluded resources are looked at first"},
		kind: schema.GroupVersionKind{Group: registration, Version: "v1", Kind: "MutatingWebhookConfiguration"}, resource: podResource,
		excluded: sets.New(podResource.GroupResource()), stage: admission.StageExcluded,
	}}
	for _, kind := range []string{
		"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy",
		"ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
	} {
		rows = append(rows, gateRow{
			row:   row{"exempt " + kind, "S-012: webhooks must not prevent their own repair, in any version"},
			kind:  schema.GroupVersionKind{Group: registration, Version: "v2", Kind: kind},
			stage: admission.StageExempt,
		})
	}
	for _, resource := range []schema.GroupResource{
		{Group: authentication, Resource: "selfsubjectreviews"}, {Group: authentication, Resource: "tokenreviews"},
		{Group: authorization, Resource: "localsubjectaccessreviews"}, {Group: authorization, Resource: "selfsubjectaccessreviews"},
		{Group: authorization, Resource: "selfsubjectrulesreviews"}, {Group: authorization, Resource: "subjectaccessreviews"},
	} {
		rows = append(rows, gateRow{
			row:      row{"excluded " + resource.Resource, "S-011: only the API server may see these"},
			kind:     podKind,
			resource: resource.WithVersion("v7"), stage: admission.StageExcluded,
		})
	}
	return rows
}

// TestDefaultExcludedIsACopy changes what it gets.
func TestDefaultExcludedIsACopy(t *testing.T) {
	t.Parallel()
	dispatcher.DefaultExcluded().Insert(podResource.GroupResource())
	if dispatcher.DefaultExcluded().Has(podResource.GroupResource()) {
		t.Error("the default of other callers has changed")
	}
}

func TestHandles(t *testing.T) {
	t.Parallel()
	d, err := dispatcher.New(dispatcher.Config{Source: snapshot(), Client: backends{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, phase := range []apiadmission.Interface{d.Mutating(), d.Validating()} {
		var handled []apiadmission.Operation
		for _, o := range []apiadmission.Operation{"CREATE", "UPDATE", "DELETE", "CONNECT", "GET", ""} {
			if phase.Handles(o) {
				handled = append(handled, o)
			}
		}
		if !slices.Equal(handled, []apiadmission.Operation{"CREATE", "UPDATE", "DELETE", "CONNECT"}) {
			t.Errorf("%T handles %v", phase, handled) // S-001
		}
	}
}

// TestRequestWithoutUserInfo: kube-apiserver never sends such a request
// (S-214).
func TestRequestWithoutUserInfo(t *testing.T) {
	t.Parallel()
	const want = "Internal error occurred: the request has no user info, which the review needs"
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		for matches, want := range map[bool]string{true: want, false: ""} {
			s := one(phase, allow(), ignoring)
			if !matches {
				s.webhooks[0].Rules[0].Operations = []registrationv1.OperationType{registrationv1.Delete}
			}
			s.request.anonymous = true
			r := s.run(t.Context(), t, phase)
			if testtable.Text(r.err) != want || len(r.calls) != 0 {
				t.Errorf("%v, matches %v: %d calls and error %v, want %q", phase, matches, len(r.calls), r.err, want)
			}
		}
	}
}
