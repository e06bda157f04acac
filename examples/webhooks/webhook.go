package webhooks

import (
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
)

// webhook is an admission webhook as a list of steps; doc.go describes them.
type webhook struct {
	receive func(http.ResponseWriter, *http.Request) ([]byte, error)
	decode  func(body []byte) (*admissionv1.AdmissionReview, error)
	look    func(*admissionv1.AdmissionRequest) (*question, error)
	decide  func(*question) *verdict
	record  func(*question)
	answer  func(*question, *verdict) (*admissionv1.AdmissionResponse, error)
	encode  func(*admissionv1.AdmissionReview) ([]byte, error)
	send    func(w http.ResponseWriter, r *admissionv1.AdmissionResponse, body []byte)

	// refuse rejects a malformed request.
	refuse func(http.ResponseWriter, error)
	// around wraps all steps.
	around func(http.Handler) http.Handler
}

// newWebhook returns a webhook with this decision function. All other steps are
// shared.
func newWebhook(decide func(*question) *verdict) *webhook {
	return &webhook{
		receive: receive,
		decode:  decode,
		look:    look,
		decide:  decide,
		record:  func(*question) {},
		answer:  answer,
		encode:  encode,
		send:    send,
		refuse:  refuse,
		around:  func(all http.Handler) http.Handler { return all },
	}
}

// handler returns the webhook as a handler.
func (h *webhook) handler() http.Handler { return h.around(http.HandlerFunc(h.serve)) }

func (h *webhook) serve(w http.ResponseWriter, r *http.Request) {
	review, q, err := h.read(w, r)
	if err != nil {
		h.refuse(w, err)
		return
	}
	v := h.decide(q)
	h.record(q)
	response, err := h.answer(q, v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	body, err := h.encode(&admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: response})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h.send(w, response, body)
}

// read takes the steps before the decision.
func (h *webhook) read(w http.ResponseWriter, r *http.Request) (*admissionv1.AdmissionReview,
	*question, error) {
	body, err := h.receive(w, r)
	if err != nil {
		return nil, nil, fmt.Errorf("receiving a review: %w", err)
	}
	review, err := h.decode(body)
	if err != nil {
		return nil, nil, fmt.Errorf("decoding a review: %w", err)
	}
	q, err := h.look(review.Request)
	if err != nil {
		return nil, nil, fmt.Errorf("looking at the request: %w", err)
	}
	return review, q, nil
}
