package plugin_test

import (
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher/plugin"
)

// backend starts a webhook and returns how it is reached.
func backend(t *testing.T, answer http.HandlerFunc) registrationv1.WebhookClientConfig {
	t.Helper()
	server := httptest.NewTLSServer(answer)
	t.Cleanup(server.Close)
	return registrationv1.WebhookClientConfig{
		URL:      &server.URL,
		CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}),
	}
}

// says is a webhook that admits, with a response that edit may change.
func says(edit func(*admissionv1.AdmissionResponse)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(req.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
		review.Request = nil
		edit(review.Response)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review) // a client that went away is the test's own doing
	}
}

func allows() http.HandlerFunc { return says(func(*admissionv1.AdmissionResponse) {}) }

func denies(message string) http.HandlerFunc {
	return says(func(r *admissionv1.AdmissionResponse) {
		r.Allowed, r.Result = false, &metav1.Status{Message: message, Code: http.StatusTeapot}
	})
}

// patches is a mutating webhook that admits with a patch.
func patches(patch string) http.HandlerFunc {
	return says(func(r *admissionv1.AdmissionResponse) {
		r.Patch, r.PatchType = []byte(patch), new(admissionv1.PatchTypeJSONPatch)
	})
}

// configured returns a configuration of the plugin's kind with one webhook,
// which sees everything.
func configured(name, configuration string, client registrationv1.WebhookClientConfig, edits ...func(*registrationv1.MutatingWebhook)) runtime.Object {
	w := registrationv1.MutatingWebhook{
		Name:         configuration + ".example.com",
		ClientConfig: client,
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{registrationv1.OperationAll},
			Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}},
		}},
		FailurePolicy:           new(registrationv1.Fail),
		SideEffects:             new(registrationv1.SideEffectClassNone),
		NamespaceSelector:       &metav1.LabelSelector{},
		ObjectSelector:          &metav1.LabelSelector{},
		AdmissionReviewVersions: []string{"v1"},
	}
	for _, edit := range edits {
		edit(&w)
	}
	meta := metav1.ObjectMeta{Name: configuration}
	if name == plugin.MutatingName {
		return &registrationv1.MutatingWebhookConfiguration{ObjectMeta: meta, Webhooks: []registrationv1.MutatingWebhook{w}}
	}
	return &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: meta, Webhooks: []registrationv1.ValidatingWebhook{{
		Name:                    w.Name,
		ClientConfig:            w.ClientConfig,
		Rules:                   w.Rules,
		FailurePolicy:           w.FailurePolicy,
		SideEffects:             w.SideEffects,
		TimeoutSeconds:          w.TimeoutSeconds,
		NamespaceSelector:       w.NamespaceSelector,
		ObjectSelector:          w.ObjectSelector,
		AdmissionReviewVersions: w.AdmissionReviewVersions,
		MatchConditions:         w.MatchConditions,
	}}}
}
