package requests

import (
	"crypto/rand"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

const (
	maxRequests = 500
	maxBytes    = 64 << 20
	// maxBodies bounds the reviews that are kept of one request, in bytes.
	maxBodies = 8 << 20
)

// Log keeps the last requests. New creates it.
type Log struct {
	// instance distinguishes this Log from those of earlier servers.
	instance string

	mu sync.Mutex
	// entries are in the order of their IDs, without gaps.
	entries []*entry
	lastID  int64
	bytes   int
}

// New returns an empty Log.
func New() *Log { return &Log{instance: rand.Text()} }

// entry is a request that is kept. It is read-only.
type entry struct {
	id       int64
	bytes    int
	response *admission.Response
	// item makes the entry of the list when it is first called.
	item func() Item
}

// List is the JSON at Path.
type List struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind RequestList.
	metav1.TypeMeta `json:",inline"`
	// Items are the requests, latest first.
	Items []Item `json:"items"`
}

// Item is a request in a List. It has no objects.
type Item struct {
	// ID numbers the requests of a server.
	ID int64 `json:"id"`
	// Time is the start of the webhooks' part of admission.
	Time metav1.MicroTime `json:"time"`
	// Request has no Object, OldObject and Options.
	Request explain.Request `json:"request"`
	// Allowed reports whether the request was allowed.
	Allowed bool `json:"allowed"`
	// Status is the error that the client receives; nil if Allowed, and if the
	// server ended the request between the phases.
	Status *metav1.Status `json:"status,omitempty"`
	// Calls is the number of calls to webhooks.
	Calls int `json:"calls"`
	// Seconds is the duration of admission.
	Seconds float64 `json:"seconds"`
}

// Add keeps a request. The Log then owns r: the caller must not modify it, but
// may explain it.
func (l *Log) Add(r *admission.Response) {
	e := &entry{bytes: compact(r), response: r}
	e.item = sync.OnceValue(e.newItem)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastID++
	e.id = l.lastID
	l.entries = append(l.entries, e)
	l.bytes += e.bytes
	for len(l.entries) > maxRequests || l.bytes > maxBytes {
		l.bytes -= l.entries[0].bytes
		l.entries = slices.Delete(l.entries, 0, 1)
	}
}

// latest returns the entries, latest first, and the last ID.
func (l *Log) latest() ([]*entry, int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := slices.Clone(l.entries)
	slices.Reverse(entries)
	return entries, l.lastID
}

// find returns the entry with an ID; nil if there is none.
func (l *Log) find(id int64) *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.lastID - int64(len(l.entries)) + 1
	if id < first || id > l.lastID {
		return nil
	}
	return l.entries[id-first]
}

// newItem returns the entry of the list. Webhooks may quote Secrets in a
// Status, so all of it comes from an explanation, which is redacted.
func (e *entry) newItem() Item {
	explained := explain.Response(e.response, explain.ReasonsOnly())
	request := explained.Request
	request.Object, request.OldObject, request.Options = nil, nil, nil
	return Item{
		ID: e.id, Time: metav1.NewMicroTime(e.response.Began), Request: request,
		Allowed: explained.Allowed, Status: explained.Status, Calls: len(e.response.Calls),
		Seconds: explained.Seconds,
	}
}

// document returns the explanation of the request.
func (e *entry) document() *explain.Document {
	return &explain.Document{
		TypeMeta: metav1.TypeMeta{APIVersion: explain.APIVersion, Kind: explain.Kind},
		Items:    []*explain.Explanation{explain.Response(e.response, explain.WithBodies())},
	}
}
