package dispatcher

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
)

// roundTrip is client.Do for the usual exchange of one request and one
// response. http.Client prepares for redirects, cookies and timeouts, which
// costs more than the rest of the engine does for a call. roundTrip calls
// client.Do for exchanges that need these; a redirect with the response that is
// already there. address is the request's URL.
func roundTrip(client *http.Client, request *http.Request, address string) (*http.Response, error) {
	if client.Transport == nil || client.Jar != nil || client.Timeout != 0 || request.URL.User != nil {
		return client.Do(request)
	}
	response, err := client.Transport.RoundTrip(request)
	switch {
	case err != nil:
		return nil, &url.Error{Op: "Post", URL: address, Err: tlsMismatch(err)}
	case response == nil:
		return nil, &url.Error{Op: "Post", URL: address, Err: fmt.Errorf("%T returned neither a response nor an error", client.Transport)}
	case response.Body == nil:
		response.Body = http.NoBody // http.Client checks it against the Content-Length
	case response.StatusCode/100 == 3:
		rest := *client
		rest.Transport = &replayFirst{response, client.Transport}
		return rest.Do(request)
	}
	return response, nil
}

// tlsMismatch returns http.Client's error if the server does not speak TLS.
func tlsMismatch(err error) error {
	if failed, ok := err.(tls.RecordHeaderError); ok && string(failed.RecordHeader[:]) == "HTTP/" {
		return http.ErrSchemeMismatch
	}
	return err
}

// replayFirst is a RoundTripper whose first response is already there.
type replayFirst struct {
	first *http.Response
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t *replayFirst) RoundTrip(request *http.Request) (*http.Response, error) {
	if first := t.first; first != nil {
		t.first = nil
		return first, nil
	}
	return t.next.RoundTrip(request)
}
