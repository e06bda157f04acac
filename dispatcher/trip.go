package dispatcher

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
)

// trip is client.Do for what nearly every exchange is: one request and one answer.
// http.Client prepares for redirects, cookies and timeouts, which costs more than
// all the rest of the engine does about a call. Whatever needs these is left to it;
// a redirect together with the answer that said so. The address is the request's.
func trip(client *http.Client, request *http.Request, address string) (*http.Response, error) {
	if client.Transport == nil || client.Jar != nil || client.Timeout != 0 || request.URL.User != nil {
		return client.Do(request)
	}
	response, err := client.Transport.RoundTrip(request)
	switch {
	case err != nil:
		return nil, &url.Error{Op: "Post", URL: address, Err: scheme(err)}
	case response == nil:
		return nil, &url.Error{Op: "Post", URL: address, Err: fmt.Errorf("%T returned neither a response nor an error", client.Transport)}
	case response.Body == nil:
		response.Body = http.NoBody // a client would mind if one was announced
	case response.StatusCode/100 == 3:
		rest := *client
		rest.Transport = &answered{response, client.Transport}
		return rest.Do(request)
	}
	return response, nil
}

// scheme tells a server that speaks no TLS from others that fail.
func scheme(err error) error {
	if failed, ok := err.(tls.RecordHeaderError); ok && string(failed.RecordHeader[:]) == "HTTP/" {
		return http.ErrSchemeMismatch
	}
	return err
}

// answered is a round tripper whose first answer is in.
type answered struct {
	first *http.Response
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (a *answered) RoundTrip(request *http.Request) (*http.Response, error) {
	if first := a.first; first != nil {
		a.first = nil
		return first, nil
	}
	return a.next.RoundTrip(request)
}
