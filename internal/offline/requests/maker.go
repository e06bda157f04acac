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
}

// Made is a request.
type Made struct {
	*admission.Request
	// Written is the object of the request as its author wrote it: without
	// defaults, but in the request's namespace, which clients set as well. A
	// patched or applied object is the result of merging, which has the
	// defaults of added fields. It is nil if the request has no object, if its
	// object had another kind or version, or if it comes from an
	// AdmissionReview.
	Written runtime.Object
}

// New returns a Maker. known and merger must have all kinds of the documents.
// known must not change any more.
func New(known *kinds.Registry, merger *merge.Merger, settings Settings) *Maker {
	return &Maker{kinds: known, merger: merger, settings: settings, pairs: newUpdatePairs()}
}

// Make makes the requests of the documents, in order: one for each, except for
// documents that are the stored object of a later one. stored are the stored
// objects of updates. Make is called once.
//
// The error has one line for every bad document. Make returns requests or an
// error, never both.
func (m *Maker) Make(documents, stored []Source) ([]*Made, error) {
	var all []*Made
	var problems []error
	for _, s := range stored {
		problems = append(problems, m.Store(s))
	}
	for _, s := range documents {
		made, err := m.One(s)
		problems = append(problems, err)
		if made != nil {
			all = append(all, made)
		}
	}
	problems = append(problems, m.Unpaired())
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return all, nil
}

// Unpaired returns an error with a line for every document of an UPDATE without
// a counterpart. It is called after the last document.
func (m *Maker) Unpaired() error { return m.pairs.unpaired() }

// Unused returns the stored objects that no document updated.
func (m *Maker) Unused() []Source { return m.pairs.unused() }

// One makes the request of the next document, nil if the document is the stored
// object of a later one. An update keeps its document, which a later one may
// update; otherwise nothing is kept.
func (m *Maker) One(s Source) (*Made, error) {
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
		made, err := m.review(r)
		if err != nil {
			return nil, err
		}
		return &Made{Request: made}, nil
	}
	o, err := m.file(r)
	if err != nil {
		return nil, err
	}
	return m.make(o)
}
