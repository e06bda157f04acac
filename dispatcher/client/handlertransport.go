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

// handlerTransport is a round tripper that calls a handler in the same process.
type handlerTransport struct {
	handler http.Handler
}

// RoundTrip runs the handler on a separate goroutine and waits for it or for the end of
// the request's context, whichever comes first.
func (t *handlerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	callerCtx := req.Context()
	if callerCtx.Err() != nil {
		closeBody(req)
		return nil, context.Cause(callerCtx)
	}
	// A server cancels a handler's context when the handler has returned or its client
	// has disconnected; when RoundTrip returns, one of the two has happened.
	ctx, cancel := context.WithCancel(serverContext{context.WithoutCancel(callerCtx)})
	defer cancel()
	in, err := serverRequest(ctx, req)
	if err != nil {
		return nil, err
	}
	rec := newRecorder()
	finished := make(chan error, 1)
	go serve(t.handler, rec, in, finished)
	select {
	case err := <-finished:
		return rec.response(req, err)
	case <-callerCtx.Done():
		rec.close()
		// net/http's transport returns the cause, too; usually it is ctx.Err().
		return nil, context.Cause(callerCtx)
	}
}

// serve runs the handler and reports how it ended: nil if it returned.
func serve(handler http.Handler, w http.ResponseWriter, r *http.Request, finished chan<- error) {
	// The error stays if the handler ends its goroutine with runtime.Goexit, as
	// t.FailNow does.
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

// serverRequest returns req as a server would receive it. It reads the body first: a
// handler that outlives the call must not read a body that the caller may reuse.
func serverRequest(ctx context.Context, req *http.Request) (*http.Request, error) {
	body, err := readRequestBody(req)
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

// readRequestBody reads and closes the request's body.
func readRequestBody(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	defer closeBody(req)
	return io.ReadAll(req.Body)
}

// serverContext hides the caller's values, as a network would.
type serverContext struct{ context.Context }

// Value returns nil for every key.
func (serverContext) Value(any) any { return nil }
