package webhooks

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
)

// Twin is a server with one defect, which fails one check and no other.
type Twin struct {
	// ID is the ID of the check.
	ID string
	// Difference describes the defect in a sentence.
	Difference string

	change func(*Server)
}

// Twins returns all twins, in the order of the checks.
func Twins() []Twin {
	return slices.Concat(
		answerTwins(), patchTwins(), nullTwins(), extraTwins(),
		misuseTwins(),
		transportTwins(),
		behaviourTwins(), togetherTwins(), objectTwins(),
		tlsTwins(),
	)
}

// Server returns a new server with the defect.
func (t Twin) Server() *Server {
	s := New()
	t.change(s)
	return s
}

// The following methods describe a defect in a line or two.
// before changes the question before the webhook decides.
func (h *webhook) before(change func(*question)) {
	decide := h.decide
	h.decide = func(q *question) *verdict {
		change(q)
		return decide(q)
	}
}

// then changes the verdict after the webhook has decided.
func (h *webhook) then(change func(*question, *verdict)) {
	decide := h.decide
	h.decide = func(q *question) *verdict {
		v := decide(q)
		change(q, v)
		return v
	}
}

// finally changes the answer before it is encoded.
func (h *webhook) finally(change func(*question, *admissionv1.AdmissionResponse)) {
	answer := h.answer
	h.answer = func(q *question, v *verdict) (*admissionv1.AdmissionResponse, error) {
		response, err := answer(q, v)
		if err == nil {
			change(q, response)
		}
		return response, err
	}
}

// wrap wraps the whole webhook.
func (h *webhook) wrap(around func(w http.ResponseWriter, r *http.Request, next http.Handler)) {
	h.around = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { around(w, r, next) })
	}
}

// configure replaces a line of the configurations, in all webhooks that have
// it.
func (s *Server) configure(line, instead string) {
	if !strings.Contains(s.configuration, line) {
		panic(fmt.Sprintf("webhooks.yaml has no %q", line))
	}
	s.configuration = strings.ReplaceAll(s.configuration, line, instead)
}
