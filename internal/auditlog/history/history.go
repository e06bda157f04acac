package history

import (
	"encoding/json"
	"time"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
)

// The bounds of the kept events.
const (
	maxEvents = 1000
	maxBytes  = 64 << 20
)

// History collects the events of an object.
type History struct {
	query *Query
	// Dropped is the number of events that were dropped to bound the memory.
	Dropped int

	events []*auditlog.Event
	size   int
}

// Entry is a request.
type Entry struct {
	// AuditID and Time identify the event. File and Line are its position.
	AuditID string    `json:"auditID"`
	Time    time.Time `json:"time"`
	File    string    `json:"file"`
	Line    int       `json:"line"`
	// Verb and Manager are those of the request.
	Verb    string `json:"verb"`
	Manager string `json:"manager,omitempty"`
	// Explanation explains the request. It has the webhooks that have an annotation.
	Explanation *explain.Explanation `json:"explanation"`
}

// New returns an empty History of an object.
func New(q *Query) *History { return &History{query: q} }

// Add keeps the event if it is about the object. It must not be changed later. A body
// whose JSON is broken counts as one that the log does not have.
func (h *History) Add(e *auditlog.Event) {
	if !h.query.Matches(e) {
		return
	}
	own := *e
	own.RequestObject, own.ResponseObject = valid(e.RequestObject), valid(e.ResponseObject)
	h.events = append(h.events, &own)
	h.size += e.Size
	for len(h.events) > maxEvents || h.size > maxBytes {
		h.size -= h.events[0].Size
		h.events = h.events[1:]
		h.Dropped++
	}
}

func valid(body json.RawMessage) json.RawMessage {
	if !json.Valid(body) {
		return nil
	}
	return body
}

// Entries explains the requests, in order. The options are those of package explain, such as
// further paths to hide.
func (h *History) Entries(options ...explain.Option) ([]Entry, error) {
	k, err := newKnown()
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, 0, len(h.events))
	options = append(options, h.secrets())
	var s stored
	for _, e := range h.events {
		r := &request{event: e, known: k}
		if e.Verb != "create" && e.HasWholeObject() {
			r.stored = s
		}
		r.explain(options...)
		entries = append(entries,
			Entry{e.AuditID, e.Time, e.File, e.Line, e.Verb, e.Manager(), r.explanation})
		s = s.after(e)
	}
	return entries, nil
}

// secrets returns the option that hides the data of a Secret in the texts of all requests: a
// webhook may quote what another request had.
func (h *History) secrets() explain.Option {
	var objects []json.RawMessage
	var patches []explain.Operation
	for _, e := range h.events {
		if !e.IsSecret() {
			continue
		}
		patches = appendOperations(patches, e.RequestObject)
		for _, body := range []json.RawMessage{e.RequestObject, e.ResponseObject} {
			if len(body) > 0 && body[0] == '{' {
				objects = append(objects, body)
			}
		}
		for i := range e.Calls {
			patches = appendOperations(patches, e.Calls[i].Patch)
		}
	}
	return explain.SecretIn(objects, patches...)
}

// appendOperations appends the operations of a JSON patch.
func appendOperations(all []explain.Operation, patch json.RawMessage) []explain.Operation {
	var operations []explain.Operation
	if json.Unmarshal(patch, &operations) != nil {
		return all // no JSON patch
	}
	return append(all, operations...)
}
