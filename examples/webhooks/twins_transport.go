package webhooks

import (
	"net/http"
	"sync"
	"time"
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
		{"C-CONCURRENCY", "It has eight slow workers, and rejects further requests.", func(s *Server) {
			workers, known := make(chan struct{}, 8), sync.Map{}
			s.policy.wrap(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				select {
				case workers <- struct{}{}:
					defer func() { <-workers }()
				default:
					http.Error(w, "all workers are busy", http.StatusServiceUnavailable)
					return
				}
				if _, met := known.LoadOrStore(r.RemoteAddr, true); !met {
					time.Sleep(500 * time.Millisecond)
				}
				next.ServeHTTP(w, r)
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
