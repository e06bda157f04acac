package client

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// gunzip offers gzip to in-process webhooks and undoes it, as net/http's
// transport does for those on the network; a handler that compresses then shows
// the same behaviour in both places.
type gunzip struct {
	next http.RoundTripper
}

// RoundTrip leaves requests alone that ask for an encoding themselves.
func (g gunzip) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Accept-Encoding") != "" {
		return g.next.RoundTrip(req)
	}
	out := req.Clone(req.Context())
	out.Header.Set("Accept-Encoding", "gzip")
	resp, err := g.next.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	resp.Request = req
	if resp.ContentLength != 0 && strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		resp.Body = &gunzipped{compressed: resp.Body}
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
		resp.ContentLength = unknownLength
		resp.Uncompressed = true
	}
	return resp, nil
}

// gunzipped is a body that is decompressed as it is read, so that the reader's
// size limit bounds the work.
type gunzipped struct {
	compressed io.ReadCloser
	plain      *gzip.Reader
}

// Read reads the gzip header first, when it has not been read.
func (g *gunzipped) Read(p []byte) (int, error) {
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
func (g *gunzipped) Close() error { return g.compressed.Close() }
