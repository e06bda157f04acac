package changes

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
)

// Set has the objects of some manifests.
type Set struct {
	objects map[Identity]*object
	// order has the identities in the order of the files.
	order []Identity
}

// Identity identifies an object of a set, in whatever version.
type Identity struct {
	schema.GroupKind
	Namespace, Name string
	// repeat distinguishes the patches of a CustomResourceDefinition, which have its
	// name.
	repeat int
}

// object is a document and its decoded content.
type object struct {
	document *manifest.Document
	id       Identity
	value    map[string]any
}

// Files are the inputs of a set.
type Files struct {
	// Paths are files, folders or "-", which is Stdin.
	Paths []string
	Stdin io.Reader
	// Recursive reads sub-folders as well.
	Recursive bool
}

// Read reads a set. The error has one line for each mistake in a document.
func Read(f Files) (*Set, error) {
	r := &manifest.Reader{Stdin: f.Stdin, Recursive: f.Recursive, Patches: true}
	s := &Set{objects: map[Identity]*object{}}
	var problems []error
	for d, err := range r.Filled(f.Paths) {
		if err == nil && (!d.Patch || d.Kind.Group == apiextensionsv1.GroupName) {
			err = s.add(d)
		}
		if err != nil {
			problems = append(problems, err)
		}
	}
	return s, errors.Join(problems...)
}

func (s *Set) add(d *manifest.Document) error {
	value, err := decode(d.JSON)
	if err != nil {
		return d.Wrap("", err)
	}
	metadata, _ := value["metadata"].(map[string]any)
	id := Identity{GroupKind: d.Kind.GroupKind()}
	id.Name, _ = metadata["name"].(string)
	id.Namespace, _ = metadata["namespace"].(string)
	prune(id.GroupKind, value)
	for s.objects[id] != nil {
		if reflect.DeepEqual(s.objects[id].value, value) {
			return nil
		}
		id.repeat++
	}
	s.objects[id] = &object{d, id, value}
	s.order = append(s.order, id)
	return nil
}

// Documents returns the documents in the order of the files.
func (s *Set) Documents() []*manifest.Document {
	var all []*manifest.Document
	for _, id := range s.order {
		all = append(all, s.objects[id].document)
	}
	return all
}

// decode keeps the notation of numbers.
func decode(text []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value map[string]any
	err := d.Decode(&value)
	return value, err
}

// prune removes fields that have no effect on admission and differ between
// clusters.
func prune(kind schema.GroupKind, value map[string]any) {
	metadata, _ := value["metadata"].(map[string]any)
	for _, field := range []string{
		"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid",
	} {
		delete(metadata, field)
	}
	if configures(kind) {
		delete(value, "status")
		delete(metadata, "labels")
		delete(metadata, "annotations")
	}
}

// configures reports whether only the specification of the objects of a kind matters.
// Namespaces and params matter as a whole.
func configures(kind schema.GroupKind) bool {
	switch kind.Group {
	case registrationv1.GroupName, apiextensionsv1.GroupName, rbacv1.GroupName:
		return true
	}
	return false
}

// isSecret reports whether the values of an object must not be shown.
func isSecret(id Identity) bool {
	return id.GroupKind == schema.GroupKind{Kind: "Secret"}
}
