package transport

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptrace"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func keepsAlive(ctx context.Context, w *probe.Webhook, met *probe.Exchange, r *check.Record) {
	client := clientOf(w, false)
	defer client.CloseIdleConnections()
	reused := false
	trace := &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { reused = got.Reused }}
	ask := probe.RawRequest{Sample: met.Sample, Review: met.ReviewCopy(), Client: client}
	first := w.Do(ctx, ask)
	second := w.Do(httptrace.WithClientTrace(ctx, trace), ask)
	evidence := check.Finding{Sample: ask.Sample, Evidence: []*probe.Exchange{first, second}}
	switch {
	case probe.IsDialError(first.Err):
		r.Missing("there is no connection: %v", first.Err)
	case first.Answer == nil:
		r.Add(evidence, "there is no answer over HTTP/1.1: %s", first.Outcome())
	case !reused:
		r.Add(evidence, "the server closed the connection after an answer")
	case second.Answer == nil:
		r.Add(
			evidence, "there is no answer to a second review on the same connection: %s", second.Outcome())
	default:
		r.Checked()
	}
}

func speaksHTTP2(ctx context.Context, w *probe.Webhook, met *probe.Exchange, r *check.Record) {
	server := serverOf(ctx, w, r)
	if server == nil {
		return
	}
	if !server.HTTP2 {
		r.Missing("the server does not choose HTTP/2, which kube-apiserver can do without")
		return
	}
	client := clientOf(w, true)
	defer client.CloseIdleConnections()
	r.Checked()
	x := w.Do(ctx, probe.RawRequest{Sample: met.Sample, Review: met.ReviewCopy(), Client: client})
	if x.Answer == nil {
		r.Fail(x, "the server chooses HTTP/2 and has no answer then: %s", x.Outcome())
	}
}

// clientOf returns a client with separate connections, with or without HTTP/2.
// The caller closes idle connections.
func clientOf(w *probe.Webhook, http2 bool) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(http2)
	return &http.Client{Transport: &http.Transport{
		DialContext: w.Config().Dial,
		Protocols:   protocols,
		// other checks verify the certificate
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12},
	}}
}
