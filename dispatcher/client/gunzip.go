package client

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// gunzipTransport accepts and decodes gzip for in-process webhooks, as
// net/http's transport does on the network, so that a handler that compresses
// behaves the same in both cases.
type gunzipTransport struct{ wrapper }

// RoundTrip does not change requests that have an Accept-Encoding.
func (t gunzipTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Accept-Encoding") != "" {
		return t.next.RoundTrip(req)
	}
	out := req.Clone(req.Context())
	out.Header.Set("Accept-Encoding", "gzip")
	resp, err := t.next.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	resp.Request = req
	if resp.ContentLength != 0 && strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		resp.Body = &gunzipBody{compressed: resp.Body}
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
		resp.ContentLength = unknownLength
		resp.Uncompressed = true
	}
	return resp, nil
}

// gunzipBody decompresses a body as it is read, so that the reader's size limit
// bounds the work.
type gunzipBody struct {
	compressed io.ReadCloser
	plain      *gzip.Reader
}

// Read reads the gzip header before the first byte.
func (g *gunzipBody) Read(p []byte) (int, error) {
	if g.plain == nil {
		plain, err := gzip.NewReader(g.compressed)
		if err == io.EOF {
			return 0, io.EOF
		}
		if err != nil {
			return 0, fmt.Errorf("decompress the response: %w", err)
		}
		g.plain = plain
	}
	return g.plain.Read(p)
}

// Close closes the compressed body.
func (g *gunzipBody) Close() error { return g.compressed.Close() }
