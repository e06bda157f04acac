package install

import (
	"encoding/base64"
	"errors"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/policies"
)

// Set has the objects of manifest files, in the order in which Apply applies
// them.
type Set struct{ objects []object }

// object is an object of a Set and the document from which it was read.
type object struct {
	*unstructured.Unstructured
	document *manifest.Document
}

// Read reads files and folders with a Reader, and sets the Reader's Patches.
// The error has one line for each invalid document, and for each empty path.
func Read(r *manifest.Reader, paths []string) (*Set, error) {
	s := &Set{}
	r.Patches = true
	var problems []error
	for document, err := range r.Filled(paths) {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		content, err := document.Unstructured()
		if err != nil {
			problems = append(problems, err)
			continue
		}
		removeServerFields(content)
		if policies.Is(content.GroupVersionKind()) {
			// The server has v1 only; other versions have the same fields.
			content.SetAPIVersion(registrationv1.SchemeGroupVersion.String())
		}
		s.objects = append(s.objects, object{content, document})
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	s.mergePatches()
	slices.SortStableFunc(s.objects, byRank)
	return s, nil
}

// removeServerFields removes the metadata that `kubectl get -o yaml` prints and
// that cannot be applied.
func removeServerFields(o *unstructured.Unstructured) {
	fields := []string{
		"managedFields", "resourceVersion", "uid", "generation", "creationTimestamp",
	}
	for _, field := range fields {
		unstructured.RemoveNestedField(o.Object, "metadata", field)
	}
}

// bundlePlaceholder is the caBundle in manifests of kubebuilder, which
// cert-manager replaces: an encoded newline.
const bundlePlaceholder = "Cg=="

// Trust sets the caBundle of admission and conversion webhooks whose caBundle
// is empty or bundlePlaceholder. ca is in PEM; nil removes the placeholder,
// which suits webhooks that are handlers.
func (s *Set) Trust(ca []byte) {
	for _, o := range s.objects {
		switch o.kind() {
		case mutatingKind, validatingKind:
			webhooks, _, _ := unstructured.NestedFieldNoCopy(o.Object, "webhooks")
			list, _ := webhooks.([]any)
			for _, w := range list {
				if webhook, ok := w.(map[string]any); ok {
					setBundle(webhook["clientConfig"], ca)
				}
			}
		case definitionKind:
			config, _, _ := unstructured.NestedFieldNoCopy(
				o.Object, "spec", "conversion", "webhook", "clientConfig")
			setBundle(config, ca)
		}
	}
}

// setBundle ignores a clientConfig of the wrong type, which the server rejects.
func setBundle(clientConfig any, ca []byte) {
	config, ok := clientConfig.(map[string]any)
	if !ok {
		return
	}
	switch config["caBundle"] {
	case nil, "", bundlePlaceholder:
		delete(config, "caBundle")
		if len(ca) > 0 {
			config["caBundle"] = base64.StdEncoding.EncodeToString(ca)
		}
	}
}
