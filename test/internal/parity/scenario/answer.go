package scenario

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Answer is a webhook's response to a review, in the version of the review. The
// zero Answer denies without a message.
type Answer struct {
	// When is the condition of the answer; the first answer whose condition
	// holds is sent. If none holds the webhook responds with 500.
	When *When `json:"when,omitempty"`
	// Delay passes before the answer is sent.
	Delay metav1.Duration `json:"delay,omitempty"`

	Allowed bool `json:"allowed,omitempty"`
	// Patch is a JSON patch as text, which need not be valid. It is sent in
	// base64, with PatchType JSONPatch unless NoPatchType.
	Patch            string            `json:"patch,omitempty"`
	NoPatchType      bool              `json:"noPatchType,omitempty"`
	Result           *metav1.Status    `json:"result,omitempty"`
	Warnings         []string          `json:"warnings,omitempty"`
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`

	// UID and APIVersion, if not empty, replace the review's own.
	UID        string `json:"uid,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
	// NoResponse leaves the response out of the review.
	NoResponse bool `json:"noResponse,omitempty"`
	// Body, if not nil, is sent instead. {{uid}} and {{apiVersion}} are
	// replaced by those of the review.
	Body *string `json:"body,omitempty"`
	// Gzip compresses the body and sets Content-Encoding.
	Gzip bool `json:"gzip,omitempty"`
	// Status is the HTTP status code; zero means 200.
	Status int `json:"status,omitempty"`
	// Header are further header fields.
	Header map[string]string `json:"header,omitempty"`
	// Late has the deadline of the request that is being admitted pass as soon
	// as the review is there. There is no answer; the webhook waits until its
	// client is gone.
	Late bool `json:"late,omitempty"`
	// Reset closes the connection without an answer.
	Reset bool `json:"reset,omitempty"`
}

// When looks at the object of a review, or at its oldObject if there is none.
type When struct {
	// Path is a JSON pointer.
	Path string `json:"path"`
	// Is, if not nil, is the value that has to be there; otherwise any will do.
	Is json.RawMessage `json:"is,omitempty"`
	// Not turns the condition around.
	Not bool `json:"not,omitempty"`
}
