package install

import (
	"encoding/base64"
	"errors"
	"io"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/internal/manifest"
)

// Set is what is in some files, in the order in which it is to be applied.
type Set struct{ objects []object }

// object is one of a Set. The document says where it is from.
type object struct {
	*unstructured.Unstructured
	document *manifest.Document
}

// Read reads files, folders and "-" for stdin. The error has a line for everything
// that is wrong with them. Files without any object are fine.
func Read(paths []string, stdin io.Reader) (*Set, error) {
	s := &Set{}
	var problems []error
	for document, err := range manifest.Files(paths, stdin) {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		content, err := document.Unstructured()
		if err != nil {
			problems = append(problems, err)
			continue
		}
		tidy(content)
		s.objects = append(s.objects, object{content, document})
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	s.mergePatches()
	slices.SortStableFunc(s.objects, byRank)
	return s, nil
}

// tidy takes from an object what a server has written, as in what kubectl get -o
// yaml prints: it cannot be applied.
func tidy(o *unstructured.Unstructured) {
	for _, field := range []string{"managedFields", "resourceVersion", "uid", "generation", "creationTimestamp"} {
		unstructured.RemoveNestedField(o.Object, "metadata", field)
	}
}

// placeholder is the caBundle of YAML for tools that put a CA in its place, as
// kubebuilder's for cert-manager: no bundle at all, only the end of a line.
const placeholder = "Cg=="

// Trust gives a CA, in PEM, to the webhooks among the objects that have none of their
// own, or a placeholder: those of webhook configurations, and the ones that convert
// custom resources. With nil they have none at all, as is right for those that are
// handlers.
func (s *Set) Trust(ca []byte) {
	for _, o := range s.objects {
		switch o.kind() {
		case mutatingKind, validatingKind:
			webhooks, _, _ := unstructured.NestedFieldNoCopy(o.Object, "webhooks")
			list, _ := webhooks.([]any)
			for _, w := range list {
				if webhook, ok := w.(map[string]any); ok {
					trust(webhook["clientConfig"], ca)
				}
			}
		case definitionKind:
			config, _, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "conversion", "webhook", "clientConfig")
			trust(config, ca)
		}
	}
}

// trust leaves alone what is not as it should be: the server knows better words
// for it.
func trust(clientConfig any, ca []byte) {
	config, ok := clientConfig.(map[string]any)
	if !ok {
		return
	}
	switch config["caBundle"] {
	case nil, "", placeholder:
		delete(config, "caBundle")
		if len(ca) > 0 {
			config["caBundle"] = base64.StdEncoding.EncodeToString(ca)
		}
	}
}
