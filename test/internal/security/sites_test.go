package security_test

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/certs"
)

// site is a server that keeps everything that arrives. To /to/STATUS/LOCATION
// it answers with a redirect, and to the rest with an allowing review.
type site struct {
	name, addr, port string

	mu sync.Mutex
	// arrived are the requests as received, with the client's user.
	arrived []string
}

// keep records a request. Call it before the body is read.
func (s *site) keep(r *http.Request) {
	dump, err := httputil.DumpRequest(r, true)
	text := string(dump)
	if err != nil {
		text = err.Error()
	}
	if r.TLS != nil {
		for _, c := range r.TLS.PeerCertificates {
			text += "\nclient certificate of " + c.Subject.CommonName
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrived = append(s.arrived, text)
}

// all is everything that has arrived, and how many requests that were.
func (s *site) all() (string, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.arrived, "\n\n"), len(s.arrived)
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.keep(r)
	if rest, ok := strings.CutPrefix(r.URL.Path, "/to/"); ok {
		status, location, _ := strings.Cut(rest, "/")
		code, _ := strconv.Atoi(status)
		to, err := url.QueryUnescape(location)
		if err != nil {
			to = "/"
		}
		w.Header().Set("Location", to)
		w.WriteHeader(code)
		return
	}
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, "no review", http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

// through is the path at which a site redirects to a URL.
func through(status int, to string) string {
	return fmt.Sprintf("/to/%d/%s", status, url.PathEscape(url.QueryEscape(to)))
}

// openSite starts a server at an address of the loopback interface, with TLS if
// it has an authority. It reports false if there is no such address.
func openSite(t *testing.T, name, host string, authority *certs.Authority) (*site, bool) {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, false
	}
	s := &site{name: name, addr: listener.Addr().String()}
	_, s.port, _ = net.SplitHostPort(s.addr)
	serve(t, listener, s, authority, true)
	return s, true
}

// serve has a handler serve until the end of the test, with TLS if there is an
// authority and with HTTP/2 if that is wanted.
func serve(t *testing.T, listener net.Listener, handler http.Handler, authority *certs.Authority, http2 bool) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	_ = server.Listener.Close()
	server.Listener, server.EnableHTTP2 = listener, http2
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	if authority == nil {
		server.Start()
		return
	}
	certificate, err := authority.Server("localhost", "127.0.0.1", "127.0.0.2", "::1", "gate.hooks.svc", "other.hooks.svc")
	if err != nil {
		t.Fatal(err)
	}
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequestClientCert}
	server.StartTLS()
}

// proxy is a site that passes on what it is sent: tunnels, and requests in
// clear.
type proxy struct{ *site }

func openProxy(t *testing.T) proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := proxy{&site{name: "proxy", addr: listener.Addr().String()}}
	serve(t, listener, p, nil, true)
	return p
}

func (p proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.keep(r)
	if r.Method == http.MethodConnect {
		tunnel(w, r.Host)
		return
	}
	(&httputil.ReverseProxy{
		Rewrite:  func(r *httputil.ProxyRequest) { r.Out.Header.Del("Proxy-Authorization") },
		ErrorLog: log.New(io.Discard, "", 0),
		// No connection is left when the test is over.
		Transport: &http.Transport{DisableKeepAlives: true, Proxy: nil},
	}).ServeHTTP(w, r)
}

// tunnel connects the client with an address, until either has enough.
func tunnel(w http.ResponseWriter, address string) {
	there, err := net.Dial("tcp", address)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer there.Close()
	here, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(there, here)
		_ = there.Close()
	}()
	_, _ = io.Copy(here, there)
	_ = here.Close()
	<-done
}
