package cli

import (
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/crdconversion"
	"example.com/gatehouse/internal/defaults"
	"example.com/gatehouse/internal/kinds"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/requests"
	"example.com/gatehouse/internal/roundtrip"
	"example.com/gatehouse/internal/routes"
)

// newKinds returns what is known of kinds before any input is read. Conversion
// webhooks are reached as admission webhooks are.
func newKinds(o *options, r routes.Table, ca []byte) *kinds.Registry {
	known := []kinds.Option{kinds.ConversionWebhooks(func(crd *apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error) {
		return crdconversion.Make(crdconversion.Config{Dial: r.Dial, Proxy: r.Proxy, CABundle: ca}, crd)
	})}
	if !o.noDefaulting {
		known = append(known, kinds.Defaulting(defaults.Register), kinds.Roundtrip(roundtrip.Settle))
	}
	return kinds.New(known...)
}

// teach adds the kind that a CustomResourceDefinition defines. The error says
// where it is.
func (in *inputs) teach(d *manifest.Document, r role) error {
	obj, err := in.kinds.Decode(d)
	if err != nil {
		return err
	}
	crd, ok := obj.(*apiextensionsv1.CustomResourceDefinition)
	if !ok {
		return d.Wrap("kind", fmt.Errorf("kind: a %T defines no kind", obj))
	}
	if !in.describes(requests.Source{Document: d, Object: crd}, r) {
		return nil
	}
	in.definitions = append(in.definitions, crd)
	return d.Wrap("spec", in.kinds.AddCRD(crd))
}

// definesKind reports whether a document is a CustomResourceDefinition, in the
// version that teach understands.
func definesKind(d *manifest.Document) bool {
	return d.Kind == apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
}

// blame says where err happened. It begins with the field at fault, which
// chooses the line.
func blame(d *manifest.Document, err error) error {
	field, _, _ := strings.Cut(err.Error(), ":")
	return d.Wrap(field, err)
}
