package client

import (
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"example.com/gatehouse/admission"
)

// containing returns panics as errors, which the engine raises again: http.Client
// does not stop its timer when one passes through it.
type containing struct {
	next http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = containing{}

// RoundTrip passes on; the error is an *admission.PanicError after a panic.
func (c containing) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil { // it is nil if the goroutine is ended
			resp, err = nil, admission.Contained(r)
		}
	}()
	resp, err = c.next.RoundTrip(req)
	returned = true
	return resp, err
}

// WrappedRoundTripper lets others look underneath.
func (c containing) WrappedRoundTripper() http.RoundTripper { return c.next }
