package source_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"sync/atomic"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	registrationinformers "k8s.io/client-go/informers/admissionregistration/v1"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

// Every tenth burst begins with a deletion and a new creation. So the states of
// the configuration repeat themselves after churnPeriod writes, and which of
// them is the one without the webhook is a matter of arithmetic.
const (
	churnPeriod  = 10*churnUpdates + 2
	churnAbsence = 9*churnUpdates + 1
)

// absent reports whether the configuration does not exist in state n.
func absent(n int64) bool { return n%churnPeriod == churnAbsence }

// pathOf returns the path of the only webhook there is in state n, or nothing.
func pathOf(n int64) string {
	if absent(n) {
		return ""
	}
	return "/" + strconv.FormatInt(n, 10)
}

// state is the configuration in state n.
func state(n int64) *registrationv1.ValidatingWebhookConfiguration {
	return &registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "churn"},
		Webhooks: []registrationv1.ValidatingWebhook{{
			Name:                    "churn.example.com",
			ClientConfig:            registrationv1.WebhookClientConfig{URL: new("https://127.0.0.1" + pathOf(n))},
			AdmissionReviewVersions: []string{"v1"},
			SideEffects:             new(registrationv1.SideEffectClassNone),
			NamespaceSelector:       &metav1.LabelSelector{},
			ObjectSelector:          &metav1.LabelSelector{},
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{registrationv1.OperationAll},
				Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}},
			}},
		}},
	}
}

// visited is a client of webhooks that allow everything and leave the path that
// they were called under in the context of the request.
type visited struct{}

type pathKey struct{}

// Endpoint implements dispatcher.Client.
func (v visited) Endpoint(_ context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	address, err := url.Parse(*w.ClientConfig.URL)
	if err != nil {
		return nil, err
	}
	return &dispatcher.Endpoint{URL: *address, HTTP: &http.Client{Transport: v}}, nil
}

// RoundTrip implements http.RoundTripper.
func (v visited) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	v.ServeHTTP(answer, r)
	return answer.Result(), r.Body.Close()
}

// ServeHTTP implements http.Handler.
func (visited) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	*r.Context().Value(pathKey{}).(*string) = r.URL.Path
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

// tap is an informer of configurations that records the last state that its
// handlers have completely received.
type tap struct {
	registrationinformers.ValidatingWebhookConfigurationInformer
	delivered *atomic.Int64
}

// Informer implements ValidatingWebhookConfigurationInformer.
func (t tap) Informer() cache.SharedIndexInformer {
	return tapped{t.ValidatingWebhookConfigurationInformer.Informer(), t.delivered}
}

type tapped struct {
	cache.SharedIndexInformer
	delivered *atomic.Int64
}

// AddEventHandler implements SharedInformer.
func (t tapped) AddEventHandler(h cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	return t.SharedIndexInformer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(obj any, initial bool) { h.OnAdd(obj, initial); t.delivered.Store(numberOf(obj)) },
		UpdateFunc: func(old, obj any) { h.OnUpdate(old, obj); t.delivered.Store(numberOf(obj)) },
		// A deletion is the state after the last one that there was.
		DeleteFunc: func(obj any) { h.OnDelete(obj); t.delivered.Store(numberOf(obj) + 1) },
	})
}

// numberOf returns the number of the state that a configuration is in.
func numberOf(obj any) int64 {
	var n int64
	config := obj.(*registrationv1.ValidatingWebhookConfiguration)
	if _, err := fmt.Sscanf(*config.Webhooks[0].ClientConfig.URL, "https://127.0.0.1/%d", &n); err != nil {
		panic(err)
	}
	return n
}
