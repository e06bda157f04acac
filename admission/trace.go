package admission

import (
	"crypto/tls"
	"time"
)

// Trace is a call from close up: what went over the wire, how long each part of it
// took, and what became of the object. It is kept only for those who asked for it
// (dispatcher.Config.Trace), and holds what the objects hold, Secrets included:
// whoever shows it to people has to see to that, as package explain does.
type Trace struct {
	// Began is when the call began.
	Began time.Time
	// Request returns the body that was sent: the AdmissionReview, put together anew
	// each time. It is nil if the call ended before.
	Request func() []byte
	// Response is the body that came back. It is nil if none did, or not the whole
	// of it.
	Response []byte
	// StatusCode is the HTTP status of the answer; 0 if there was none.
	StatusCode int
	// Connection is what the exchange took place on.
	Connection Connection
	// Timing says where the time went.
	Timing Timing

	// Before is the JSON of the object in the version that the webhook asked for,
	// Patched what its patch made of it, and After that with defaults: what the next
	// webhook sees. All three are nil if no patch was applied.
	Before, Patched, After []byte
}

// Connection describes what a review was sent over. It is zero for a handler in the
// same process.
type Connection struct {
	// Address is the address at the other end, as HOST:PORT: where a service or a
	// name led in the end.
	Address string
	// Reused reports whether the connection was there already.
	Reused bool
	// Proto is the protocol of the answer, for example "HTTP/2.0".
	Proto string
	// TLS is the state of TLS, nil without. Only what was negotiated is in it, no
	// certificates.
	TLS *tls.ConnectionState
}

// Timing divides up the time of an exchange. The parts are not all of a call: its
// Duration also has the making of the review and the patching of the object.
type Timing struct {
	// Connect is the time until there was a connection, TLS excluded; 0 if one was
	// there already.
	Connect time.Duration
	// TLS is the time of the handshake.
	TLS time.Duration
	// Wait is the time from when the request was written until the answer began.
	Wait time.Duration
	// Read is the time that it took to read the answer.
	Read time.Duration
}
