package expect_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// twins are webhooks of one name, of configurations of one name: x is a
// mutating and a validating one, and z is a mutating one twice, of which the
// second is never called.
func twins() (*registrationv1.MutatingWebhookConfiguration, *registrationv1.ValidatingWebhookConfiguration) {
	x := mutating().Webhooks[0]
	x.Name, x.ReinvocationPolicy = "x", nil
	z := *x.DeepCopy()
	z.Name = "z"
	never := *z.DeepCopy()
	never.ObjectSelector.MatchLabels = map[string]string{"never": "there"}
	v := validating()[0]
	v.Name, v.Webhooks[0].Name = "c", "x"
	return &registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "c"}, Webhooks: []registrationv1.MutatingWebhook{x, z, never},
	}, v
}

// answering has the webhooks of a phase say yes or no, or nothing of use if
// they are not there.
func answering(allowed map[admission.Phase]bool) func(*admission.Webhook) http.Handler {
	return func(w *admission.Webhook) http.Handler {
		return http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
			var review admissionv1.AdmissionReview
			answer, there := allowed[w.Phase]
			if err := json.NewDecoder(in.Body).Decode(&review); err != nil || !there {
				http.Error(out, "broken", http.StatusInternalServerError)
				return
			}
			review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: answer}
			out.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(out).Encode(review) // the response writer of a test takes all
		})
	}
}

// What the reasons are.
const (
	neverThere = "objectSelector: the object's labels {} do not match never=there"
	broken     = `an error on the server ("broken") has prevented the request from succeeding`
)

// TestCheckTwins judges each webhook of a name by itself.
func TestCheckTwins(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		allowed map[admission.Phase]bool
		expect  string
		want    []string
	}
	both := map[admission.Phase]bool{admission.Mutating: true, admission.Validating: true}
	silent := map[admission.Phase]bool{admission.Mutating: true}
	first := map[admission.Phase]bool{admission.Mutating: false}
	testtable.Run(t, []test{
		{row{"one of them not called", "a name is of all that have it"}, both, `{webhooks: [{name: x, times: 1}, {name: c/z}]}`,
			[]string{"webhooks[1].called: mutating c/z/1: want true, got false: c/z was not called: " + neverThere}},
		{row{"times", "their calls are not counted together"}, both, `{webhooks: [{name: c/x, times: 2}]}`,
			[]string{"webhooks[0].times: mutating x: want 2, got 1", "webhooks[0].times: validating x: want 2, got 1"}},
		{row{"one of them missing", "it takes all of them"}, both, `{called: [x, z]}`,
			[]string{"called: want mutating c/z/1, which is not called: " + neverThere}},
		{row{"both unexpected", "it is told which"}, both, `{called: [z]}`, []string{
			"called: mutating x is called, but not expected", "called: validating x is called, but not expected",
			"called: want mutating c/z/1, which is not called: " + neverThere}},
		{row{"reason of one", "the other one is called"}, both, `{webhooks: [{name: z, why: objectSelector}]}`,
			[]string{"webhooks[0].called: mutating c/z/0: want false, got true: z was called"}},
		{row{"the first denies", "the second is not reached"}, first, `{allowed: false, called: [x]}`,
			[]string{"called: want validating x, which is not called: not reached: the request ended with mutating x: rejected"}},
		{row{"outcome", "one says yes, and the other one nothing"}, silent, `{code: 500, webhooks: [{name: x, outcome: allowed}]}`,
			[]string{`webhooks[0].outcome: validating x: want "allowed", got "failed closed": failed calling webhook "x": failed to call webhook: ` + broken}},
		{row{"patch", "neither has one"}, both, `{webhooks: [{name: x, patch: [{op: add, path: /x}]}]}`,
			[]string{"webhooks[0].patch: mutating x: want 1 operation, got 0", "webhooks[0].patch: validating x: want 1 operation, got 0"}},
	}, func(t *testing.T, tc test) {
		m, v := twins()
		object := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "shop"}}
		r := through(t, &admission.Request{
			Operation: admissionv1.Create, Kind: object.GroupVersionKind(), Resource: corev1.SchemeGroupVersion.WithResource("configmaps"),
			Namespace: object.Namespace, Name: object.Name, Object: object,
		}, []runtime.Object{m, v}, answering(tc.allowed))
		e := compileFor(t, tc.expect, append(admission.MutatingWebhooks(m), admission.ValidatingWebhooks(v)...))
		if d := cmp.Diff(tc.want, texts(e.Check(r))); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}
