package faultserver

// Answer is a response. The zero value is "200 OK" without a body.
type Answer struct {
	// Proto is the protocol in the status line; "" is HTTP/1.1. HTTP/2 has no
	// such line.
	Proto string `json:"proto,omitempty"`

	// Status is the status code, of any size; 0 stands for 200.
	Status int `json:"status,omitempty"`

	// Headers are sent in this order, after those that the server adds by
	// itself: Content-Type (application/json), Content-Encoding and what the
	// framing needs. A header here replaces the server's own of that name, and
	// with an empty value there is none.
	Headers []Header `json:"headers,omitempty"`

	// Body is the content. The default is none.
	Body *Body `json:"body,omitempty"`

	// Framing says how the client learns where the body ends. In HTTP/2
	// frames do that; only a length is announced, if FramingLength says so.
	Framing Framing `json:"framing,omitempty"`

	// Length is what Content-Length says if not the truth; it may be negative.
	// For the truth the whole body is made before anything is sent: of one that
	// never comes to an end, it is better said what to announce.
	Length *int64 `json:"length,omitempty"`

	// Stop breaks the body off after so many bytes, counted after compression
	// and before framing. What follows is up to the next steps.
	Stop *int64 `json:"stop,omitempty"`

	// Unfinished leaves out what marks the end: the last chunk, or in HTTP/2
	// the flag at the last frame.
	Unfinished bool `json:"unfinished,omitempty"`

	// HeadPace and BodyPace say how fast the two parts are written; a body's
	// offsets are as for Stop. HTTP/2 has no pace for the head. The default is
	// as fast as possible.
	HeadPace *Pace `json:"headPace,omitempty"`
	BodyPace *Pace `json:"bodyPace,omitempty"` // see HeadPace
}

// Header is a line, or several equal ones, in the head of a response.
type Header struct {
	Name  string `json:"name"`            // written as it is, in lower case in HTTP/2
	Value Text   `json:"value,omitempty"` // the text may hold placeholders
	Times int    `json:"times,omitempty"` // 0 stands for 1
}

// Framing says how the end of a body is marked in HTTP/1.
type Framing string

// The framings.
const (
	// FramingLength sends a Content-Length; it is what "" means too.
	FramingLength Framing = "length"
	// FramingChunked sends chunks.
	FramingChunked Framing = "chunked"
	// FramingClose sends the bytes as they are and closes after them, unless a
	// step says otherwise.
	FramingClose Framing = "close"
)

// Body is the content of an answer. At most one of Text, Bytes and Review is
// set; the other fields change what it says, in the order in which they are
// listed.
type Body struct {
	Text   Text    `json:"text,omitempty"`   // with placeholders
	Bytes  []byte  `json:"bytes,omitempty"`  // as they are; base64 in JSON
	Review *Review `json:"review,omitempty"` // an AdmissionReview by its fields

	// Charset is "" for UTF-8, "utf-8-bom", "utf-16le" (with a byte order mark
	// too) or "latin-1", by which a text can have bytes that are not UTF-8.
	Charset string `json:"charset,omitempty"`

	// Keep keeps only so many bytes: the body is incomplete, but its framing is
	// in order.
	Keep *int64 `json:"keep,omitempty"`

	// Pad adds spaces until there are so many bytes.
	Pad int64 `json:"pad,omitempty"`

	// Endless adds spaces until the client goes away.
	Endless bool `json:"endless,omitempty"`

	// Gzip compresses; Pad and Endless cost next to nothing then, which makes a
	// bomb.
	Gzip bool `json:"gzip,omitempty"`
}

// Review is an AdmissionReview with a response. The zero value denies, without
// a status; version and UID are the request's.
type Review struct {
	APIVersion *string `json:"apiVersion,omitempty"` // nil is the request's, "" leaves it out
	Kind       *string `json:"kind,omitempty"`       // nil is AdmissionReview, "" leaves it out
	UID        *string `json:"uid,omitempty"`        // nil is the request's

	Allowed bool    `json:"allowed,omitempty"` // written in any case
	Status  *Status `json:"status,omitempty"`  // the default is none

	// Patch is written in base64. PatchType is then JSONPatch, unless it says
	// otherwise; "-" leaves it out.
	Patch     Text    `json:"patch,omitempty"`
	PatchType *string `json:"patchType,omitempty"` // see Patch

	Warnings         []string          `json:"warnings,omitempty"`         // in this order
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"` // in the order of their keys

	// Fields are members of the response as JSON, valid or not. They replace
	// those of the same name; an empty text leaves the member out.
	Fields map[string]Text `json:"fields,omitempty"`
}

// Status is the status of a denial. What it has no field for can be written in
// Review.Fields.
type Status struct {
	Status            string `json:"status,omitempty"`            // "Success" or "Failure"; left out when empty
	Code              int    `json:"code,omitempty"`              // of any size; left out when 0
	Reason            string `json:"reason,omitempty"`            // left out when empty
	Message           Text   `json:"message,omitempty"`           // left out when empty
	RetryAfterSeconds int    `json:"retryAfterSeconds,omitempty"` // in the details; left out when 0
}
