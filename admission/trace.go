package admission

import (
	"crypto/tls"
	"time"
)

// Trace is the detailed record of a call: bodies, connection, timings, and the
// object before and after the patch. The engine records it if
// dispatcher.Config.Trace is set. It contains the objects as they are, Secrets
// included: redact it before you show it, as package explain does.
type Trace struct {
	// Began is when the call began.
	Began time.Time
	// Request returns the AdmissionReview that was sent, in a new slice each
	// time. It is nil if the call ended before.
	Request func() []byte
	// Response is the body of the response; nil if it did not arrive
	// completely.
	Response []byte
	// StatusCode is the HTTP status of the response; 0 if there was none.
	StatusCode int
	// Connection is the connection of the exchange.
	Connection Connection
	// Timing has the durations of the parts of the exchange.
	Timing Timing

	// Before is the JSON of the object in the version of the webhook's rules,
	// Patched the patched object, and After the patched object with defaults,
	// which the next webhook sees. All three are nil if no patch was applied.
	Before, Patched, After []byte
}

// Connection describes the connection of an exchange. It is zero for a handler
// in the same process.
type Connection struct {
	// Address is the remote address as HOST:PORT, after services and names have
	// been resolved.
	Address string
	// Reused reports whether the connection existed before the call.
	Reused bool
	// Proto is the protocol of the response, for example "HTTP/2.0".
	Proto string
	// TLS is the state of TLS, without certificates; nil without TLS.
	TLS *tls.ConnectionState
}

// Timing has the durations of the parts of an exchange. The duration of the
// call also includes building the review and patching the object.
type Timing struct {
	// Connect is the time to connect, without TLS; 0 if the connection was
	// reused.
	Connect time.Duration
	// TLS is the time of the handshake.
	TLS time.Duration
	// Wait is the time from the end of the request to the start of the
	// response.
	Wait time.Duration
	// Read is the time to read the response.
	Read time.Duration
}
