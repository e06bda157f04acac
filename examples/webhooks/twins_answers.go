package webhooks

import (
	"errors"
	"net/http"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
)

// answerTwins have defects in every answer.
func answerTwins() []Twin {
	return []Twin{
		{"C-PANIC", "It writes into the annotations of a deleted pod even if there are none.", func(s *Server) {
			s.policy.before(func(q *question) {
				if q.old != nil && q.Operation == admissionv1.Delete {
					q.old.Annotations["example.com/deleted"] = "yes"
				}
			})
		}},
		{"C-ANSWER", "It rejects updates as malformed.", func(s *Server) {
			s.policy.look = func(request *admissionv1.AdmissionRequest) (*question, error) {
				if request.Operation == admissionv1.Update {
					return nil, errors.New("unknown operation")
				}
				return look(request)
			}
		}},
		{"C-STATUS", "It denies with the HTTP status 403.", func(s *Server) {
			s.policy.send = func(w http.ResponseWriter, r *admissionv1.AdmissionResponse, body []byte) {
				if !r.Allowed {
					w = &written{w, http.StatusForbidden}
				}
				send(w, r, body)
			}
		}},
		{"C-CONTENT-TYPE", "It sends the content type text/plain.", func(s *Server) {
			s.policy.send = func(w http.ResponseWriter, _ *admissionv1.AdmissionResponse, body []byte) {
				w.Header().Set("Content-Type", "text/plain")
				_, _ = w.Write(body)
			}
		}},
		{"C-UID", "It responds with another uid.", func(s *Server) {
			s.policy.finally(func(_ *question, r *admissionv1.AdmissionResponse) { r.UID = "policy" })
		}},
		{"C-API-VERSION", "It responds in v1, even to v1beta1.", func(s *Server) {
			s.policy.encode = func(review *admissionv1.AdmissionReview) ([]byte, error) {
				review.APIVersion = admissionv1.SchemeGroupVersion.String()
				return encode(review)
			}
		}},
		{"C-VERSIONS", "It lists v1beta1 but rejects it.", func(s *Server) {
			s.policy.decode = func(body []byte) (*admissionv1.AdmissionReview, error) {
				review, err := decode(body)
				if err == nil && review.APIVersion == admissionv1beta1.SchemeGroupVersion.String() {
					err = errors.New("want a review of v1")
				}
				return review, err
			}
		}},
		{"C-ALLOWED", "It omits allowed if it is false.", func(s *Server) {
			s.policy.encode = func(review *admissionv1.AdmissionReview) ([]byte, error) {
				body, err := encode(review)
				return []byte(strings.Replace(string(body), `"allowed":false,`, "", 1)), err
			}
		}},
		{"C-DENIAL", "It denies without a reason.", func(s *Server) {
			s.policy.finally(func(_ *question, r *admissionv1.AdmissionResponse) { r.Result = nil })
		}},
	}
}

// written is a response whose status is not 200.
type written struct {
	http.ResponseWriter
	status int
}

func (w *written) Write(body []byte) (int, error) {
	w.WriteHeader(w.status)
	return w.ResponseWriter.Write(body)
}

// patchTwins have defects in their patches.
func patchTwins() []Twin {
	return []Twin{
		{"C-VALIDATING-PATCH", "The policy labels what it has looked at.", func(s *Server) {
			s.policy.then(func(q *question, v *verdict) {
				if q.pod != nil {
					v.patch = label(q.pod, "looked-at", "yes")
				}
			})
		}},
		{"C-PATCH-TYPE", "It omits the patchType.", func(s *Server) {
			s.defaults.finally(func(_ *question, r *admissionv1.AdmissionResponse) { r.PatchType = nil })
		}},
		{"C-PATCH-DECODES", "It sends merge patches.", func(s *Server) {
			s.defaults.finally(func(q *question, r *admissionv1.AdmissionResponse) {
				if r.Patch != nil {
					r.Patch = []byte(`{"metadata": {"labels": {"team": "` + q.Namespace + `"}}}`)
				}
			})
		}},
		{"C-PATCH-APPLIES", "It adds a label even if the object has no labels.", func(s *Server) {
			s.defaults.then(func(q *question, v *verdict) {
				if len(v.patch) > 0 && v.patch[0].Path == "/metadata/labels" {
					v.patch[0] = add("/metadata/labels/"+teamLabel, q.Namespace)
				}
			})
		}},
		{"C-PATCHED-KIND", "It misspells the field seccompProfile.", func(s *Server) {
			s.defaults.then(func(_ *question, v *verdict) {
				for i := range v.patch {
					v.patch[i].Path = strings.Replace(v.patch[i].Path, "seccomp", "secComp", 1)
				}
			})
		}},
		{"C-PATCH-ON-DELETE", "It labels pods that are deleted.", func(s *Server) {
			s.sidecar.then(func(q *question, v *verdict) {
				if q.Operation == admissionv1.Delete {
					v.patch = label(q.old, "deleted", "yes")
				}
			})
		}},
	}
}

// nullTwins read objects that may be null.
func nullTwins() []Twin {
	needs := func(s *Server, operation admissionv1.Operation,
		raw func(*admissionv1.AdmissionRequest) []byte) {
		s.policy.look = func(request *admissionv1.AdmissionRequest) (*question, error) {
			if request.Operation == operation && raw(request) == nil {
				return nil, errors.New("there is nothing to read")
			}
			return look(request)
		}
	}
	return []Twin{
		{"C-NULL-OBJECT", "It reads the new object even on DELETE.", func(s *Server) {
			needs(s, admissionv1.Delete,
				func(r *admissionv1.AdmissionRequest) []byte { return r.Object.Raw })
		}},
		{"C-NULL-OLD-OBJECT", "It reads the old object even on CREATE.", func(s *Server) {
			needs(s, admissionv1.Create,
				func(r *admissionv1.AdmissionRequest) []byte { return r.OldObject.Raw })
		}},
		{"C-NULL-OPTIONS", "It reads the options even on CONNECT.", func(s *Server) {
			needs(s, admissionv1.Connect,
				func(r *admissionv1.AdmissionRequest) []byte { return r.Options.Raw })
		}},
	}
}

// extraTwins have defects in warnings, annotations and size.
func extraTwins() []Twin {
	return []Twin{
		{"C-WARNINGS", "Its warnings are not shortened.", func(s *Server) {
			s.policy.then(func(_ *question, v *verdict) {
				for i := range v.warnings {
					v.warnings[i] += strings.Repeat("; ask the owner of the image for a version", 6)
				}
			})
		}},
		{"C-WARNINGS-PRINTABLE", "Its warnings end with a new line.", func(s *Server) {
			s.policy.then(func(_ *question, v *verdict) {
				for i := range v.warnings {
					v.warnings[i] += "\n"
				}
			})
		}},
		{"C-AUDIT-KEYS", "Its audit annotations have a prefix of their own.", func(s *Server) {
			s.policy.then(func(_ *question, v *verdict) {
				v.annotations = map[string]string{"example.com/looked-at": "yes"}
			})
		}},
		{"C-RESPONSE-SIZE", "It annotates each command with a megabyte of text.", func(s *Server) {
			s.policy.then(func(q *question, v *verdict) {
				if q.exec != nil {
					v.annotations["command"] += strings.Repeat("; commands in pods are discouraged", 1<<15)
				}
			})
		}},
	}
}
