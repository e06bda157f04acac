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

	pairs pairs
	// written are the objects of requests before defaults.
	written map[*admission.Request]runtime.Object
}

// New returns a maker. known must have all kinds that occur, and not change from now
// on; patches are applied by merger, which has to know the same kinds.
func New(known *kinds.Registry, merger *merge.Merger, settings Settings) *Maker {
	return &Maker{kinds: known, merger: merger, settings: settings, pairs: newPairs(), written: map[*admission.Request]runtime.Object{}}
}

// Make makes the requests that documents ask for, in order: one for each, but for
// the stored objects among them that later ones update. stored are objects that are
// stored already, for updates; they are not asked for anything themselves. It is
// called once.
//
// The error has one line for every document that cannot become a request, or
// cannot be used. There are no requests beside it.
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
	problems = append(problems, m.pairs.lonely())
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return all, nil
}

// Unused returns the stored objects that no document of Make updated.
func (m *Maker) Unused() []Source { return m.pairs.unused() }

// Written returns the object of a request that Make has made as its author wrote it:
// without defaults, but in the request's namespace, which clients write into it as well.
// One that was patched or applied is as it was merged, which sets the defaults of what
// was added. It is nil if nothing can be told from the request's object: there is none,
// it was made of one of another kind or version, or it comes from an AdmissionReview and
// has been through a server. The object is not to be changed.
func (m *Maker) Written(r *admission.Request) runtime.Object { return m.written[r] }

// one makes the request that a document asks for, nil if it only is the stored object
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
