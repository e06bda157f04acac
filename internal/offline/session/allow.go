package session

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
)

// AllowAll returns a client for Options.Client. In this process, in place of
// every webhook, it allows all requests and changes nothing. Before that it
// passes the review to see, which may be called concurrently.
func AllowAll(see func(w *admission.Webhook, review []byte)) dispatcher.Client {
	return client.InProcess(func(w *admission.Webhook) http.Handler {
		return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			review, err := io.ReadAll(r.Body)
			if err != nil {
				http.Error(out, err.Error(), http.StatusBadRequest)
				return
			}
			see(w, review)
			answer, err := allow(review)
			if err != nil {
				http.Error(out, err.Error(), http.StatusBadRequest)
				return
			}
			out.Header().Set("Content-Type", "application/json")
			_, _ = out.Write(answer) // a failed write shows in the record of the call
		})
	})
}

// allow returns a response that allows a review. It is the same in both
// versions.
func allow(review []byte) ([]byte, error) {
	var asked struct {
		metav1.TypeMeta `json:",inline"`
		Request         *admissionv1.AdmissionRequest `json:"request"`
	}
	if err := json.Unmarshal(review, &asked); err != nil || asked.Request == nil {
		return nil, fmt.Errorf("reading a review: %w", err)
	}
	return json.Marshal(&admissionv1.AdmissionReview{
		TypeMeta: asked.TypeMeta,
		Response: &admissionv1.AdmissionResponse{UID: asked.Request.UID, Allowed: true},
	})
}
