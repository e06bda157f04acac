package requests

import (
	"cmp"
	"errors"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
)

// file makes a draft of a request file.
func (m *Maker) file(r *requestfile.Request) (*draft, error) {
	o := &draft{
		from: r.Document, names: fieldNames,
		operation: r.Operation, collection: r.Collection, by: m.byFile(r),
	}
	if err := m.takeObjects(o, r); err != nil {
		return nil, err
	}
	at, err := m.pathOf(o.kind(), r.Resource, r.Subresource)
	if err != nil {
		return nil, r.Document.Wrap("resource", err)
	}
	if err := m.kinds.CheckSubresource(at.Resource, at.Subresource); err != nil {
		return nil, r.Wrap("subResource", err)
	}
	at.Name, at.Namespace = r.Name, r.Namespace
	if at.Namespaced {
		at.Namespace = cmp.Or(at.Namespace, o.namespace(), m.settings.Namespace)
	}
	o.at = at
	return o, nil
}

// byFile returns the user and the options of the file, and the user and the dry
// run of the command as defaults.
func (m *Maker) byFile(r *requestfile.Request) request.By {
	by := request.By{
		User: m.settings.By.User, DryRun: r.DryRun || m.settings.By.DryRun,
		FieldManager: r.Options.FieldManager, FieldValidation: r.Options.FieldValidation,
		GracePeriodSeconds: r.Options.GracePeriodSeconds, PropagationPolicy: r.Options.PropagationPolicy,
		Preconditions: r.Options.Preconditions,
	}
	if r.User != nil {
		by.User = *r.User
	}
	return by
}

// takeObjects decodes the objects of the request.
func (m *Maker) takeObjects(o *draft, r *requestfile.Request) error {
	var wrong, wrongOld error
	o.object, wrong = m.decode(r.Object)
	o.old, wrongOld = m.decode(r.OldObject)
	if err := errors.Join(wrong, wrongOld); err != nil {
		return err
	}
	switch p := r.Patch; {
	case p == nil:
	case p.Object != nil:
		o.config, o.force = &Source{Document: p.Object}, p.Force
	default:
		o.patch = &Patch{Type: patchType(p.Type), JSON: p.Content}
	}
	return nil
}

// decode returns the object of a document, nil if there is none.
func (m *Maker) decode(d *manifest.Document) (*Source, error) {
	if d == nil {
		return nil, nil
	}
	object, err := m.kinds.Decode(d)
	if err != nil {
		return nil, err
	}
	return &Source{Document: d, Object: object}, nil
}

// patchType returns the media type of a type of patch, except apply.
func patchType(t requestfile.PatchType) types.PatchType {
	switch t {
	case requestfile.JSON:
		return types.JSONPatchType
	case requestfile.Merge:
		return types.MergePatchType
	default:
		return types.StrategicMergePatchType
	}
}

// kind returns the kind of the objects, from which the endpoint follows.
func (o *draft) kind() schema.GroupVersionKind {
	for _, s := range []*Source{o.object, o.config, o.old} {
		if s != nil {
			return s.Kind
		}
	}
	return schema.GroupVersionKind{}
}

// namespace returns the first namespace of the draft's objects.
func (o *draft) namespace() string {
	for _, s := range []*Source{o.object, o.config, o.old} {
		if namespace := s.namespace(); namespace != "" {
			return namespace
		}
	}
	return ""
}

// namespace returns the namespace of the object. A configuration to apply is
// not decoded yet.
func (s *Source) namespace() string {
	if s == nil {
		return ""
	}
	object := s.Object
	if object == nil {
		config, err := s.Unstructured()
		if err != nil {
			return "" // applying it returns the error
		}
		object = config
	}
	m, err := meta.Accessor(object)
	if err != nil {
		return ""
	}
	return m.GetNamespace()
}
