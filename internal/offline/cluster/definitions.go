package cluster

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requests"
)

// definition is a document with a CustomResourceDefinition, or with a patch of
// one: projects of kubebuilder add the conversion webhook with a patch, which
// kustomize merges.
type definition struct {
	*manifest.Document
	role role
	name string
	// patch is true if it has no group, and no mistake.
	patch bool
}

func (in *Set) newDefinition(d *manifest.Document, r role) definition {
	var content struct {
		Metadata struct{ Name string }
		Spec     struct{ Group any }
	}
	// addDefinition returns the errors.
	_ = json.Unmarshal(d.JSON, &content)
	patch := content.Spec.Group == nil
	if patch {
		_, err := in.kinds.Decode(d)
		patch = err == nil
	}
	return definition{d, r, content.Metadata.Name, patch}
}

// addDefinitions adds the kinds that documents define, with their patches. A
// patch without a definition is an error, except in the folders of kustomize.
func (in *Set) addDefinitions(all []definition) {
	patches, defined := map[string][]definition{}, map[string]bool{}
	for _, d := range all {
		if d.patch {
			patches[d.name] = append(patches[d.name], d)
		} else {
			defined[d.name] = true
		}
	}
	for _, d := range all {
		switch {
		case !d.patch:
			for _, patch := range patches[d.name] {
				in.addProblem(d.merge(patch))
			}
		case defined[d.name] || d.Patch:
			continue
		}
		in.addProblem(in.addDefinition(d.Document, d.role))
	}
}

// merge merges a patch into a copy of the document.
func (d *definition) merge(patch definition) error {
	merged, err := jsonpatch.MergePatch(d.JSON, patch.JSON)
	if err != nil {
		return patch.Wrap("", fmt.Errorf("patching %s: %w", d.Position, err))
	}
	patched := *d.Document
	patched.JSON = merged
	d.Document = &patched
	return nil
}

// addDefinition adds the kind that a CustomResourceDefinition defines. The
// error has its position.
func (in *Set) addDefinition(d *manifest.Document, r role) error {
	obj, err := in.kinds.Decode(d)
	if err != nil {
		return err
	}
	crd, ok := obj.(*apiextensionsv1.CustomResourceDefinition)
	if !ok {
		return d.Wrap("kind", fmt.Errorf("kind: %T is not a CustomResourceDefinition", obj))
	}
	s := requests.Source{Document: d, Object: crd}
	if !in.isDescription(s, r) || in.isRepeated(s) {
		return nil
	}
	in.Definitions = append(in.Definitions, crd)
	return d.Wrap("spec", in.kinds.AddCRD(crd))
}

// definesKind reports whether a document is a CustomResourceDefinition, in the
// version that addDefinition decodes.
func definesKind(d *manifest.Document) bool {
	return d.Kind == apiextensionsv1.SchemeGroupVersion.WithKind(definitionKind)
}

const definitionKind = "CustomResourceDefinition"

// blame adds the position to err, which begins with the invalid field.
func blame(d *manifest.Document, err error) error {
	field, _, _ := strings.Cut(err.Error(), ":")
	return d.Wrap(field, err)
}
