package webhooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"

	admissionv1 "k8s.io/api/admission/v1"
)

// misuseTwins mishandle malformed requests.
func misuseTwins() []Twin {
	return []Twin{
		{"C-UNKNOWN-FIELDS", "It rejects unknown fields.", func(s *Server) {
			s.policy.decode = func(body []byte) (*admissionv1.AdmissionReview, error) {
				review, decoder := &admissionv1.AdmissionReview{}, json.NewDecoder(bytes.NewReader(body))
				decoder.DisallowUnknownFields()
				if err := decoder.Decode(review); err != nil {
					return nil, err
				}
				return review, check(review)
			}
		}},
		{"C-UNLISTED-VERSION", "It ignores the version.", func(s *Server) {
			s.policy.decode = func(body []byte) (*admissionv1.AdmissionReview, error) {
				review := &admissionv1.AdmissionReview{}
				if err := json.Unmarshal(body, review); err != nil {
					return nil, err
				}
				known := *review
				known.APIVersion = admissionv1.SchemeGroupVersion.String()
				return review, check(&known)
			}
		}},
		{"C-GARBAGE", "It responds to a malformed body with a 5xx status.", func(s *Server) {
			s.policy.refuse = func(w http.ResponseWriter, err error) {
				var malformed *json.SyntaxError
				if errors.As(err, &malformed) {
					http.Error(w, err.Error(), http.StatusInternalServerError)
					return
				}
				refuse(w, err)
			}
		}},
		{"C-EMPTY-BODY", "It accepts an empty body.", func(s *Server) {
			s.policy.accept(errEmpty, "ok\n")
		}},
		{"C-REQUEST-TYPE", "It ignores the content type.", func(s *Server) {
			s.policy.receive = func(w http.ResponseWriter, r *http.Request) ([]byte, error) {
				r.Header.Set("Content-Type", "application/json")
				return receive(w, r)
			}
		}},
		{"C-GET", "It allows a GET.", func(s *Server) {
			s.policy.accept(errMethod, `{"response": {"allowed": true}}`)
		}},
		{"C-ALIVE", "A malformed body breaks it, and it drops the next request.", func(s *Server) {
			var dead atomic.Bool
			s.policy.decode = func(body []byte) (*admissionv1.AdmissionReview, error) {
				if dead.Swap(!json.Valid(body)) {
					panic(http.ErrAbortHandler) // closes the connection
				}
				return decode(body)
			}
		}},
	}
}

// accept answers requests with the given error with status 200.
func (h *webhook) accept(wrong error, answer string) {
	h.refuse = func(w http.ResponseWriter, err error) {
		if !errors.Is(err, wrong) {
			refuse(w, err)
			return
		}
		_, _ = w.Write([]byte(answer))
	}
}
