package sample

import (
	"errors"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/conformance/sample/builtin"
	"example.com/gatehouse/internal/conformance/sample/custom"
	"example.com/gatehouse/internal/conformance/schemas"
)

// object makes the object of a variant as a client would send it, but with
// defaults.
func (m *maker) object(v *variant) (runtime.Object, error) {
	if isNamespaces(v.at.GroupResource()) {
		return v.namespace.DeepCopy(), nil
	}
	object, err := m.bare(v.at.Kind)
	if err != nil {
		return nil, fmt.Errorf("making a %s: %w", v.at.Kind.Kind, err)
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, fmt.Errorf("making a %s: %w", v.at.Kind.Kind, err)
	}
	group := v.at.GroupResource().String()
	m.named[group]++
	if accessor.GetName() == "" {
		accessor.SetName(numbered(m.named[group]))
	}
	if v.namespace != nil {
		accessor.SetNamespace(v.namespace.Name)
		builtin.Move(object, v.namespace.Name)
	}
	if len(v.labels) > 0 {
		accessor.SetLabels(v.labels)
	}
	m.Kinds.Normalize(object)
	return object, nil
}

// bare makes an object without metadata, except for a name of a required form.
func (m *maker) bare(kind schema.GroupVersionKind) (runtime.Object, error) {
	object, err := m.Kinds.ObjectInterfaces().GetObjectCreater().New(kind)
	if err != nil {
		return nil, err
	}
	u, ok := object.(*unstructured.Unstructured)
	if !ok {
		builtin.Fill(object)
		return object, nil
	}
	s := schemas.Find(m.Definitions, kind)
	if s == nil {
		return u, nil // no schema: any object is valid
	}
	content, err := custom.Object(m.ctx, s)
	if err != nil {
		return nil, err
	}
	u.SetUnstructuredContent(content)
	u.SetGroupVersionKind(kind)
	return u, nil
}

// definition returns the CustomResourceDefinition of a kind; nil for built-in
// kinds.
func (m *maker) definition(kind schema.GroupVersionKind) *apiextensionsv1.CustomResourceDefinition {
	for _, d := range m.Definitions {
		if d.Spec.Group == kind.Group && d.Spec.Names.Kind == kind.Kind {
			return d
		}
	}
	return nil
}

// withStatus returns a copy with a status.
func (m *maker) withStatus(object runtime.Object) (runtime.Object, error) {
	object = object.DeepCopyObject()
	u, ok := object.(*unstructured.Unstructured)
	if !ok {
		if !builtin.Status(object) {
			return nil, errors.New("its type has no status")
		}
		m.Kinds.Normalize(object)
		return object, nil
	}
	s := schemas.Find(m.Definitions, u.GroupVersionKind())
	if s == nil {
		return object, nil
	}
	status, has := s.Properties["status"]
	if !has {
		return object, nil
	}
	content, err := custom.Object(m.ctx, &status)
	if err != nil {
		return nil, err
	}
	u.Object["status"] = content
	return object, nil
}
