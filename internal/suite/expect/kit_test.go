package expect_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/suite/expect"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// mutating are those of the tests: labels.example.com, which is called for all,
// and again after mesh.example.com, which is called for what wants a sidecar.
func mutating() *registrationv1.MutatingWebhookConfiguration {
	labels := registrationv1.MutatingWebhook{
		Name: "labels.example.com", ClientConfig: address(), Rules: everything(), FailurePolicy: new(registrationv1.Ignore),
		ObjectSelector: &metav1.LabelSelector{}, NamespaceSelector: &metav1.LabelSelector{}, SideEffects: new(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1"}, ReinvocationPolicy: new(registrationv1.IfNeededReinvocationPolicy),
	}
	mesh := *labels.DeepCopy()
	mesh.Name, mesh.ReinvocationPolicy = "mesh.example.com", nil
	mesh.ObjectSelector.MatchLabels = map[string]string{"mesh": "on"}
	return &registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "platform"}, Webhooks: []registrationv1.MutatingWebhook{labels, mesh},
	}
}

// validating are policy.example.com of two configurations, the second of which
// has a condition that cannot be evaluated for what has no label "strict".
func validating() []*registrationv1.ValidatingWebhookConfiguration {
	policy := registrationv1.ValidatingWebhook{
		Name: "policy.example.com", ClientConfig: address(), Rules: everything(), FailurePolicy: new(registrationv1.Fail),
		ObjectSelector: &metav1.LabelSelector{}, NamespaceSelector: &metav1.LabelSelector{}, SideEffects: new(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1"},
	}
	strict := *policy.DeepCopy()
	strict.MatchConditions = []registrationv1.MatchCondition{{Name: "strict", Expression: "object.metadata.labels.strict == 'yes'"}}
	return []*registrationv1.ValidatingWebhookConfiguration{
		{ObjectMeta: metav1.ObjectMeta{Name: "company"}, Webhooks: []registrationv1.ValidatingWebhook{policy}},
		{ObjectMeta: metav1.ObjectMeta{Name: "team"}, Webhooks: []registrationv1.ValidatingWebhook{strict}},
	}
}

func address() registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{URL: new("https://webhook.example.com/")}
}

func everything() []registrationv1.RuleWithOperations {
	return []registrationv1.RuleWithOperations{{
		Operations: []registrationv1.OperationType{"*"},
		Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}},
	}}
}

func webhooks() []*admission.Webhook {
	all := admission.MutatingWebhooks(mutating())
	for _, c := range validating() {
		all = append(all, admission.ValidatingWebhooks(c)...)
	}
	return all
}

// answer decides by what the object's annotation "say" tells the webhooks to.
func answer(w *admission.Webhook, r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	var object struct{ Metadata metav1.ObjectMeta }
	if err := json.Unmarshal(slices.Concat(r.Object.Raw, r.OldObject.Raw), &object); err != nil {
		return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: err.Error()}}
	}
	a := &admissionv1.AdmissionResponse{Allowed: true}
	patch := func(text string) { a.Patch, a.PatchType = []byte(text), new(admissionv1.PatchTypeJSONPatch) }
	say := object.Metadata.Annotations["say"]
	switch w.Name {
	case "labels.example.com":
		a.Warnings = []string{"there was no team"}
		a.AuditAnnotations = map[string]string{"team": "guessed"}
		patch(`[{"op":"add","path":"/metadata/labels/team","value":"blue"}]`)
		if say == "early no" {
			a.Allowed, a.Patch, a.PatchType = false, nil, nil
		}
	case "mesh.example.com":
		patch(`[{"op":"add","path":"/spec/containers/0","value":{"name":"mesh","image":"mesh:1"}},{"op":"add","path":"/metadata/labels/meshed","value":"yes"}]`)
	case "policy.example.com":
		if say != "" {
			a.Allowed, a.Result = false, &metav1.Status{Code: 418, Reason: "Teapot", Message: say}
		}
	}
	return a
}

func handler(w *admission.Webhook) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(in.Body).Decode(&review); err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		if review.Response = answer(w, review.Request); review.Response.Result != nil && review.Response.Result.Message == "broken" {
			http.Error(out, "broken", http.StatusInternalServerError)
			return
		}
		review.Response.UID = review.Request.UID
		out.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(out).Encode(review) // the response writer of a test takes all
	})
}

// respond takes a request through the webhooks.
func respond(tb testing.TB, r *admission.Request) *admission.Response {
	tb.Helper()
	configurations := []runtime.Object{mutating()}
	for _, c := range validating() {
		configurations = append(configurations, c)
	}
	return through(tb, r, configurations, handler)
}

// through takes a request through the webhooks of configurations.
func through(tb testing.TB, r *admission.Request, configurations []runtime.Object, handler func(*admission.Webhook) http.Handler) *admission.Response {
	tb.Helper()
	all, err := source.Fixed(configurations)
	if err != nil {
		tb.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{Source: all, Client: client.InProcess(handler)})
	if err != nil {
		tb.Fatal(err)
	}
	r.User = &authenticationv1.UserInfo{Username: "ann"}
	response, err := simulate.Request(tb.Context(), d, r, apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme))
	if err != nil {
		tb.Fatal(err)
	}
	return response
}

// created is the creation of a pod that is called web, with labels. An empty
// one removes it.
func created(tb testing.TB, say string, labels ...string) *admission.Response {
	tb.Helper()
	pod := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", Labels: map[string]string{"app": "web", "strict": "no"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "a:1"}}},
	}
	if say != "" {
		pod.Annotations = map[string]string{"say": say}
	}
	for i := 0; i+1 < len(labels); i += 2 {
		if pod.Labels[labels[i]] = labels[i+1]; labels[i+1] == "" {
			delete(pod.Labels, labels[i])
		}
	}
	return respond(tb, &admission.Request{
		Operation: admissionv1.Create, Kind: corev1.SchemeGroupVersion.WithKind("Pod"),
		Resource: corev1.SchemeGroupVersion.WithResource("pods"), Namespace: "shop", Name: "web", Object: pod,
	})
}

// read returns an expectation that is written in YAML.
func read(tb testing.TB, text string) *suitefile.Expect {
	tb.Helper()
	var e suitefile.Expect
	if err := yaml.UnmarshalStrict([]byte(text), &e); err != nil {
		tb.Fatal(err)
	}
	return &e
}

func compile(tb testing.TB, text string) *expect.Expectation {
	tb.Helper()
	return compileFor(tb, text, webhooks())
}

func compileFor(tb testing.TB, text string, webhooks []*admission.Webhook) *expect.Expectation {
	tb.Helper()
	return expect.Compile(read(tb, text), webhooks, nil, func(field string, err error) { tb.Errorf("%s: %v", field, err) })
}

// mistakes returns those in an expectation, with their fields.
func mistakes(tb testing.TB, text string, webhooks []*admission.Webhook) []string {
	tb.Helper()
	var all []string
	expect.Compile(read(tb, text), webhooks, nil, func(field string, err error) { all = append(all, field+": "+err.Error()) })
	return all
}

func texts(failures []expect.Failure) []string {
	var all []string
	for _, f := range failures {
		all = append(all, f.Text)
	}
	return all
}
