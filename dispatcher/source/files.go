package source

import (
	"errors"
	"fmt"

	"example.com/gatehouse/internal/manifest"
)

// Files reads webhook configurations from files and folders, once, and returns a
// source of them. For a folder it reads the .yaml, .yml and .json files directly in
// it, except those that only kustomize reads, such as kustomization.yaml. A file may
// hold several documents. Each document is a configuration of
// admissionregistration.k8s.io/v1 or v1beta1, or a v1 List of configurations. Files
// applies the defaults of the version in the document and converts the configuration
// to v1. It does not read standard input.
//
// The error holds every problem, one per line, with the file, the document and the
// field: documents that cannot be read, unknown fields, other kinds and versions, a
// name that occurs twice within its kind, and everything for which an API server
// would refuse to create the configuration, including names that are reserved for
// static manifests. A path without any configuration is a problem, too: a
// mistyped folder or a truncated file must not look like a cluster without webhooks.
func Files(paths ...string) (*List, error) {
	if len(paths) == 0 {
		return nil, errors.New("no files to read webhook configurations from")
	}
	r := fileReader{newCollection()}
	for _, path := range paths {
		r.read(path)
	}
	return r.list()
}

// fileReader collects configurations from files.
type fileReader struct{ *collection }

// read reads all documents of a file or folder.
func (r fileReader) read(path string) {
	empty := true
	for doc, err := range manifest.Files([]string{path}, nil) {
		empty = false
		if err != nil {
			r.addProblem(err)
			continue
		}
		r.readDocument(doc)
	}
	if empty {
		r.addProblem(fmt.Errorf("%s: holds no webhook configuration", path))
	}
}

// readDocument reads one document. It also reserves the name of a configuration that
// has problems, so that one error reports both these and a duplicate name.
func (r fileReader) readDocument(doc *manifest.Document) {
	c, problems := Parse(doc.JSON)
	for _, problem := range problems {
		r.addProblem(doc.Blame(problem))
	}
	if c != nil && c.GetName() != "" {
		r.addProblem(doc.Wrap("metadata.name", r.add(c, location(doc))))
	}
}

// location describes where a document is, for messages about other documents.
func location(doc *manifest.Document) string {
	if doc.Item == "" {
		return doc.String()
	}
	return doc.String() + ", " + doc.Item
}
