package faultserver

// Answer is a response. The zero value is "200 OK" without a body.
type Answer struct {
	// Proto is the protocol in the status line; "" is HTTP/1.1. HTTP/2 has no
	// such line.
	Proto string `json:"proto,omitempty"`

	// Status is the status code, of any size; 0 stands for 200.
	Status int `json:"status,omitempty"`

	// Headers are sent in this order, after those that the server adds itself:
	// Content-Type (application/json), Content-Encoding and those of the
	// framing. A header here replaces the server's own of that name; with an
	// empty value it removes it.
	Headers []Header `json:"headers,omitempty"`

	// Body is the content. The default is none.
	Body *Body `json:"body,omitempty"`

	// Framing is how the response marks the end of the body. In HTTP/2 frames
	// do that, and FramingLength only adds a Content-Length.
	Framing Framing `json:"framing,omitempty"`

	// Length overrides the value of Content-Length; it may be negative. Without
	// it, the server builds the whole body before it sends anything. So set it
	// for an endless body.
	Length *int64 `json:"length,omitempty"`

	// Stop ends the body after so many bytes, counted after compression and
	// before framing. The next steps follow.
	Stop *int64 `json:"stop,omitempty"`

	// Unfinished omits the mark of the end: the last chunk, or in HTTP/2 the
	// flag of the last frame.
	Unfinished bool `json:"unfinished,omitempty"`

	// HeadPace and BodyPace limit the speed of writing the two parts. Offsets
	// in the body count as for Stop. HTTP/2 has no pace for the head. The
	// default is as fast as possible.
	HeadPace *Pace `json:"headPace,omitempty"`
	BodyPace *Pace `json:"bodyPace,omitempty"` // see HeadPace
}

// Header is a line, or several equal ones, in the head of a response.
type Header struct {
	Name  string `json:"name"`            // written as it is, in lower case in HTTP/2
	Value Text   `json:"value,omitempty"` // the text may hold placeholders
	Times int    `json:"times,omitempty"` // 0 stands for 1
}

// Framing is the way to mark the end of a body in HTTP/1.
type Framing string

// The framings.
const (
	// FramingLength sends a Content-Length. It is the default.
	FramingLength Framing = "length"
	// FramingChunked sends chunks.
	FramingChunked Framing = "chunked"
	// FramingClose sends the bytes without framing and then closes the
	// connection, unless a step does otherwise.
	FramingClose Framing = "close"
)

// Body is the content of an answer. At most one of Text, Bytes and Review is
// set. The other fields transform it, in the order in which they are listed.
type Body struct {
	Text   Text    `json:"text,omitempty"`   // with placeholders
	Bytes  []byte  `json:"bytes,omitempty"`  // as they are; base64 in JSON
	Review *Review `json:"review,omitempty"` // an AdmissionReview by its fields

	// Charset is "" for UTF-8, "utf-8-bom", "utf-16le" (also with a byte order
	// mark) or "latin-1", with which a text can contain bytes that are not
	// UTF-8.
	Charset string `json:"charset,omitempty"`

	// Keep truncates the body to so many bytes: it is incomplete, but its
	// framing is correct.
	Keep *int64 `json:"keep,omitempty"`

	// Pad adds spaces up to so many bytes.
	Pad int64 `json:"pad,omitempty"`

	// Endless adds spaces until the client closes the connection.
	Endless bool `json:"endless,omitempty"`

	// Gzip compresses the body. With Pad or Endless, that makes a decompression
	// bomb.
	Gzip bool `json:"gzip,omitempty"`
}

// Review is an AdmissionReview with a response. The zero value denies the
// request, without a status, with the version and UID of the request.
type Review struct {
	APIVersion *string `json:"apiVersion,omitempty"` // nil is the request's, "" leaves it out
	Kind       *string `json:"kind,omitempty"`       // nil is AdmissionReview, "" leaves it out
	UID        *string `json:"uid,omitempty"`        // nil is the request's

	Allowed bool    `json:"allowed,omitempty"` // written in any case
	Status  *Status `json:"status,omitempty"`  // the default is none

	// Patch is sent in base64. PatchType is then JSONPatch by default; "-"
	// omits it.
	Patch     Text    `json:"patch,omitempty"`
	PatchType *string `json:"patchType,omitempty"` // see Patch

	Warnings         []string          `json:"warnings,omitempty"`         // in this order
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"` // in the order of their keys

	// Fields are members of the response as JSON, valid or not. They replace
	// those of the same name; an empty text omits the member.
	Fields map[string]Text `json:"fields,omitempty"`
}

// Status is the status of a denial. Use Review.Fields for other fields.
type Status struct {
	Status            string `json:"status,omitempty"`            // "Success" or "Failure"; left out when empty
	Code              int    `json:"code,omitempty"`              // of any size; left out when 0
	Reason            string `json:"reason,omitempty"`            // left out when empty
	Message           Text   `json:"message,omitempty"`           // left out when empty
	RetryAfterSeconds int    `json:"retryAfterSeconds,omitempty"` // in the details; left out when 0
}
