package wide

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/test/internal/soak/request"
	"example.com/gatehouse/test/internal/soak/tally"
)

// serviceNamespace is where the services of webhooks are.
const serviceNamespace = "hooks"

// server is all webhooks.
type server struct {
	plan plan
	// act is the plan's, except in tests that break it.
	act      func(phase admission.Phase, index, number int) act
	found    *tally.Findings
	visits   sync.Map // of requests that are under way, by number
	calls    atomic.Int64
	accepted atomic.Int64 // connections

	listener net.Listener
	bundle   []byte
	http     http.Server
}

// listen starts the webhooks.
func listen(ctx context.Context, p plan, found *tally.Findings) (*server, error) {
	authority, err := certs.NewAuthority("gatehouse soak")
	if err != nil {
		return nil, err
	}
	certificate, err := authority.Server("*."+serviceNamespace+".svc", "127.0.0.1")
	if err != nil {
		return nil, err
	}
	s := &server{plan: p, act: p.act, found: found, bundle: authority.Bundle()}
	s.http = http.Server{
		Handler: s.routes(), ErrorLog: log.New(io.Discard, "", 0), ConnState: s.count,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
	}
	if s.listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("starting the webhooks: %w", err)
	}
	go s.http.ServeTLS(s.listener, "", "") //nolint:errcheck // It ends with close.
	return s, nil
}

func (s *server) address() string { return s.listener.Addr().String() }

func (s *server) close() error { return s.http.Close() }

func (s *server) count(_ net.Conn, state http.ConnState) {
	if state == http.StateNew {
		s.accepted.Add(1)
	}
}

// path is where a webhook is.
func path(phase admission.Phase, index int) string {
	return fmt.Sprintf("/%v/%d", phase, index)
}

// routes leads to all webhooks.
func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		for index := range s.plan.each {
			mux.HandleFunc(path(phase, index),
				func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, phase, index) })
		}
	}
	return mux
}

// review is as much of a review as the webhooks read.
type review struct {
	Request struct {
		UID    string `json:"uid"`
		Name   string `json:"name"`
		Object struct {
			Metadata struct {
				Labels map[string]string `json:"labels"`
			} `json:"metadata"`
		} `json:"object"`
	} `json:"request"`
}

// serve is what a webhook does with a review.
func (s *server) serve(w http.ResponseWriter, r *http.Request, phase admission.Phase, index int) {
	s.calls.Add(1)
	var asked review
	err := json.NewDecoder(r.Body).Decode(&asked)
	number, ok := request.Number(asked.Request.Name)
	if err != nil || !ok {
		s.found.Add("%s was sent no review of an object with a number: %v", name(phase, index), err)
		http.Error(w, "no review", http.StatusBadRequest)
		return
	}
	under, known := s.visits.Load(number)
	if !known {
		s.found.Add("%s was asked about request %d when that was over", name(phase, index), number)
		http.Error(w, "over", http.StatusGone)
		return
	}
	under.(*visit).see(s.plan, phase, index, number, asked.Request.Object.Metadata.Labels)
	reply(w, s.act(phase, index, number), asked.Request.UID, index, number)
}
