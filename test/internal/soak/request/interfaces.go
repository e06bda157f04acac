package request

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	kubernetesscheme "k8s.io/client-go/kubernetes/scheme"
)

// typed are the interfaces of what has Go types.
func typed() apiadmission.ObjectInterfaces {
	scheme := kubernetesscheme.Scheme
	return &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater: scheme, ObjectTyper: scheme, ObjectDefaulter: scheme, ObjectConvertor: scheme,
		EquivalentResourceMapper: alone{},
	}
}

// custom are the interfaces of a custom resource with two versions.
func custom() apiadmission.ObjectInterfaces {
	return &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater:            unstructuredscheme.NewUnstructuredCreator(),
		ObjectTyper:              unstructuredscheme.NewUnstructuredObjectTyper(),
		ObjectDefaulter:          unstructuredscheme.NewUnstructuredDefaulter(),
		ObjectConvertor:          converting{},
		EquivalentResourceMapper: widgets{},
	}
}

// alone maps resources that are served under one name and in one version.
// Unlike apiserver's mapper, which is filled once for a server, it costs
// nothing to make.
type alone struct{}

// EquivalentResourcesFor implements runtime.EquivalentResourceMapper.
func (alone) EquivalentResourcesFor(
	resource schema.GroupVersionResource, subresource string,
) []schema.GroupVersionResource {
	if (alone{}).KindFor(resource, subresource).Empty() {
		return nil
	}
	return []schema.GroupVersionResource{resource}
}

// KindFor implements runtime.EquivalentResourceMapper.
func (alone) KindFor(
	resource schema.GroupVersionResource, subresource string,
) schema.GroupVersionKind {
	switch {
	case resource == PodResource() && subresource == "exec":
		return ExecKind()
	case resource == PodResource() && subresource == "":
		return PodKind()
	}
	return schema.GroupVersionKind{}
}

// widgets maps widgets, which are served in two versions.
type widgets struct{}

// EquivalentResourcesFor implements runtime.EquivalentResourceMapper.
func (widgets) EquivalentResourcesFor(
	resource schema.GroupVersionResource, subresource string,
) []schema.GroupVersionResource {
	if (widgets{}).KindFor(resource, subresource).Empty() {
		return nil
	}
	first, second := resource, resource
	first.Version, second.Version = WidgetKind().Version, WidgetV2
	return []schema.GroupVersionResource{first, second}
}

// KindFor implements runtime.EquivalentResourceMapper.
func (widgets) KindFor(
	resource schema.GroupVersionResource, subresource string,
) schema.GroupVersionKind {
	kind := WidgetKind()
	if resource.GroupResource() != WidgetResource().GroupResource() || subresource != "" ||
		resource.Version != kind.Version && resource.Version != WidgetV2 {
		return schema.GroupVersionKind{}
	}
	kind.Version = resource.Version
	return kind
}

// converting is the conversion between the versions of widgets.
type converting struct{ runtime.ObjectConvertor }

// Convert implements runtime.ObjectConvertor. The kind of out, if it has one,
// is the kind to convert to.
func (converting) Convert(in, out, _ any) error {
	from, okFrom := in.(*unstructured.Unstructured)
	to, okTo := out.(*unstructured.Unstructured)
	if !okFrom || !okTo {
		return fmt.Errorf("cannot convert %T to %T", in, out)
	}
	version := to.GroupVersionKind().Version
	to.SetUnstructuredContent(from.DeepCopy().UnstructuredContent())
	if version != "" {
		convertWidget(to, version)
	}
	return nil
}
