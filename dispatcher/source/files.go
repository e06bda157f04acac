package source

import (
	"errors"
	"fmt"

	"example.com/gatehouse/internal/manifest"
)

// Files reads webhook configurations from files and folders, once, and returns
// a source of them. For a folder it reads the .yaml, .yml and .json files
// directly in it, except those that only kustomize reads, such as
// kustomization.yaml. A file may hold several documents. Each document is a
// configuration of admissionregistration.k8s.io/v1 or v1beta1, or a v1 List of
// configurations. Files applies the defaults of the version in the document and
// converts the configuration to v1. It does not read standard input.
//
// The error holds every problem, one per line, with the file, the document and
// the field: documents that cannot be read, unknown fields, other kinds and
// versions, a name that occurs twice within its kind, and everything for which
// an API server would reject a new configuration, including names that are
// reserved for static manifests. A path without any configuration
// is a problem, too: a mistyped folder or a truncated file must not look like a
// cluster without webhooks.
func Files(paths ...string) (*List, error) {
	if len(paths) == 0 {
		return nil, errors.New("no files to read webhook configurations from")
	}
	c := newCollection()
	for _, path := range paths {
		c.addFiles(path)
	}
	return c.list()
}

// addFiles adds all documents of a file or folder.
func (c *collection) addFiles(path string) {
	empty := true
	for doc, err := range manifest.Files([]string{path}, nil) {
		empty = false
		if err != nil {
			c.problems = append(c.problems, err)
			continue
		}
		c.addDocument(doc)
	}
	if empty {
		c.problems = append(c.problems, fmt.Errorf("%s: holds no webhook configuration", path))
	}
}

// addDocument adds one document. It also reserves the name of a configuration
// that has problems, so that one error reports both these and a duplicate name.
func (c *collection) addDocument(doc *manifest.Document) {
	found, problems := Parse(doc.JSON)
	for _, problem := range problems {
		c.problems = append(c.problems, doc.Blame(problem))
	}
	if found != nil && found.GetName() != "" {
		c.problems = append(c.problems, doc.Wrap("metadata.name", c.add(found, location(doc))))
	}
}

// location describes where a document is, for messages about other documents.
func location(doc *manifest.Document) string {
	if doc.Item == "" {
		return doc.String()
	}
	return doc.String() + ", " + doc.Item
}
