package cluster

import (
	"errors"
	"fmt"
	"io"

	rbacv1 "k8s.io/api/rbac/v1"

	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Read reads all files, and teaches known the kinds that they define. Its error has
// one line for every document with a mistake, in the order in which they were found.
// That there is nothing to admit is one, too, unless it is Optional.
func Read(f *Files, known *kinds.Registry) (*Set, error) {
	in := &Set{kinds: known, places: map[identity]string{}, described: map[identity]role{}, pairs: f.Pairs}
	// Kinds may be defined after they are used, in another file even.
	documents := map[role][]*manifest.Document{}
	documents[configuring] = in.read(f.Configs, configuring, f.Stdin)
	for _, d := range f.Inline {
		documents[configuring] = in.opened(documents[configuring], d, configuring)
	}
	documents[authorizing] = in.read(f.RBAC, authorizing, f.Stdin)
	documents[storing] = in.read(f.Old, storing, f.Stdin)
	documents[admitting] = in.read(f.Objects, admitting, f.Stdin)
	for _, r := range []role{configuring, authorizing, storing, admitting} {
		for _, d := range documents[r] {
			in.sort(d, r, f.Namespace)
		}
	}
	if len(in.problems) == 0 && len(in.Objects) == 0 && !(f.Optional && len(f.Objects) == 0) {
		in.note(in.nothing())
	}
	if err := errors.Join(in.problems...); err != nil {
		return nil, err
	}
	return in, nil
}

// read returns the documents of files, and teaches the kinds that they define.
func (in *Set) read(paths []string, r role, stdin io.Reader) []*manifest.Document {
	var documents []*manifest.Document
	for d, err := range manifest.Filled(paths, stdin) {
		if err != nil {
			in.note(err)
			continue
		}
		documents = in.opened(documents, d, r)
	}
	return documents
}

// opened adds a document to those that are still to be sorted, unless it defines a kind,
// which is taught.
func (in *Set) opened(rest []*manifest.Document, d *manifest.Document, r role) []*manifest.Document {
	if err := in.open(d, r); err != nil {
		in.note(err)
		return rest
	}
	// Among the arguments a definition is both, like a Namespace.
	if definesKind(d) && r == configuring {
		return rest
	}
	return append(rest, d)
}

// open takes from a document what others need to be understood.
func (in *Set) open(d *manifest.Document, r role) error {
	switch {
	case r == authorizing && !isPolicy(d.Kind):
		return d.Wrap("kind", fmt.Errorf("kind: %s is not of %s, which is all that --authorizer reads",
			d.Kind.Kind, rbacv1.SchemeGroupVersion))
	case definesKind(d) && r != storing:
		return in.teach(d, r)
	}
	return nil
}

// note keeps a problem, if there is one.
func (in *Set) note(problem error) {
	if problem != nil {
		in.problems = append(in.problems, problem)
	}
}

// sort puts a document where it belongs, or notes what is wrong with it.
func (in *Set) sort(d *manifest.Document, r role, namespace string) {
	switch {
	case r == storing:
		in.note(in.store(d))
		return
	case webhookconfig.Is(d.Kind):
		in.sortConfiguration(d)
		return
	case requestfile.Is(d.Kind):
		in.ask(requests.Source{Document: d}, r)
		return
	}
	object, err := in.kinds.Decode(d)
	if err != nil {
		in.note(err)
		return
	}
	if err := in.place(requests.Source{Document: d, Object: object}, r, namespace); err != nil {
		in.note(blame(d, err))
	}
}

// store keeps a stored object.
func (in *Set) store(d *manifest.Document) error {
	if requestfile.Is(d.Kind) {
		return d.Wrap("kind", fmt.Errorf("kind: %s is a request: --old takes the objects that are stored", d.Kind.Kind))
	}
	object, err := in.kinds.Decode(d)
	in.Stored = append(in.Stored, requests.Source{Document: d, Object: object})
	return err
}

// ask keeps what is asked for, if it is an argument.
func (in *Set) ask(s requests.Source, r role) {
	if r == admitting {
		in.Objects = append(in.Objects, s)
	} else {
		in.unused = append(in.unused, s)
	}
}

// sortConfiguration takes a webhook configuration as a file source does: also in
// v1beta1, and only if an API server would create it.
func (in *Set) sortConfiguration(d *manifest.Document) {
	c, problems := source.Parse(d.JSON)
	for _, problem := range problems {
		in.note(d.Blame(problem))
	}
	if len(problems) > 0 {
		return
	}
	if err := in.addConfiguration(requests.Source{Document: d, Object: c}); err != nil {
		in.note(blame(d, err))
	}
	if webhookconfig.Deprecation(d.Kind) != "" {
		in.deprecated = append(in.deprecated, d)
	}
}
