package cli

import (
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/internal/kinds"
	"example.com/gatehouse/internal/manifest"
)

// teach adds the kind that a CustomResourceDefinition defines. The error says
// where it is.
func teach(known *kinds.Registry, d *manifest.Document) error {
	obj, err := known.Decode(d)
	if err != nil {
		return err
	}
	crd, ok := obj.(*apiextensionsv1.CustomResourceDefinition)
	if !ok {
		return d.Wrap("kind", fmt.Errorf("kind: a %T defines no kind", obj))
	}
	return d.Wrap("spec", known.AddCRD(crd))
}

// definesKind reports whether a document is a CustomResourceDefinition, in the
// version that teach understands.
func definesKind(d *manifest.Document) bool {
	return d.Kind == apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
}

// read returns the object in a document, with its resource. The error says where
// it is.
func read(known *kinds.Registry, d *manifest.Document) (input, error) {
	resource, namespaced, err := known.Lookup(d.Kind)
	if err != nil {
		return input{}, blame(d, fmt.Errorf("kind: %w", err))
	}
	object, err := known.Decode(d)
	if err != nil {
		return input{}, err
	}
	return input{Document: d, object: object, resource: resource, namespaced: namespaced}, nil
}

// blame says where err happened. It begins with the field at fault, which
// chooses the line.
func blame(d *manifest.Document, err error) error {
	field, _, _ := strings.Cut(err.Error(), ":")
	return d.Wrap(field, err)
}
