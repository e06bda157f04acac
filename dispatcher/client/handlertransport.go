package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// handlerTransport is a round tripper whose server is a handler in this
// process.
type handlerTransport struct {
	handler http.Handler
}

// RoundTrip runs the handler in its own goroutine and waits for it or for the
// end of the request's context, whichever comes first.
func (t *handlerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	caller := req.Context()
	if caller.Err() != nil {
		closeBody(req)
		return nil, context.Cause(caller)
	}
	// Canceled on every way out: a handler's context ends when the handler has
	// returned or its client has gone, and here one of the two has happened.
	ctx, cancel := context.WithCancel(serverContext{context.WithoutCancel(caller)})
	defer cancel()
	in, err := inbound(ctx, req)
	if err != nil {
		return nil, err
	}
	answer := newRecorder()
	finished := make(chan error, 1)
	go serve(t.handler, answer, in, finished)
	select {
	case err := <-finished:
		return answer.response(req, err)
	case <-caller.Done():
		answer.abandon()
		// The cause, because that is what net/http's own transport returns;
		// mostly it is the context's plain error.
		return nil, context.Cause(caller)
	}
}

// serve runs the handler and reports how it ended, which is with nil only if
// it returned.
func serve(handler http.Handler, w http.ResponseWriter, r *http.Request, finished chan<- error) {
	// Stays if the handler leaves by runtime.Goexit, as t.FailNow does.
	err := errors.New("the webhook's handler ended its goroutine instead of returning")
	defer func() {
		if v := recover(); v != nil {
			// io.EOF is what a client sees of a panic over the network.
			err = fmt.Errorf("the webhook's handler panicked: %v: %w", v, io.EOF)
		}
		finished <- err
	}()
	handler.ServeHTTP(w, r)
	err = nil
}

// inbound is req as a server would see it. The body is read first, so that a
// handler that outlives the call does not read what the caller may reuse.
func inbound(ctx context.Context, req *http.Request) (*http.Request, error) {
	body, err := drain(req)
	if err != nil {
		return nil, fmt.Errorf("read the request's body: %w", err)
	}
	uri := req.URL.RequestURI()
	path, err := url.ParseRequestURI(uri)
	if err != nil {
		return nil, fmt.Errorf("parse the request's URI: %w", err)
	}
	in := (&http.Request{
		Method:        req.Method,
		URL:           path,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        req.Header.Clone(),
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Host:          req.Host,
		RequestURI:    uri,
		RemoteAddr:    "127.0.0.1:0",
	}).WithContext(ctx)
	if in.Host == "" {
		in.Host = req.URL.Host
	}
	if req.Body != nil && req.Body != http.NoBody {
		in.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	return in, nil
}

// drain reads and closes the request's body.
func drain(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	defer closeBody(req)
	return io.ReadAll(req.Body)
}

// serverContext has none of the caller's values: nothing but the request itself
// crosses a network.
type serverContext struct{ context.Context }

// Value finds nothing.
func (serverContext) Value(any) any { return nil }
