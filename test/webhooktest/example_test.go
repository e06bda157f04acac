package webhooktest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/test/webhooktest"
)

// configuration is what the example's webhook is registered with.
const configuration = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: sidecar}
webhooks:
- name: sidecar.example.com
  clientConfig: {service: {name: sidecar, namespace: webhooks, path: /mutate}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  namespaceSelector: {matchLabels: {sidecar: enabled}}
  sideEffects: None
  admissionReviewVersions: [v1]
`

// mutate is the example's webhook: it adds a sidecar to Pods, and refuses those
// that have one.
func mutate(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	response := &admissionv1.AdmissionResponse{
		UID: review.Request.UID, Allowed: true, PatchType: new(admissionv1.PatchTypeJSONPatch),
		Patch: []byte(`[{"op": "add", "path": "/spec/containers/-", "value": {"name": "sidecar", "image": "sidecar:1"}}]`),
	}
	if strings.Contains(string(review.Request.Object.Raw), `"name":"sidecar"`) {
		response = &admissionv1.AdmissionResponse{
			UID: review.Request.UID, Result: &metav1.Status{Code: http.StatusForbidden, Message: "there is a sidecar already"},
		}
	}
	review.Request, review.Response = nil, response
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

// TestSidecar is the example of the package's documentation.
func TestSidecar(t *testing.T) {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
	}
	s := webhooktest.New(t,
		webhooktest.Objects(configuration), // or Files("config/webhook")
		webhooktest.Namespace("shop", map[string]string{"sidecar": "enabled"}),
		webhooktest.Handler(http.HandlerFunc(mutate), "sidecar.example.com"),
	)
	s.Run(t,
		webhooktest.Case{
			Name:    "adds the sidecar",
			Request: webhooktest.Create(pod).As("ann", "sellers").In("shop"),
			Want: webhooktest.Allowed().Called("sidecar.example.com").
				Object(`spec: {containers: [{name: web}, {name: sidecar}]}`),
		},
		webhooktest.Case{
			Name:    "leaves other namespaces alone",
			Request: webhooktest.Create(pod).In("kube-system"),
			Want:    webhooktest.Allowed().NotCalled("sidecar.example.com", "^namespaceSelector: "),
		},
		webhooktest.Case{
			Name: "refuses pods that have one",
			Request: webhooktest.Create(`
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - {name: sidecar, image: mine:1}
`).In("shop"),
			Want: webhooktest.Denied().Code(403).Message("already"),
		},
	)
}

// example is the test in which the examples take place: those of Go have none.
type example struct {
	testing.TB
	cleanups []func()
}

// Helper implements testing.TB.
func (*example) Helper() {}

// Name implements testing.TB.
func (*example) Name() string { return "TestExample" }

// Context implements testing.TB.
func (*example) Context() context.Context { return context.Background() }

// Failed implements testing.TB.
func (*example) Failed() bool { return false }

// Cleanup implements testing.TB.
func (e *example) Cleanup(f func()) { e.cleanups = append(e.cleanups, f) }

// Log implements testing.TB.
func (*example) Log(args ...any) { fmt.Println(args...) }

// Fatal implements testing.TB.
func (*example) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

// Fatalf implements testing.TB.
func (*example) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// end does what happens at the end of a test.
func (e *example) end() {
	for i := range e.cleanups {
		e.cleanups[len(e.cleanups)-1-i]()
	}
}

const pod = "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, image: web:1}]}}"

// Do returns the response of admission, for assertions of one's own. In a real
// test, t is that of the test.
func ExampleSuite_Do() {
	t := &example{}
	defer t.end()

	s := webhooktest.New(t,
		webhooktest.Objects(configuration),
		webhooktest.Namespace("shop", map[string]string{"sidecar": "enabled"}),
		webhooktest.Handler(http.HandlerFunc(mutate)),
	)
	response := s.Do(t, webhooktest.Create(pod).In("shop"))
	for _, container := range response.Object.(*corev1.Pod).Spec.Containers {
		fmt.Println(container.Name)
	}

	// Output:
	// web
	// sidecar
}

// A Server is for what only connections show: here, who is called by which
// name.
func ExampleServe() {
	t := &example{}
	defer t.end()

	var name string
	server := webhooktest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name = r.TLS.ServerName
		mutate(w, r)
	}))
	s := webhooktest.New(t,
		webhooktest.Objects(configuration),
		webhooktest.Namespace("shop", map[string]string{"sidecar": "enabled"}),
		webhooktest.ServedBy(server, "sidecar.example.com"),
	)
	response := s.Do(t, webhooktest.Create(pod).In("shop"))
	fmt.Println(response.Allowed, name)

	// Output:
	// true sidecar.webhooks.svc
}
