package dispatcher_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
)

// An API server puts the two phases into its chain of admission plugins.
func ExampleNew() {
	webhooks, err := source.Fixed([]runtime.Object{noRootPods()})
	if err != nil {
		log.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{
		Source: webhooks,
		Client: client.InProcess(func(*admission.Webhook) http.Handler { return webhook(denyRoot) }),
	})
	if err != nil {
		log.Fatal(err)
	}
	chain := apiadmission.NewChainHandler(d.Mutating(), d.Validating())

	pod := &corev1.Pod{Spec: corev1.PodSpec{SecurityContext: &corev1.PodSecurityContext{RunAsUser: new(int64)}}}
	request := apiadmission.NewAttributesRecord(pod, nil, corev1.SchemeGroupVersion.WithKind("Pod"), "shop", "web",
		corev1.SchemeGroupVersion.WithResource("pods"), "", apiadmission.Create, &metav1.CreateOptions{}, false,
		&user.DefaultInfo{Name: "ann"})
	objects := apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
	if err := chain.Admit(context.Background(), request, objects); err != nil {
		log.Fatal(err)
	}
	fmt.Println(chain.Validate(context.Background(), request, objects))
	// Output:
	// admission webhook "no-root.example.com" denied the request: pods must not run as root
}

// A test runs a pod through admission, without a cluster and without a port.
func Example_simulate() {
	webhooks, err := source.Fixed([]runtime.Object{teamLabels()})
	if err != nil {
		log.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{
		Source: webhooks,
		Client: client.InProcess(func(*admission.Webhook) http.Handler { return webhook(addTeam) }),
	})
	if err != nil {
		log.Fatal(err)
	}
	response, err := simulate.Request(context.Background(), d, &admission.Request{
		Operation: admissionv1.Create,
		Kind:      corev1.SchemeGroupVersion.WithKind("Pod"),
		Resource:  corev1.SchemeGroupVersion.WithResource("pods"),
		Namespace: "shop",
		Object:    &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}},
		User:      &authenticationv1.UserInfo{Username: "ann"},
	}, apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("allowed:", response.Allowed)
	fmt.Println("labels:", response.Object.(*corev1.Pod).Labels)
	fmt.Println("warnings:", response.Warnings)
	for _, call := range response.Calls {
		fmt.Println(call.Webhook.Name, call.Outcome, string(call.Patch))
	}
	// Output:
	// allowed: true
	// labels: map[team:ann]
	// warnings: [the pod had no team]
	// team.example.com allowed [{"op":"add","path":"/metadata/labels","value":{"team":"ann"}}]
}

func denyRoot(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	var pod corev1.Pod
	if err := json.Unmarshal(r.Object.Raw, &pod); err != nil {
		return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: err.Error()}}
	}
	if c := pod.Spec.SecurityContext; c != nil && c.RunAsUser != nil && *c.RunAsUser == 0 {
		return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: "pods must not run as root"}}
	}
	return &admissionv1.AdmissionResponse{Allowed: true}
}

func addTeam(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	patch := fmt.Sprintf(`[{"op":"add","path":"/metadata/labels","value":{"team":%q}}]`, r.UserInfo.Username)
	return &admissionv1.AdmissionResponse{
		Allowed: true, Warnings: []string{"the pod had no team"},
		Patch: []byte(patch), PatchType: new(admissionv1.PatchTypeJSONPatch),
	}
}

// webhook makes an HTTP handler of a decision.
func webhook(decide func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		review.Response = decide(review.Request)
		review.Response.UID = review.Request.UID
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(review); err != nil {
			log.Print(err)
		}
	})
}

func createdPods() []registrationv1.RuleWithOperations {
	return []registrationv1.RuleWithOperations{{
		Operations: []registrationv1.OperationType{registrationv1.Create},
		Rule:       registrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
	}}
}

func noRootPods() *registrationv1.ValidatingWebhookConfiguration {
	return &registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "no-root"},
		Webhooks: []registrationv1.ValidatingWebhook{{
			Name:                    "no-root.example.com",
			ClientConfig:            registrationv1.WebhookClientConfig{URL: new("https://no-root.example.com/")},
			Rules:                   createdPods(),
			SideEffects:             new(registrationv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
		}},
	}
}

func teamLabels() *registrationv1.MutatingWebhookConfiguration {
	return &registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "team"},
		Webhooks: []registrationv1.MutatingWebhook{{
			Name:                    "team.example.com",
			ClientConfig:            registrationv1.WebhookClientConfig{URL: new("https://team.example.com/")},
			Rules:                   createdPods(),
			SideEffects:             new(registrationv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
		}},
	}
}
