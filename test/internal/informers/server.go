package informers

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
)

// Server is a stand-in for an API server. Make one with NewServer, and Close it.
type Server struct {
	mu   sync.Mutex
	etcd *etcd
	// fault is how it answers.
	fault Fault
	// changed is closed, and replaced, with every change of the fields above.
	changed chan struct{}
	// pages are the rests of lists that were begun.
	pages map[string][]stored

	// process is nil while the server is down.
	process *process
}

// process is what a restart ends.
type process struct {
	listener *listener
	http     *http.Server
	serving  sync.WaitGroup
}

// NewServer returns a server that is up and has no objects.
func NewServer() *Server {
	s := &Server{etcd: newEtcd(), fault: Healthy, changed: make(chan struct{}),
		pages: map[string][]stored{}}
	s.up()
	return s
}

// Close ends the server and all connections.
func (s *Server) Close() { s.down() }

// Config is how clients reach the server. Clients are not slowed down.
func (s *Server) Config() *rest.Config {
	return &rest.Config{Host: "http://127.0.0.1:6443", Dial: s.dial, QPS: -1}
}

func (s *Server) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	s.mu.Lock()
	p := s.process
	s.mu.Unlock()
	if p == nil {
		gone := newListener()
		gone.close()
		return gone.dial(ctx)
	}
	return p.listener.dial(ctx)
}

// up starts a process.
func (s *Server) up() {
	p := &process{listener: newListener()}
	p.http = &http.Server{Handler: s, ErrorLog: log.New(io.Discard, "", 0)}
	p.serving.Go(func() { _ = p.http.Serve(p.listener) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.process = p
}

// down ends the process, if there is one, with all connections.
func (s *Server) down() {
	s.mu.Lock()
	p := s.process
	s.process = nil
	s.mu.Unlock()
	if p != nil {
		_ = p.http.Close()
		p.serving.Wait()
	}
}

// Fail makes the server answer with a fault from now on, also on watches that have
// begun. Healthy ends it.
func (s *Server) Fail(f Fault) {
	if f == Refused {
		s.down()
	}
	s.change(func() { s.fault = f })
	s.mu.Lock()
	p := s.process
	s.mu.Unlock()
	if p == nil && f != Refused {
		s.up()
	}
}

// Restart ends all connections and forgets what a server keeps in memory. What is in
// etcd stays.
func (s *Server) Restart() {
	s.down()
	s.change(func() { clear(s.pages) })
	if fault, _ := s.current(); fault != Refused {
		s.up()
	}
}

// Compact makes all versions until now too old for watches, and ends these.
func (s *Server) Compact() {
	s.change(func() { s.etcd.compacted = s.etcd.revision + 1; s.etcd.revision++ })
	s.Restart()
}

// States returns the states that a resource has had since a revision, in order, the
// one at that revision included.
func (s *Server) States(r Resource, since int64) []State {
	s.mu.Lock()
	defer s.mu.Unlock()
	var states []State
	for _, v := range slices.Backward(s.etcd.states[r]) {
		states = append(states, v.State)
		if v.revision <= since {
			break
		}
	}
	slices.Reverse(states)
	return states
}

// deletion returns the revision at which an object was deleted, after a revision at
// which it was there.
func (s *Server) deletion(r Resource, name string, after int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	for one := range s.etcd.since(r, after) {
		if one.kind == deleted && one.name == name {
			return one.revision
		}
	}
	return after
}

func (s *Server) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.changed)
	s.changed = make(chan struct{})
}

// current returns the fault, and what is closed when anything changes.
func (s *Server) current() (Fault, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault, s.changed
}

// wait returns when the server has another fault, and reports whether the client is
// still there.
func (s *Server) wait(ctx context.Context, during Fault) bool {
	for {
		fault, changed := s.current()
		if fault != during {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.wait(r.Context(), Silent) {
		return
	}
	fault, _ := s.current()
	if version := r.FormValue("resourceVersion"); fault == Gone && (version == "" || version == "0") {
		fault = Healthy // there is always a current version
	}
	if code := fault.status(); code != 0 {
		refuse(w, code)
		return
	}
	for _, resource := range resources() {
		rest, ok := strings.CutPrefix(r.URL.Path, resource.path())
		switch {
		case !ok:
		case rest != "":
			s.get(w, resource, strings.TrimPrefix(rest, "/"))
			return
		case r.FormValue("watch") != "":
			s.watch(w, r, resource, fault)
			return
		default:
			s.list(w, r, resource, fault)
			return
		}
	}
	refuse(w, http.StatusNotFound)
}

// get answers with one object.
func (s *Server) get(w http.ResponseWriter, r Resource, name string) {
	s.mu.Lock()
	o, ok := s.etcd.objects[r][name]
	s.mu.Unlock()
	if !ok {
		refuse(w, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(o.json)
}
