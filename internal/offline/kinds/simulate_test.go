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
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// meeting is a request for an autoscaler in one version and a webhook that asks
// for another.
type meeting struct {
	row
	// sent is the version of the request, and asked the one in the webhook's
	// rule.
	sent, asked string
	policy      registrationv1.MatchPolicyType
	// saw is the version that the webhook receives; empty if it is not called.
	saw string
}

func meetings() []meeting {
	const equivalent, exact = registrationv1.Equivalent, registrationv1.Exact
	return []meeting{
		{row{"older", "it is converted"}, "autoscaling/v1", "autoscaling/v2", equivalent, "autoscaling/v2"},
		{row{"newer", "the other way"}, "autoscaling/v2", "autoscaling/v1", equivalent, "autoscaling/v1"},
		{row{"same", "nothing to convert"}, "autoscaling/v1", "autoscaling/v1", equivalent, "autoscaling/v1"},
		{row{"older exactly", "the version is another"}, "autoscaling/v1", "autoscaling/v2", exact, ""},
		{row{"same exactly", "what the rule says"}, "autoscaling/v2", "autoscaling/v2", exact, "autoscaling/v2"},
		{row{"removed version", "a server of this release does not know the rule's version"}, "autoscaling/v2", "autoscaling/v2beta2", equivalent, ""},
	}
}

// TestSimulate sends autoscalers of both versions to webhooks that patch them.
func TestSimulate(t *testing.T) {
	t.Parallel()
	testtable.Run(t, meetings(), func(t *testing.T, m meeting) {
		known := kinds.New()
		asked := m.request(t, known)
		var seen []*admissionv1.AdmissionRequest
		response, err := simulate.Request(t.Context(), m.dispatcher(t, &seen), asked, known.ObjectInterfaces())
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
		checkMaximum(t, response.Object, asked)
	})
}

func (m meeting) request(t *testing.T, known *kinds.Registry) *admission.Request {
	t.Helper()
	object := decoded(t, known, `{apiVersion: `+m.sent+`, kind: HorizontalPodAutoscaler,
		metadata: {name: web, namespace: shop}, spec: {maxReplicas: 3}}`)
	found := look(t, known, object.GetObjectKind().GroupVersionKind())
	at := request.Endpoint{Resource: found.GroupVersionResource, Kind: found.Kind, Namespaced: found.Namespaced}
	asked, err := request.Create(at, object, request.By{User: authenticationv1.UserInfo{Username: "ann"}})
	if err != nil {
		t.Fatal(err)
	}
	return asked
}

// dispatcher returns one with a webhook that wants at most five replicas.
func (m meeting) dispatcher(t *testing.T, seen *[]*admissionv1.AdmissionRequest) *dispatcher.Dispatcher {
	t.Helper()
	gv, err := schema.ParseGroupVersion(m.asked)
	if err != nil {
		t.Fatal(err)
	}
	webhooks, err := source.Fixed([]runtime.Object{&registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "five"},
		Webhooks: []registrationv1.MutatingWebhook{{
			Name: "five.example.com", ClientConfig: registrationv1.WebhookClientConfig{URL: new("https://localhost/")},
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{registrationv1.OperationAll},
				Rule:       registrationv1.Rule{APIGroups: []string{gv.Group}, APIVersions: []string{gv.Version}, Resources: []string{"horizontalpodautoscalers"}},
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

// five records the requests that it receives and wants at most five replicas.
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
			Patch: []byte(`[{"op":"replace","path":"/spec/maxReplicas","value":5}]`), PatchType: new(admissionv1.PatchTypeJSONPatch),
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
		Maximum                any
	}
	got := request{
		schema.GroupVersionKind(saw.Kind), object.GroupVersionKind(), schema.GroupVersionKind(*saw.RequestKind),
		schema.GroupVersionResource(saw.Resource), schema.GroupVersionResource(*saw.RequestResource),
		object.Spec["maxReplicas"],
	}
	kind := gvk(m.saw + " HorizontalPodAutoscaler")
	at := kind.GroupVersion().WithResource("horizontalpodautoscalers")
	want := request{kind, kind, asked.Kind, at, asked.Resource, float64(3)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the webhook saw (-want +got):\n%s", diff)
	}
}

// checkMaximum checks that the result is of the kind that was sent, with the
// webhook's change.
func checkMaximum(t *testing.T, object runtime.Object, asked *admission.Request) {
	t.Helper()
	known := kinds.New()
	if got, _, err := known.ObjectInterfaces().GetObjectTyper().ObjectKinds(object); err != nil || got[0] != asked.Kind {
		t.Errorf("the result is %v, %v, want %v", got, err, asked.Kind)
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		t.Fatal(err)
	}
	if got := content["spec"].(map[string]any)["maxReplicas"]; got != int64(5) {
		t.Errorf("the result has at most %v replicas", got)
	}
}
