package transport

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptrace"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// connections are the checks of how connections are used.
func connections() []check.Check {
	return []check.Check{
		{
			Check: report.Check{
				ID: "C-KEEP-ALIVE", Group: report.Protocol, Level: report.Should,
				Title: "keeps connections open",
				Why:   "kube-apiserver keeps connections for the next review. Without that every review pays for a TCP and a TLS handshake, out of its own timeout, and the webhook's server computes a signature for each.",
				Fix:   "Leave keep-alive on: no SetKeepAlivesEnabled(false), no \"Connection: close\". Read request bodies to their end.",
			},
			Each: keepsAlive,
		},
		{
			Check: report.Check{
				ID: "C-HTTP2", Group: report.Protocol, Level: report.Should,
				Title: "speaks HTTP/2 if it says so",
				Why:   "kube-apiserver offers HTTP/2 to webhooks whose URL is a loopback one, and proxies and meshes on the way offer it to others. All can do without it, but when the server has chosen it in the TLS handshake there is no way back: every call fails.",
				Fix:   "Serve HTTP/2 where NextProtos has \"h2\", or take it out of there. net/http does both by itself as long as TLSNextProto is not set.",
			},
			Each: speaksHTTP2,
		},
	}
}

func keepsAlive(ctx context.Context, w *probe.Webhook, r *check.Record) {
	typical := w.Typical()
	if len(typical) == 0 {
		r.Lacks(check.Unanswered)
		return
	}
	client := clientOf(w, false)
	defer client.CloseIdleConnections()
	reused := false
	trace := &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { reused = got.Reused }}
	ask := probe.Ask{Sample: typical[0].Sample, Review: typical[0].Again(), Client: client}
	first := w.Ask(ctx, ask)
	second := w.Ask(httptrace.WithClientTrace(ctx, trace), ask)
	evidence := check.Finding{Sample: ask.Sample, Evidence: []*probe.Exchange{first, second}}
	switch {
	case probe.Unconnected(first.Err):
		r.Lacks("there is no connection: %v", first.Err)
	case first.Answer == nil:
		r.Find(evidence, "there is no answer over HTTP/1.1: %s", first.Outcome())
	case !reused:
		r.Find(evidence, "the server closed the connection after an answer")
	case second.Answer == nil:
		r.Find(evidence, "there is no answer to a second review on the same connection: %s", second.Outcome())
	default:
		r.Saw()
	}
}

func speaksHTTP2(ctx context.Context, w *probe.Webhook, r *check.Record) {
	typical := w.Typical()
	if len(typical) == 0 {
		r.Lacks(check.Unanswered)
		return
	}
	server := serverOf(ctx, w, r)
	if server == nil {
		return
	}
	if !server.HTTP2 {
		r.Lacks("the server does not choose HTTP/2, which kube-apiserver can do without")
		return
	}
	met, client := typical[0], clientOf(w, true)
	defer client.CloseIdleConnections()
	r.Saw()
	x := w.Ask(ctx, probe.Ask{Sample: met.Sample, Review: met.Again(), Client: client})
	if x.Answer == nil {
		r.Fail(x, "the server chooses HTTP/2 and has no answer then: %s", x.Outcome())
	}
}

// clientOf returns a client with connections of its own, which offers HTTP/2 besides
// HTTP/1.1 or does not. Idle connections have to be closed.
func clientOf(w *probe.Webhook, http2 bool) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(http2)
	return &http.Client{Transport: &http.Transport{
		DialContext: w.Dial,
		Protocols:   protocols,
		// The certificate is for other checks.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12},
	}}
}
