package source

import (
	"errors"
	"fmt"

	"example.com/gatehouse/internal/manifest"
)

// Files returns a source of the webhook configurations in files and folders,
// read once. A folder stands for the .yaml, .yml and .json files in it, but for
// those that only kustomize reads, such as kustomization.yaml; a file may hold
// several documents, and each document one configuration of
// admissionregistration.k8s.io/v1 or v1beta1, or a v1 List of them. The defaults
// of the version that a configuration is written in are applied; from there on
// all are v1. Standard input is not read.
//
// The error holds every problem, each on a line of its own that names the file,
// the document and the field at fault: what cannot be read or has unknown
// fields, other kinds and versions, a name that occurs twice within its kind,
// and whatever an API server would have against creating the configuration,
// names that are reserved for its own manifests included. A path in which
// there is no configuration is a problem too, because a folder that was mistyped
// or a file that was cut off must not look like a cluster without webhooks.
func Files(paths ...string) (*List, error) {
	if len(paths) == 0 {
		return nil, errors.New("no files to read webhook configurations from")
	}
	r := reader{newCollection()}
	for _, path := range paths {
		r.read(path)
	}
	return r.list()
}

// reader collects configurations from files.
type reader struct{ *collection }

// read takes everything that is in a file or folder.
func (r reader) read(path string) {
	empty := true
	for doc, err := range manifest.Files([]string{path}, nil) {
		empty = false
		if err != nil {
			r.note(err)
			continue
		}
		r.readDocument(doc)
	}
	if empty {
		r.note(fmt.Errorf("%s: holds no webhook configuration", path))
	}
}

// readDocument also claims the name of what has problems, so that the one who
// mends them does not then read that it is taken.
func (r reader) readDocument(doc *manifest.Document) {
	c, problems := Parse(doc.JSON)
	for _, problem := range problems {
		r.note(doc.Blame(problem))
	}
	if c != nil && c.GetName() != "" {
		r.note(doc.Wrap("metadata.name", r.add(c, place(doc))))
	}
}

// place says where a document is, for a message about another one.
func place(doc *manifest.Document) string {
	if doc.Item == "" {
		return doc.String()
	}
	return doc.String() + ", " + doc.Item
}
