package webhooks

import (
	"net/http"
	"sync/atomic"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
)

// transportTwins have defects in HTTP.
func transportTwins() []Twin {
	return []Twin{
		{"C-TIMEOUT", "It rejects calls with a timeout of a second or less.", func(s *Server) {
			s.policy.wrap(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				given, err := time.ParseDuration(r.URL.Query().Get("timeout"))
				if err == nil && given-time.Second <= 0 {
					http.Error(w, "there is no time", http.StatusServiceUnavailable)
					return
				}
				next.ServeHTTP(w, r)
			})
		}},
		{"C-KEEP-ALIVE", "It closes the connection after each answer.", func(s *Server) {
			s.policy.wrap(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if r.ProtoMajor == 1 {
					w.Header().Set("Connection", "close")
				}
				next.ServeHTTP(w, r)
			})
		}},
		{"C-HTTP2", "It hijacks connections, which HTTP/2 does not allow.", func(s *Server) {
			s.policy.wrap(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if _, ok := w.(http.Hijacker); !ok {
					http.Error(w, "this is no connection that can be taken over", http.StatusInternalServerError)
					return
				}
				next.ServeHTTP(w, r)
			})
		}},
		{"C-CONCURRENCY", "It holds the reason of a denial in a variable that all requests share.",
			func(s *Server) {
				var denial atomic.Value // as a string in the package, but for the race detector
				s.policy.look = func(request *admissionv1.AdmissionRequest) (*question, error) {
					denial.Store("")
					return look(request)
				}
				s.policy.then(func(_ *question, v *verdict) {
					if v.denial != "" {
						denial.Store(v.denial)
					}
					v.denial, _ = denial.Load().(string)
				})
			}},
		{"C-LARGE-OBJECT", "It reads one megabyte at most.", func(s *Server) {
			s.policy.receive = func(w http.ResponseWriter, r *http.Request) ([]byte, error) {
				r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
				return receive(w, r)
			}
		}},
	}
}
