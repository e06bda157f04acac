package client

import (
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"example.com/gatehouse/admission"
)

// recoverTransport returns panics as errors, because http.Client does not stop its
// timer when a panic passes through it. The engine raises them again.
type recoverTransport struct {
	next http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = recoverTransport{}

// RoundTrip returns an *admission.PanicError after a panic.
func (t recoverTransport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil { // nil after runtime.Goexit
			resp, err = nil, admission.Contained(r)
		}
	}()
	resp, err = t.next.RoundTrip(req)
	returned = true
	return resp, err
}

// WrappedRoundTripper implements net.RoundTripperWrapper.
func (t recoverTransport) WrappedRoundTripper() http.RoundTripper { return t.next }
