package kinds

import (
	"errors"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/strategy"
)

// definition has the parts of a CustomResourceDefinition that a Registry needs.
type definition struct {
	name string
	// versions are all versions, also those that are not served: they can be
	// converted, and rules of webhooks can name them. Each has its scale, or nil.
	versions map[string]*apiextensionsv1.CustomResourceSubresourceScale
	// strategy prunes, defaults and validates the objects.
	strategy *strategy.Custom
	// webhook connects to the conversion webhook. It is nil without one.
	webhook connector
}

// AddCRD adds the kind of a CustomResourceDefinition, which need not be
// defaulted and is not kept. Its schemas must be structural; those that are
// missing allow everything.
//
// The error names the definition and the bad field, or the owner of the kind or
// the resource; nothing is added then.
func (r *Registry) AddCRD(crd *apiextensionsv1.CustomResourceDefinition) error {
	err := check(crd)
	if err == nil {
		err = r.checkFree(crd)
	}
	var custom *strategy.Custom
	if err == nil {
		custom, err = strategy.NewCustom(crd)
	}
	if err != nil {
		return fmt.Errorf("CustomResourceDefinition %q: %w", crd.Name, err)
	}
	r.add(crd, custom)
	return nil
}

// check validates the fields of a definition that a Registry needs.
func check(crd *apiextensionsv1.CustomResourceDefinition) error {
	spec := &crd.Spec
	switch {
	case spec.Group == "":
		return errors.New("spec.group is missing")
	case spec.Names.Plural == "":
		return errors.New("spec.names.plural is missing")
	case spec.Names.Kind == "":
		return errors.New("spec.names.kind is missing")
	case crd.Name != spec.Names.Plural+"."+spec.Group:
		return fmt.Errorf("metadata.name must be %q, the plural and the group",
			spec.Names.Plural+"."+spec.Group)
	case spec.Scope == "":
		return errors.New("spec.scope is missing: it is Namespaced or Cluster")
	case spec.Scope != apiextensionsv1.NamespaceScoped && spec.Scope != apiextensionsv1.ClusterScoped:
		return fmt.Errorf("spec.scope is %q, which is neither Namespaced nor Cluster", spec.Scope)
	}
	if c := spec.Conversion; c != nil && c.Strategy != apiextensionsv1.NoneConverter &&
		c.Strategy != apiextensionsv1.WebhookConverter {
		return fmt.Errorf("spec.conversion.strategy is %q, which is neither None nor Webhook", c.Strategy)
	}
	return checkVersions(spec.Versions)
}

func checkVersions(versions []apiextensionsv1.CustomResourceDefinitionVersion) error {
	seen, served := map[string]bool{}, false
	for i, v := range versions {
		if v.Name == "" {
			return fmt.Errorf("spec.versions[%d].name is missing", i)
		}
		if seen[v.Name] {
			return fmt.Errorf("spec.versions[%d].name: there are two versions %q", i, v.Name)
		}
		seen[v.Name] = true
		served = served || v.Served
	}
	if !served {
		return errors.New("spec.versions: none is served")
	}
	return nil
}

// checkFree returns an error if the definition's names are taken.
func (r *Registry) checkFree(crd *apiextensionsv1.CustomResourceDefinition) error {
	resource := schema.GroupResource{Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural}
	kind := schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}
	if owner, taken := r.owners[resource]; taken {
		return fmt.Errorf("the resource %s belongs to %s", resource, owner)
	}
	if d := r.definitions[kind]; d != nil {
		return fmt.Errorf("the kind %s belongs to %s", kind, ownerName(d.name))
	}
	if len(r.versions[kind]) > 0 {
		return fmt.Errorf("the kind %s is built in", kind)
	}
	for _, v := range crd.Spec.Versions {
		// The objects would get the Go type of the removed version.
		if r.scheme.Recognizes(kind.WithVersion(v.Name)) {
			return fmt.Errorf("the kind %s is built in", Name(kind.WithVersion(v.Name)))
		}
	}
	return nil
}

func ownerName(crd string) string {
	return fmt.Sprintf("CustomResourceDefinition %q, which was added before", crd)
}

// add adds a checked definition.
func (r *Registry) add(crd *apiextensionsv1.CustomResourceDefinition, custom *strategy.Custom) {
	spec := &crd.Spec
	kind := schema.GroupKind{Group: spec.Group, Kind: spec.Names.Kind}
	d := &definition{
		name:     crd.Name,
		strategy: custom,
		versions: map[string]*apiextensionsv1.CustomResourceSubresourceScale{},
	}
	if spec.Conversion != nil && spec.Conversion.Strategy != apiextensionsv1.NoneConverter {
		d.webhook = r.connector(crd)
	}
	r.definitions[kind] = d
	r.owners[schema.GroupResource{Group: spec.Group,
		Resource: spec.Names.Plural}] = ownerName(crd.Name)
	for i := range spec.Versions {
		v := &spec.Versions[i]
		r.addVersion(spec, v)
		d.versions[v.Name] = nil
		if v.Subresources != nil {
			d.versions[v.Name] = v.Subresources.Scale.DeepCopy()
		}
	}
}

// addVersion adds a version.
//
// Compat: kube-apiserver registers versions as equivalent in the order of the
// definition, and those that are not served as well.
func (r *Registry) addVersion(
	spec *apiextensionsv1.CustomResourceDefinitionSpec,
	v *apiextensionsv1.CustomResourceDefinitionVersion,
) {
	gv := schema.GroupVersion{Group: spec.Group, Version: v.Name}
	kind, at := gv.WithKind(spec.Names.Kind), gv.WithResource(spec.Names.Plural)
	if v.Served {
		r.serve(Resource{at, kind, spec.Scope == apiextensionsv1.NamespaceScoped})
	}
	r.mapper.RegisterKindFor(at, "", kind)
	if v.Subresources == nil {
		return
	}
	if v.Subresources.Status != nil {
		r.mapper.RegisterKindFor(at, "status", kind)
	}
	if v.Subresources.Scale != nil {
		r.mapper.RegisterKindFor(at, "scale", kindAt(at, kind, "scale"))
	}
}
