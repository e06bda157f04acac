package client

import (
	"fmt"
	"net/http"
	"strings"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"example.com/gatehouse/admission/limits"
)

// headerLimitTransport adds the name of the limit to net/http's error about a header
// that is too large. The connection pool enforces the limit.
type headerLimitTransport struct {
	next http.RoundTripper
	// limit is in bytes.
	limit int64
}

var _ utilnet.RoundTripperWrapper = headerLimitTransport{}

// RoundTrip implements http.RoundTripper.
func (t headerLimitTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	if err != nil && isHeaderTooLarge(err) {
		return resp, fmt.Errorf("%w: %w", err, limits.Bytes("ResponseHeader", int(t.limit)))
	}
	return resp, err
}

// WrappedRoundTripper implements net.RoundTripperWrapper.
func (t headerLimitTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

// isHeaderTooLarge compares texts, because net/http exports no error: the first is that
// of HTTP/1, the second that of HTTP/2.
func isHeaderTooLarge(err error) bool {
	text := err.Error()
	return strings.Contains(text, "server response headers exceeded") ||
		strings.Contains(text, "response header list larger than advertised limit")
}
