package review

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/internal/offline/session"
)

// recordingClient records the reviews that webhooks would receive, and admits
// all of them.
type recordingClient struct {
	mu     sync.Mutex
	bodies map[session.WebhookName][][]byte
}

// client returns a client that calls c.
func (c *recordingClient) client() dispatcher.Client {
	return client.InProcess(func(w *admission.Webhook) http.Handler {
		return http.HandlerFunc(
			func(out http.ResponseWriter, r *http.Request) { c.record(session.NameOf(w), out, r) })
	})
}

func (c *recordingClient) record(h session.WebhookName, out http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	if c.bodies == nil {
		c.bodies = map[session.WebhookName][][]byte{}
	}
	c.bodies[h] = append(c.bodies[h], body)
	c.mu.Unlock()
	answer, err := admit(body)
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	out.Header().Set("Content-Type", "application/json")
	_, _ = out.Write(answer) // a failed write shows in the record of the call
}

// admit returns a response that admits a review. It is the same in both
// versions.
func admit(review []byte) ([]byte, error) {
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

// take returns the reviews that a webhook received since the last take, and
// drops those of other webhooks.
func (c *recordingClient) take(h session.WebhookName) [][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.bodies[h]
	c.bodies = nil
	return taken
}
