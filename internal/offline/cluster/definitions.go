package cluster

import (
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requests"
)

// addDefinition adds the kind that a CustomResourceDefinition defines. The
// error says where it is.
func (in *Set) addDefinition(d *manifest.Document, r role) error {
	obj, err := in.kinds.Decode(d)
	if err != nil {
		return err
	}
	crd, ok := obj.(*apiextensionsv1.CustomResourceDefinition)
	if !ok {
		return d.Wrap("kind", fmt.Errorf("kind: a %T defines no kind", obj))
	}
	if !in.isDescription(requests.Source{Document: d, Object: crd}, r) {
		return nil
	}
	in.Definitions = append(in.Definitions, crd)
	return d.Wrap("spec", in.kinds.AddCRD(crd))
}

// definesKind reports whether a document is a CustomResourceDefinition, in the
// version that addDefinition decodes.
func definesKind(d *manifest.Document) bool {
	return d.Kind == apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
}

// blame adds the position to err, which begins with the field at fault.
func blame(d *manifest.Document, err error) error {
	field, _, _ := strings.Cut(err.Error(), ":")
	return d.Wrap(field, err)
}
