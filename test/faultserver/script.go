package faultserver

import (
	"fmt"
	"time"
)

// Script describes the behaviour of a server. The zero value has no faults: it
// accepts connections, has a good certificate, speaks HTTP/1.1 and allows every
// request.
//
// The server numbers connections and requests separately, from its start and in
// the order of arrival. The n-th follows the n-th element of its list; the last
// element applies to all later ones.
type Script struct {
	// Listen is how the server handles attempts to connect. The default accepts
	// them.
	Listen Listening `json:"listen,omitempty"`

	// Connections has the steps of each connection before its first request.
	// The default is a handshake with a good certificate.
	Connections []Connection `json:"connections,omitempty"`

	// Requests has the steps of each request. The default allows it. Unless a
	// request's first step is a read, the server reads the whole request first.
	Requests [][]Step `json:"requests,omitempty"`

	// Other is the script of a second origin (another port) for redirects:
	// {{other}} in a text is its URL. It may not have another origin itself.
	// The default is no second origin.
	Other *Script `json:"other,omitempty"`
}

// Listening is a way to handle attempts to connect.
type Listening string

// The ways to listen.
const (
	// ListenAccept accepts every connection. It is the default.
	ListenAccept Listening = "accept"
	// ListenRefuse does not listen at the address.
	ListenRefuse Listening = "refuse"
	// ListenFull listens with a full queue, so that attempts to connect never
	// finish. On real sockets it needs Linux.
	ListenFull Listening = "full"
)

// Connection has the steps of a connection before its first request.
type Connection struct {
	// Before has the steps on the plain connection, before the TLS handshake:
	// sleep, write, hang and the steps that end a connection.
	Before []Step `json:"before,omitempty"`

	// TLS is the handshake. The zero value is a good one.
	TLS TLS `json:"tls,omitzero"`

	// After has the steps after the handshake: those of Before, and goAway if
	// client and server have negotiated HTTP/2.
	After []Step `json:"after,omitempty"`
}

// TLS is how the server handles the handshake.
type TLS struct {
	// Off serves plain HTTP. The other fields then have no effect.
	Off bool `json:"off,omitempty"`

	// Certificate is the kind of the server's certificate; "" is
	// CertificateGood.
	Certificate Certificate `json:"certificate,omitempty"`

	// MinVersion and MaxVersion are "1.0", "1.1", "1.2" or "1.3". The defaults
	// are 1.2 and 1.3.
	MinVersion string `json:"minVersion,omitempty"`
	MaxVersion string `json:"maxVersion,omitempty"` // see MinVersion

	// ALPN lists the offered protocols. The default is only http/1.1; with "h2"
	// a client may choose HTTP/2.
	ALPN []string `json:"alpn,omitempty"`

	// ClientCertificate requires a certificate from the client, and accepts
	// any.
	ClientCertificate bool `json:"clientCertificate,omitempty"`

	// Stall stops the handshake after the server has sent so many bytes. The
	// default does not stop it.
	Stall *int `json:"stall,omitempty"`
}

// Step is one action of a server. Exactly one field is set.
type Step struct {
	// Sleep waits.
	Sleep Duration `json:"sleep,omitempty"`

	// Read reads from the request.
	Read Read `json:"read,omitempty"`

	// Write writes raw bytes.
	Write *Write `json:"write,omitempty"`

	// Interim writes responses with a code below 200.
	Interim *Interim `json:"interim,omitempty"`

	// Answer writes a response, or part of one.
	Answer *Answer `json:"answer,omitempty"`

	// Hang does nothing until the client closes the connection or the server is
	// closed. After ReadNothing it does not notice when the client closes.
	Hang bool `json:"hang,omitempty"`

	// Close ends the connection properly: TLS's close_notify, then FIN.
	Close bool `json:"close,omitempty"`

	// Cut ends the connection without TLS's close_notify.
	Cut bool `json:"cut,omitempty"`

	// HalfClose ends the server's direction, and continues. It needs real
	// sockets.
	HalfClose bool `json:"halfClose,omitempty"`

	// Reset ends the connection with RST. It needs real sockets.
	Reset bool `json:"reset,omitempty"`

	// GoAway sends HTTP/2's GOAWAY, and continues.
	GoAway *GoAway `json:"goAway,omitempty"`

	// ResetStream sends HTTP/2's RST_STREAM with the code of that name, such as
	// INTERNAL_ERROR or REFUSED_STREAM, and ends the request's steps.
	ResetStream string `json:"resetStream,omitempty"`
}

// Read is the part of a request to read: one of the constants, or a number of
// bytes of the body after the headers ("512").
type Read string

// The named values of Read.
const (
	// ReadNothing reads nothing from here on.
	ReadNothing Read = "nothing"
	// ReadHeaders stops before the body.
	ReadHeaders Read = "headers"
	// ReadAll reads to the end of the body.
	ReadAll Read = "all"
)

// Write contains raw bytes. One of Text and Bytes is set.
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

// GoAway is HTTP/2's message that a connection accepts no more requests.
type GoAway struct {
	// Code is the name of an error code; "" is NO_ERROR.
	Code string `json:"code,omitempty"`
	// LastStream is the last stream that the server claims to have processed. A
	// client may repeat the requests on later ones.
	LastStream uint32 `json:"lastStream,omitempty"`
}

// Pace limits the speed of writing. Rate and Split may be combined.
type Pace struct {
	// Rate is in bytes per second. 0 is as fast as possible.
	Rate int `json:"rate,omitempty"`
	// Split lists offsets, in ascending order, at which the server pauses
	// between two writes.
	Split []int `json:"split,omitempty"`
	// Pause is the time between the parts of Split.
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
