package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// twin is a fault.
type twin struct {
	// difference describes it in a sentence.
	difference string
	apply      func(*webhook)
}

// twins returns the faults by the ID of the check that finds each of them.
func twins() map[string]twin {
	return map[string]twin{
		"C-START": {"It loads its policies when the first review comes, and refuses that one.",
			func(w *webhook) {
				var loaded atomic.Bool
				w.around = func(next http.Handler) http.Handler {
					return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
						if !loaded.Swap(true) {
							http.Error(out, "the policies are not loaded", http.StatusServiceUnavailable)
							return
						}
						next.ServeHTTP(out, r)
					})
				}
			}},
		"C-DRAIN": {"It gives the calls that are under way a tenth of a second to end.",
			func(w *webhook) {
				w.drain = func(s *http.Server) error {
					time.Sleep(w.lag)
					return w.shutdown(s, 100*time.Millisecond)
				}
			}},
		"C-KEEPALIVE": {"It waits for its clients to close their connections.", waitForClients},
		"C-RENEW": {"It reads its certificate once.",
			func(w *webhook) { w.certificate = sync.OnceValues(w.load) }},
		"C-ROLL": {"It closes its port as soon as it gets SIGTERM.", func(w *webhook) { w.lag = 0 }},
		"C-LOAD": {"It waits for the backend for as long as it takes.",
			func(w *webhook) {
				consult := w.consult
				w.consult = func(context.Context) error { return consult(context.Background()) }
			}},
		"C-MEMORY": {"It keeps a page about every review.", keepReviews},
	}
}

// waitForClients closes the port after the lag, and ends with the last
// connection.
func waitForClients(w *webhook) {
	w.drain = func(s *http.Server) error {
		time.Sleep(w.lag)
		_ = w.listener.Close() // no connection is lost
		for w.connections.Load() > 0 {
			time.Sleep(100 * time.Millisecond)
		}
		return nil
	}
}

// keepReviews has the process keep a page about each review, which has its body
// again and again.
func keepReviews(w *webhook) {
	const size = 64 << 10
	var mu sync.Mutex
	var kept [][]byte
	w.around = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				http.Error(out, err.Error(), http.StatusBadRequest)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			page := bytes.Repeat(append(body, '\n'), size/(len(body)+1)+1)
			mu.Lock()
			kept = append(kept, page)
			mu.Unlock()
			next.ServeHTTP(out, r)
		})
	}
}

func twinIDs() []string { return slices.Sorted(maps.Keys(twins())) }
