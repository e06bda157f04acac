package record

import (
	"cmp"
	"slices"
)

// Reason is why requests are left out.
type Reason string

// The reasons.
const (
	// What the log does not have.
	Metadata    Reason = "metadata"
	Truncated   Reason = "truncated"
	NoBody      Reason = "noBody"
	NoResponse  Reason = "noResponse"
	NoOldObject Reason = "noOldObject"
	OtherWrite  Reason = "otherWrite"
	PatchType   Reason = "patchType"
	PatchResult Reason = "patchResult"
	Defaults    Reason = "defaults"
	Changed     Reason = "changed"
	// What cannot be made of the log.
	Collection   Reason = "collection"
	Connection   Reason = "connection"
	Subresource  Reason = "subresource"
	Version      Reason = "version"
	Confidential Reason = "confidential"
	Repeated     Reason = "repeated"
	Invalid      Reason = "invalid"
	// What did not end by the webhooks and policies.
	Unauthorized Reason = "unauthorized"
	Conflict     Reason = "conflict"
	NotValid     Reason = "notValid"
	OtherRefusal Reason = "otherRefusal"
	ServerError  Reason = "serverError"
)

// texts describe the reasons.
var texts = map[Reason]string{
	Metadata:     "the event is at the level Metadata: it has no bodies",
	Truncated:    "the log's backend dropped the bodies, because the event was too large",
	NoBody:       "the event has no body of the request",
	NoResponse:   "the event does not say how the request ended",
	NoOldObject:  "the log does not have the object as it was stored before",
	OtherWrite:   "the log lacks a write of the object before this one",
	PatchType:    "the log does not have the type of the patch, which this patch needs",
	PatchResult:  "the result of the patch is not the object that was stored",
	Defaults:     "the log does not have the result of the patch of a custom resource",
	Changed:      "the server changed the object before validating webhooks saw it",
	Collection:   "it deletes a collection, and the log does not have the objects",
	Connection:   "it is a CONNECT, and the log does not have its options",
	Subresource:  "the old object of the subresource comes from another object",
	Version:      "the log has the stored object only in another version",
	Confidential: "it has a Secret or a token, and a corpus never has their data",
	Repeated:     "the log has the request twice",
	Invalid:      "the request in the log cannot be read",
	Unauthorized: "authentication or authorization rejected it",
	Conflict:     "it conflicted with the stored object, or the object does not exist",
	NotValid:     "the object or the request was not valid",
	OtherRefusal: "another admission plugin denied it",
	ServerError:  "the server failed, or was too busy",
}

// Left counts requests that are left out for a reason.
type Left struct {
	Reason Reason `json:"reason"`
	// Text describes the reason.
	Text     string `json:"text"`
	Requests int    `json:"requests"`
	// Example is the audit ID of the first one.
	Example string `json:"example"`
}

// Report has the share of the requests that is in the corpus.
type Report struct {
	// Requests is the number of requests that were examined, and Recorded that of those in
	// the corpus.
	Requests int `json:"requests"`
	Recorded int `json:"recorded"`
	// Of those recorded, Denied were denied, and Redacted have values that are not the
	// original ones.
	Denied   int `json:"denied,omitempty"`
	Redacted int `json:"redacted,omitempty"`
	// Assumed are those recorded whose old object is the last answer for the object,
	// although the request names no resourceVersion to compare: the log must have each
	// write of the object.
	Assumed int `json:"assumed,omitempty"`
	// Left are the reasons why the others are left out, the most frequent first.
	Left []Left `json:"left"`
}

// Report returns what was counted.
func (r *Recorder) Report() *Report {
	report := r.report
	report.Left = []Left{}
	for _, l := range r.left {
		report.Left = append(report.Left, *l)
	}
	slices.SortFunc(report.Left, func(a, b Left) int {
		return cmp.Or(b.Requests-a.Requests, cmp.Compare(a.Reason, b.Reason))
	})
	return &report
}

// leave counts a request that is left out.
func (r *Recorder) leave(reason Reason, auditID string) {
	l := r.left[reason]
	if l == nil {
		l = &Left{Reason: reason, Text: texts[reason], Example: auditID}
		r.left[reason] = l
	}
	l.Requests++
}
