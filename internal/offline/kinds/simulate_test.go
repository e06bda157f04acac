package kinds_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// meeting is a request for a deployment in one version and a webhook that asks for
// another.
type meeting struct {
	row
	// sent is the version in which the client has it, and asked the webhook's.
	sent, asked string
	policy      registrationv1.MatchPolicyType
	// subresource is "" or "scale".
	subresource string
	// saw is what the webhook was shown; it is empty if it was not called.
	saw string
	// history is spec.revisionHistoryLimit in what it was shown: the versions
	// default it in different ways.
	history any
}

func meetings() []meeting {
	const equivalent, exact = registrationv1.Equivalent, registrationv1.Exact
	return []meeting{
		{row{"extensions", "the oldest group"}, "extensions/v1beta1", "apps/v1", equivalent, "", "apps/v1 Deployment", float64(2147483647)},
		{row{"apps v1beta1", "the first version in the group"}, "apps/v1beta1", "apps/v1", equivalent, "", "apps/v1 Deployment", float64(2)},
		{row{"apps v1beta2", "the second"}, "apps/v1beta2", "apps/v1", equivalent, "", "apps/v1 Deployment", float64(10)},
		{row{"apps v1", "nothing to convert"}, "apps/v1", "apps/v1", equivalent, "", "apps/v1 Deployment", nil},
		{row{"extensions exactly", "the group is another"}, "extensions/v1beta1", "apps/v1", exact, "", "", nil},
		{row{"apps v1beta1 exactly", "the version is another"}, "apps/v1beta1", "apps/v1", exact, "", "", nil},
		{row{"apps v1beta2 exactly", "the version is another"}, "apps/v1beta2", "apps/v1", exact, "", "", nil},
		{row{"apps v1 exactly", "what the rule says"}, "apps/v1", "apps/v1", exact, "", "apps/v1 Deployment", nil},

		{row{"old webhook", "a server of this release does not know what it asks for"}, "apps/v1", "extensions/v1beta1", equivalent, "", "", nil},
		{row{"old webhook and client", "an old server knew it"}, "apps/v1beta2", "extensions/v1beta1", equivalent, "", "extensions/v1beta1 Deployment", float64(10)},

		{row{"scale", "S-123: the Scale of the oldest group"}, "extensions/v1beta1", "apps/v1", equivalent, "scale", "autoscaling/v1 Scale", nil},
		{row{"apps scale", "S-123: the Scale of a version"}, "apps/v1beta1", "apps/v1", equivalent, "scale", "autoscaling/v1 Scale", nil},
		{row{"old webhook for scale", "S-123: the other way"}, "apps/v1beta1", "extensions/v1beta1", equivalent, "scale", "extensions/v1beta1 Scale", nil},
	}
}

// TestSimulate takes deployments of all versions to webhooks that patch them.
func TestSimulate(t *testing.T) {
	t.Parallel()
	testtable.Run(t, meetings(), func(t *testing.T, m meeting) {
		known := kinds.New()
		asked := m.request(t, known)
		var seen []*admissionv1.AdmissionRequest
		response, err := m.dispatcher(t, &seen).Simulate(t.Context(), asked, known.ObjectInterfaces())
		if err != nil || !response.Allowed {
			t.Fatalf("got %+v, %v", response, err)
		}
		if m.saw == "" {
			if len(seen) > 0 {
				t.Errorf("the webhook was called with %v", seen[0].Kind)
			}
			return
		}
		if len(seen) != 1 {
			t.Fatalf("the webhook was called %d times", len(seen))
		}
		m.check(t, seen[0], asked)
		checkReplicas(t, response.Object, asked)
	})
}

func (m meeting) request(t *testing.T, known *kinds.Registry) *admission.Request {
	t.Helper()
	object := decoded(t, known, `{apiVersion: `+m.sent+`, kind: Deployment, metadata: {name: web, namespace: shop},
		spec: {replicas: 3, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}}}}`)
	found := look(t, known, object.GetObjectKind().GroupVersionKind())
	at := request.Endpoint{Resource: found.GroupVersionResource, Kind: found.Kind, Namespaced: found.Namespaced, Subresource: m.subresource}
	by := request.By{User: authenticationv1.UserInfo{Username: "ann"}}
	asked, err := request.Create(at, object, by)
	if m.subresource == "scale" {
		var scale runtime.Object
		if scale, err = known.ScaleOf(object); err != nil {
			t.Fatal(err)
		}
		asked, err = request.Update(at, scale, scale, by)
	}
	if err != nil {
		t.Fatal(err)
	}
	return asked
}

// dispatcher returns one with a webhook that wants five replicas.
func (m meeting) dispatcher(t *testing.T, seen *[]*admissionv1.AdmissionRequest) *dispatcher.Dispatcher {
	t.Helper()
	gv, err := schema.ParseGroupVersion(m.asked)
	if err != nil {
		t.Fatal(err)
	}
	resource := "deployments"
	if m.subresource != "" {
		resource += "/" + m.subresource
	}
	webhooks, err := source.Fixed([]runtime.Object{&registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "five"},
		Webhooks: []registrationv1.MutatingWebhook{{
			Name: "five.example.com", ClientConfig: registrationv1.WebhookClientConfig{URL: new("https://localhost/")},
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{registrationv1.OperationAll},
				Rule:       registrationv1.Rule{APIGroups: []string{gv.Group}, APIVersions: []string{gv.Version}, Resources: []string{resource}},
			}},
			MatchPolicy: &m.policy, SideEffects: new(registrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{
		Source: webhooks,
		Client: client.InProcess(func(*admission.Webhook) http.Handler { return five(seen) }),
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// five notes what it is asked and wants five replicas.
func five(seen *[]*admissionv1.AdmissionRequest) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		*seen = append(*seen, review.Request)
		review.Response = &admissionv1.AdmissionResponse{
			UID: review.Request.UID, Allowed: true,
			Patch: []byte(`[{"op":"replace","path":"/spec/replicas","value":5}]`), PatchType: new(admissionv1.PatchTypeJSONPatch),
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review)
	})
}

// check compares what the webhook saw with what was asked.
func (m meeting) check(t *testing.T, saw *admissionv1.AdmissionRequest, asked *admission.Request) {
	t.Helper()
	var object struct {
		metav1.TypeMeta
		Spec map[string]any
	}
	if err := json.Unmarshal(saw.Object.Raw, &object); err != nil {
		t.Fatal(err)
	}
	type request struct {
		Kind, Object, Original schema.GroupVersionKind
		Resource, Requested    schema.GroupVersionResource
		Replicas, History      any
	}
	got := request{
		schema.GroupVersionKind(saw.Kind), object.GroupVersionKind(), schema.GroupVersionKind(*saw.RequestKind),
		schema.GroupVersionResource(saw.Resource), schema.GroupVersionResource(*saw.RequestResource),
		object.Spec["replicas"], object.Spec["revisionHistoryLimit"],
	}
	at := gvk(m.asked + " Deployment").GroupVersion().WithResource("deployments")
	want := request{gvk(m.saw), gvk(m.saw), asked.Kind, at, asked.Resource, float64(3), m.history}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the webhook saw (-want +got):\n%s", diff)
	}
}

// checkReplicas makes sure that the result is of the kind that was sent, with the
// webhook's change.
func checkReplicas(t *testing.T, object runtime.Object, asked *admission.Request) {
	t.Helper()
	known := kinds.New()
	if got, _, err := known.ObjectInterfaces().GetObjectTyper().ObjectKinds(object); err != nil || got[0] != asked.Kind {
		t.Errorf("the result is %v, %v, want %v", got, err, asked.Kind)
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		t.Fatal(err)
	}
	if got := content["spec"].(map[string]any)["replicas"]; got != int64(5) {
		t.Errorf("the result has %v replicas", got)
	}
}
