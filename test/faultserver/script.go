package faultserver

import (
	"fmt"
	"time"
)

// Script says how a server behaves. The zero value behaves well: it accepts,
// has a good certificate, speaks HTTP/1.1 and allows every request.
//
// Connections and requests are numbered over the server's whole life, each by
// itself and in the order of arrival. The n-th follows the n-th element of its
// list; the last element serves all that come later.
type Script struct {
	// Listen says what becomes of attempts to connect. The default accepts.
	Listen Listening `json:"listen,omitempty"`

	// Connections says what each connection does before its first request. The
	// default is a handshake with a good certificate.
	Connections []Connection `json:"connections,omitempty"`

	// Requests says what each request leads to. The default allows. Unless a
	// request's first step is a read, the whole request is read first.
	Requests [][]Step `json:"requests,omitempty"`

	// Other is the script of a second origin (another port), to which
	// redirects can lead: {{other}} in a text is its URL. It has no further
	// origin of its own. The default is that there is none.
	Other *Script `json:"other,omitempty"`
}

// Listening is what becomes of attempts to connect.
type Listening string

// The ways to listen.
const (
	// ListenAccept accepts every connection; it is what "" means too.
	ListenAccept Listening = "accept"
	// ListenRefuse has nothing listen at the address.
	ListenRefuse Listening = "refuse"
	// ListenFull listens with a full queue, so that connecting takes for ever.
	// On real sockets it needs Linux.
	ListenFull Listening = "full"
)

// Connection is what a connection does before its first request.
type Connection struct {
	// Before is done on the bare connection, before the TLS handshake: sleep,
	// write, hang and the steps that end a connection.
	Before []Step `json:"before,omitempty"`

	// TLS is the handshake. The zero value is a good one.
	TLS TLS `json:"tls,omitzero"`

	// After is done after the handshake: what Before may, and goAway if HTTP/2
	// was agreed on.
	After []Step `json:"after,omitempty"`
}

// TLS is how the server handles the handshake.
type TLS struct {
	// Off serves plain HTTP. The other fields then have no meaning.
	Off bool `json:"off,omitempty"`

	// Certificate is the kind of the server's certificate; "" is
	// CertificateGood.
	Certificate Certificate `json:"certificate,omitempty"`

	// MinVersion and MaxVersion are "1.0", "1.1", "1.2" or "1.3". The defaults
	// are 1.2 and 1.3.
	MinVersion string `json:"minVersion,omitempty"`
	MaxVersion string `json:"maxVersion,omitempty"` // see MinVersion

	// ALPN lists the protocols that are offered. The default is http/1.1
	// alone; with "h2" a client may choose HTTP/2.
	ALPN []string `json:"alpn,omitempty"`

	// ClientCertificate demands a certificate from the client; any will do.
	ClientCertificate bool `json:"clientCertificate,omitempty"`

	// Stall makes the server fall silent in the handshake after it has sent so
	// many bytes. The default is not to.
	Stall *int `json:"stall,omitempty"`
}

// Step is one thing that a server does. Exactly one field is set.
type Step struct {
	// Sleep waits.
	Sleep Duration `json:"sleep,omitempty"`

	// Read reads from the request.
	Read Read `json:"read,omitempty"`

	// Write writes bytes that are not made into a message.
	Write *Write `json:"write,omitempty"`

	// Interim writes responses with a code below 200.
	Interim *Interim `json:"interim,omitempty"`

	// Answer writes a response, or part of one.
	Answer *Answer `json:"answer,omitempty"`

	// Hang does nothing until the client goes away or the server is closed.
	// After Read has said ReadNothing it does not even notice the client going.
	Hang bool `json:"hang,omitempty"`

	// Close ends the connection in good order: TLS's goodbye, then FIN.
	Close bool `json:"close,omitempty"`

	// Cut ends the connection without TLS's goodbye.
	Cut bool `json:"cut,omitempty"`

	// HalfClose ends the server's direction, and goes on. It needs real
	// sockets.
	HalfClose bool `json:"halfClose,omitempty"`

	// Reset ends the connection with RST. It needs real sockets.
	Reset bool `json:"reset,omitempty"`

	// GoAway sends HTTP/2's GOAWAY, and goes on.
	GoAway *GoAway `json:"goAway,omitempty"`

	// ResetStream sends HTTP/2's RST_STREAM with the code of that name, such as
	// INTERNAL_ERROR or REFUSED_STREAM, and ends the request's steps.
	ResetStream string `json:"resetStream,omitempty"`
}

// Read is how much of a request is read: one of the constants, or a number of
// bytes of the body after the headers ("512").
type Read string

// The readings that have names.
const (
	// ReadNothing leaves everything unread, from here on.
	ReadNothing Read = "nothing"
	// ReadHeaders stops before the body.
	ReadHeaders Read = "headers"
	// ReadAll reads to the end of the body.
	ReadAll Read = "all"
)

// Write is bytes as they are. One of Text and Bytes is set.
type Write struct {
	Text  Text   `json:"text,omitempty"`  // what is written
	Bytes []byte `json:"bytes,omitempty"` // the same for what is not text; base64 in JSON
	Pace  *Pace  `json:"pace,omitempty"`  // the default is as fast as possible
}

// Interim is a run of equal interim responses.
type Interim struct {
	Code    int      `json:"code"`              // 100 to 199
	Times   int      `json:"times,omitempty"`   // 0 stands for 1
	Headers []Header `json:"headers,omitempty"` // of each of them
}

// GoAway is HTTP/2's message that a connection takes no more requests.
type GoAway struct {
	// Code is the name of an error code; "" is NO_ERROR.
	Code string `json:"code,omitempty"`
	// LastStream is the last stream that the server says it has seen to; a
	// client may repeat the requests on later ones.
	LastStream uint32 `json:"lastStream,omitempty"`
}

// Pace is how fast something is written. Rate and Split may be combined.
type Pace struct {
	// Rate is in bytes per second. 0 is as fast as possible.
	Rate int `json:"rate,omitempty"`
	// Split lists offsets, in ascending order, at which a write ends and the
	// next begins, Pause later.
	Split []int `json:"split,omitempty"`
	// Pause is the time between the parts that Split makes.
	Pause Duration `json:"pause,omitempty"`
}

// Duration is a time.Duration that reads "1.5s" in JSON.
type Duration time.Duration

// MarshalText writes what time.ParseDuration reads.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration does.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("reading a duration: %w", err)
	}
	*d = Duration(parsed)
	return nil
}
