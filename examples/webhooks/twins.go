package webhooks

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
)

// Twin is a server that differs from the good one in one thing, because of which it fails
// one check, and only that.
type Twin struct {
	// ID is that of the check.
	ID string
	// Difference says in a sentence what it does otherwise.
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

// Server returns a new server of this kind.
func (t Twin) Server() *Server {
	s := New()
	t.change(s)
	return s
}

// With these, a twin says in a line or two what it does otherwise.

// before has a question changed before the webhook decides.
func (h *webhook) before(change func(*question)) {
	decide := h.decide
	h.decide = func(q *question) *verdict {
		change(q)
		return decide(q)
	}
}

// then has a verdict changed after the webhook has decided.
func (h *webhook) then(change func(*question, *verdict)) {
	decide := h.decide
	h.decide = func(q *question) *verdict {
		v := decide(q)
		change(q, v)
		return v
	}
}

// finally has an answer changed before it is encoded.
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

// wrap puts something around the whole webhook.
func (h *webhook) wrap(around func(w http.ResponseWriter, r *http.Request, next http.Handler)) {
	h.around = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { around(w, r, next) })
	}
}

// configure changes a line of the configurations, for all webhooks that have it.
func (s *Server) configure(line, instead string) {
	if !strings.Contains(s.configuration, line) {
		panic(fmt.Sprintf("webhooks.yaml has no %q", line))
	}
	s.configuration = strings.ReplaceAll(s.configuration, line, instead)
}
