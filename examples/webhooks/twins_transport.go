package webhooks

import (
	"net/http"
	"sync"
	"time"
)

// transportTwins have trouble with HTTP.
func transportTwins() []Twin {
	return []Twin{
		{"C-TIMEOUT", "It keeps a second for itself of the time that it is given.", func(s *Server) {
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
		{"C-HTTP2", "It wants to take connections over, which cannot be done in HTTP/2.", func(s *Server) {
			s.policy.wrap(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if _, ok := w.(http.Hijacker); !ok {
					http.Error(w, "this is no connection that can be taken over", http.StatusInternalServerError)
					return
				}
				next.ServeHTTP(w, r)
			})
		}},
		{"C-CONCURRENCY", "It has eight workers, which take their time over new connections, and turns away whoever comes when all are busy.", func(s *Server) {
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
