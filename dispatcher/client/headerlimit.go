package client

import (
	"fmt"
	"net/http"
	"strings"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"example.com/gatehouse/admission/limits"
)

// headerLimit names the limit when net/http has stopped reading a response
// because of its header. The limit itself is the connection pool's.
type headerLimit struct {
	next http.RoundTripper
	// size is the limit in bytes.
	size int64
}

var _ utilnet.RoundTripperWrapper = headerLimit{}

// RoundTrip passes on.
func (l headerLimit) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(req)
	if err != nil && headerExceeded(err) {
		return resp, fmt.Errorf("%w: %w", err, limits.Bytes("ResponseHeader", int(l.size)))
	}
	return resp, err
}

// WrappedRoundTripper lets others look underneath.
func (l headerLimit) WrappedRoundTripper() http.RoundTripper { return l.next }

// headerExceeded knows net/http's errors by their texts, as it exports none:
// those of HTTP/1 and of HTTP/2.
func headerExceeded(err error) bool {
	text := err.Error()
	return strings.Contains(text, "server response headers exceeded") ||
		strings.Contains(text, "response header list larger than advertised limit")
}
