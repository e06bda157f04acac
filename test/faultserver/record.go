package faultserver

import (
	"net/http"
	"slices"
)

// Record contains the connections and requests of one origin of a server.
type Record struct {
	Connections int       // that were accepted
	Handshakes  int       // that were completed
	Bytes       int64     // that arrived, TLS's own included
	Requests    []Request // in the order of arrival; the first 1000, and none after Forget
	More        int       // requests that are not among those
	Problems    []string  // steps that could not be done as the client behaved; the first 100
}

// Request is the part of a request that arrived. Fields stay empty until the
// script reads them.
type Request struct {
	Connection int         // its number, from 0
	Proto      string      // such as HTTP/1.1
	Method     string      // such as POST
	Path       string      // with the query
	Host       string      // as the client says
	Header     http.Header // without Host
	Body       []byte      // the first 4 MiB
	Bytes      int64       // of the body
}

const (
	maxRequests = 1000
	maxProblems = 100
	maxBody     = 4 << 20
)

// Record returns the record so far. The caller owns it.
func (s *Server) Record() Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.record
	r.Requests, r.Problems = slices.Clone(r.Requests), slices.Clone(r.Problems)
	for i, request := range r.Requests {
		// A body that is being read still grows, never changes; headers are
		// replaced as a whole.
		r.Requests[i].Header = request.Header.Clone()
		r.Requests[i].Body = slices.Clone(request.Body)
	}
	return r
}

// Forget drops the recorded requests. The server then only counts later ones,
// in More. Use it for servers that run for hours. It also applies to the second
// origin.
func (s *Server) Forget() {
	if s.other != nil {
		s.other.Forget()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetful = true
	s.record.More += len(s.record.Requests)
	s.record.Requests = nil
}

// change writes to the record.
func (s *Server) change(do func(*Record)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do(&s.record)
}

// problem keeps what a reader of the record would wonder about.
func (s *Server) problem(text string) {
	s.change(func(r *Record) {
		if len(r.Problems) < maxProblems {
			r.Problems = append(r.Problems, text)
		}
	})
}

// entry is a request on its way into the record.
type entry struct {
	server *Server
	index  int     // in the record; -1 if there is no room
	copy   Request // what answers are made from
}

// enter numbers a request and returns the steps that it leads to.
func (s *Server) enter(connection int) (*entry, []Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := s.arrived
	s.arrived++
	e := &entry{server: s, index: -1, copy: Request{Connection: connection}}
	if len(s.record.Requests) < maxRequests && !s.forgetful {
		e.index = len(s.record.Requests)
		s.record.Requests = append(s.record.Requests, e.copy)
	} else {
		s.record.More++
	}
	return e, stepsOf(s.script.Requests, number)
}

// stepsOf returns the steps of the n-th request, with the reading that goes
// without saying.
func stepsOf(requests [][]Step, n int) []Step {
	steps := []Step{{Answer: &Answer{Body: &Body{Review: &Review{Allowed: true}}}}}
	if len(requests) > 0 {
		steps = requests[min(n, len(requests)-1)]
	}
	if len(steps) > 0 && steps[0].Read != "" {
		return steps
	}
	return append([]Step{{Read: ReadAll}}, steps...)
}

// update changes the request and the record alike.
func (e *entry) update(do func(*Request)) {
	e.server.mu.Lock()
	defer e.server.mu.Unlock()
	do(&e.copy)
	if e.index >= 0 && e.index < len(e.server.record.Requests) {
		e.server.record.Requests[e.index] = e.copy
	}
}

// Write records a part of the body.
func (e *entry) Write(p []byte) (int, error) {
	e.update(func(r *Request) {
		r.Bytes += int64(len(p))
		free := max(0, maxBody-len(r.Body))
		r.Body = append(r.Body, p[:min(free, len(p))]...)
	})
	return len(p), nil
}

// body returns what has been read of the body.
func (e *entry) body() []byte {
	e.server.mu.Lock()
	defer e.server.mu.Unlock()
	return slices.Clip(e.copy.Body)
}

// head keeps the headers.
func (e *entry) head(h *http.Request) {
	e.update(func(r *Request) {
		r.Proto, r.Method, r.Path, r.Host = h.Proto, h.Method, h.URL.RequestURI(), h.Host
		r.Header = h.Header.Clone()
	})
}
