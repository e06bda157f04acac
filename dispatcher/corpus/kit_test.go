package corpus_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// failer is a *testing.T or a *rapid.T.
type failer interface {
	Helper()
	Fatal(...any)
}

func builtIn() apiadmission.ObjectInterfaces {
	return apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
}

// webhook answers a review. An error is a status 500 with its text.
type webhook func(*admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error)

// ServeHTTP implements http.Handler.
func (f webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	review := &admissionv1.AdmissionReview{}
	if err == nil {
		err = json.Unmarshal(body, review)
	}
	if err == nil {
		if review.Response, err = f(review.Request); err == nil {
			review.Response.UID, review.Request = review.Request.UID, nil
			w.Header().Set("Content-Type", "application/json")
			err = json.NewEncoder(w).Encode(review)
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// server admits requests by a webhook for every request.
func server(t failer, answer webhook) *dispatcher.Dispatcher {
	t.Helper()
	return observedServer(t, answer, nil, true)
}

func observedServer(t failer, answer webhook, observer dispatcher.Recorder, trace bool) *dispatcher.Dispatcher {
	t.Helper()
	webhooks, err := source.Fixed([]runtime.Object{everything()})
	if err != nil {
		t.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{
		Source:   webhooks,
		Client:   client.InProcess(func(*admission.Webhook) http.Handler { return answer }),
		Excluded: func(schema.GroupResource) bool { return false },
		Trace:    trace,
		Observer: observer,
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// everything is a webhook for everything.
func everything() *registrationv1.MutatingWebhookConfiguration {
	return &registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "c"},
		Webhooks: []registrationv1.MutatingWebhook{{
			Name:                    "w.example.com",
			AdmissionReviewVersions: []string{"v1"},
			SideEffects:             new(registrationv1.SideEffectClassNone),
			ClientConfig:            registrationv1.WebhookClientConfig{URL: new("https://w.example.com")},
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{"*"},
				Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}},
			}},
		}},
	}
}

func admit(t failer, d *dispatcher.Dispatcher, r *admission.Request) *admission.Response {
	t.Helper()
	r.User = &authenticationv1.UserInfo{Username: "ann", Groups: []string{"devs"}}
	response, err := simulate.Request(context.Background(), d, r, builtIn())
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// allow is a response with a patch; none if it is empty.
func allow(patch string) *admissionv1.AdmissionResponse {
	r := &admissionv1.AdmissionResponse{Allowed: true}
	if patch != "" {
		r.Patch, r.PatchType = []byte(patch), new(admissionv1.PatchTypeJSONPatch)
	}
	return r
}
