package source

import (
	"errors"
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/manifest"
)

// Files returns a source of the webhook configurations in files and folders,
// read once. A folder stands for the .yaml, .yml and .json files in it; a file
// may hold several documents, and each document one configuration of
// admissionregistration.k8s.io/v1 or a v1 List of them. The defaults of v1 are
// applied. Standard input is not read.
//
// The error holds every problem, each on a line of its own that names the file,
// the document and the field at fault: what cannot be read or has unknown
// fields, other kinds and versions, a name that occurs twice within its kind,
// and what could never work in a webhook. A path in which there is no
// configuration is a problem too, because a folder that was mistyped or a file
// that was cut off must not look like a cluster without webhooks.
func Files(paths ...string) (*List, error) {
	if len(paths) == 0 {
		return nil, errors.New("no files to read webhook configurations from")
	}
	scheme := runtime.NewScheme()
	if err := registrationv1.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("prepare to decode webhook configurations: %w", err)
	}
	r := reader{collection: newCollection(), decoder: manifest.StrictDecoder(scheme)}
	for _, path := range paths {
		r.read(path)
	}
	r.applyDefaults()
	return r.list()
}

// reader collects configurations from files.
type reader struct {
	*collection
	decoder runtime.Decoder
}

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

// readDocument looks at apiVersion and kind before it decodes, because what is
// no configuration should not be blamed for its fields.
func (r reader) readDocument(doc *manifest.Document) {
	if at, err := checkKind(doc); err != nil {
		r.note(doc.Wrap(at, err))
		return
	}
	obj, err := doc.Decode(r.decoder)
	if err != nil {
		r.note(err)
		return
	}
	for _, problem := range Check(obj) {
		r.note(doc.Wrap(problem.Field, problem))
	}
	r.note(doc.Wrap("metadata.name", r.add(obj, place(doc))))
}

// checkKind returns what is wrong with a document's type, and the field that
// says so.
func checkKind(doc *manifest.Document) (at string, err error) {
	wanted := registrationv1.SchemeGroupVersion
	kind := doc.Kind
	if kind.Group != wanted.Group || (kind.Kind != mutatingKind && kind.Kind != validatingKind) {
		return "kind", errKind(kind.GroupVersion().String() + " " + kind.Kind)
	}
	if kind.Version != wanted.Version {
		return "apiVersion", fmt.Errorf("%s of %s is not supported yet: use %s",
			kind.Kind, kind.GroupVersion(), wanted)
	}
	return "", nil
}

// Check returns what is plainly wrong with a v1 configuration of either kind, in
// the words of an API server; nothing for other objects. Files applies it. What
// it lets pass may still be refused by an API server.
func Check(obj runtime.Object) field.ErrorList {
	switch c := obj.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		return check(c.Name, admission.MutatingWebhooks(c))
	case *registrationv1.ValidatingWebhookConfiguration:
		return check(c.Name, admission.ValidatingWebhooks(c))
	default:
		// add refuses whatever else there is.
		return nil
	}
}

// place says where a document is, for a message about another one.
func place(doc *manifest.Document) string {
	if doc.Item == "" {
		return doc.String()
	}
	return doc.String() + ", " + doc.Item
}
