package requests

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requestfile"
)

// Maker makes the requests of one command.
type Maker struct {
	kinds    *kinds.Registry
	settings Settings
	merger   *merge.Merger

	pairs updatePairs
	// written are the objects of requests before defaults.
	written map[*admission.Request]runtime.Object
}

// New returns a Maker. known and merger must have all kinds of the documents.
// known must not change any more.
func New(known *kinds.Registry, merger *merge.Merger, settings Settings) *Maker {
	return &Maker{kinds: known, merger: merger, settings: settings, pairs: newUpdatePairs(),
		written: map[*admission.Request]runtime.Object{}}
}

// Make makes the requests of the documents, in order: one for each, except for
// documents that are the stored object of a later one. stored are the stored
// objects of updates. Make is called once.
//
// The error has one line for every bad document. Make returns requests or an
// error, never both.
func (m *Maker) Make(documents, stored []Source) ([]*admission.Request, error) {
	var all []*admission.Request
	var problems []error
	for _, s := range stored {
		problems = append(problems, m.store(s))
	}
	for _, s := range documents {
		made, err := m.one(s)
		problems = append(problems, err)
		if made != nil {
			all = append(all, made)
		}
	}
	problems = append(problems, m.pairs.unpaired())
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return all, nil
}

// Unused returns the stored objects that no document of Make updated.
func (m *Maker) Unused() []Source { return m.pairs.unused() }

// Written returns the object of a request as its author wrote it: without
// defaults, but in the request's namespace, which clients set as well. A
// patched or applied object is the result of merging, which has the defaults of
// added fields. It is nil if the request has no object, if its object had
// another kind or version, or if it comes from an AdmissionReview. The caller
// must not change the object.
func (m *Maker) Written(r *admission.Request) runtime.Object { return m.written[r] }

// one makes the request of a document, nil if the document is the stored object
// of a later one.
func (m *Maker) one(s Source) (*admission.Request, error) {
	if !requestfile.Is(s.Kind) {
		o, err := m.manifest(s)
		if o == nil {
			return nil, err
		}
		return m.make(o)
	}
	r, err := requestfile.Read(s.Document)
	if err != nil {
		return nil, err
	}
	if r.Review != nil {
		return m.review(r)
	}
	o, err := m.file(r)
	if err != nil {
		return nil, err
	}
	return m.make(o)
}
