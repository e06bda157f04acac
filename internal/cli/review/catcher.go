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

// catcher keeps what webhooks are sent, and says yes to everything in their place.
type catcher struct {
	mu     sync.Mutex
	bodies map[session.Hook][][]byte
}

// client returns the client that leads to the catcher.
func (c *catcher) client() dispatcher.Client {
	return client.InProcess(func(w *admission.Webhook) http.Handler {
		return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { c.catch(session.HookOf(w), out, r) })
	})
}

func (c *catcher) catch(h session.Hook, out http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	if c.bodies == nil {
		c.bodies = map[session.Hook][][]byte{}
	}
	c.bodies[h] = append(c.bodies[h], body)
	c.mu.Unlock()
	answer, err := yes(body)
	if err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	out.Header().Set("Content-Type", "application/json")
	_, _ = out.Write(answer) // the call is over then, which its record shows
}

// yes returns the answer that lets a review pass. Both versions have it alike.
func yes(review []byte) ([]byte, error) {
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

// take returns what a webhook was sent since the last take, and forgets what others
// were.
func (c *catcher) take(h session.Hook) [][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.bodies[h]
	c.bodies = nil
	return taken
}
