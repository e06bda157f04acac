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
		{"C-CONCURRENCY", "It holds the reason of a denial in a variable that all requests share.",
			func(s *Server) {
				reason := newSharedReason()
				s.policy.wrap(reason.around)
				s.policy.then(func(_ *question, v *verdict) { reason.hold(v) })
			}},
		{"C-LARGE-OBJECT", "It reads one megabyte at most.", func(s *Server) {
			s.policy.receive = func(w http.ResponseWriter, r *http.Request) ([]byte, error) {
				r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
				return receive(w, r)
			}
		}},
	}
}

// sharedReason is the reason of a denial, in one variable for all requests. As long as
// others are under way, a request waits for the next one to overwrite it, so that the
// defect does not depend on chance.
type sharedReason struct {
	mu       sync.Mutex
	changed  *sync.Cond
	underWay int
	// holder is the verdict whose reason is in the variable; nil if there is none.
	holder *verdict
}

func newSharedReason() *sharedReason {
	r := &sharedReason{}
	r.changed = sync.NewCond(&r.mu)
	return r
}

// around counts the requests that are under way.
func (r *sharedReason) around(w http.ResponseWriter, request *http.Request, next http.Handler) {
	r.count(1)
	defer r.count(-1)
	next.ServeHTTP(w, request)
}

func (r *sharedReason) count(by int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.underWay += by
	r.changed.Broadcast()
}

// hold puts the reason of a verdict into the variable, and takes what is in it then.
func (r *sharedReason) hold(v *verdict) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.holder != nil {
		r.holder.denial = v.denial
	}
	r.holder = v
	r.changed.Broadcast()
	for r.holder == v && r.underWay > 1 {
		r.changed.Wait()
	}
	if r.holder == v {
		r.holder = nil
	}
}
