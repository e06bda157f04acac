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

// custom are the interfaces of custom resources with one version.
func custom() apiadmission.ObjectInterfaces {
	return &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater:            unstructuredscheme.NewUnstructuredCreator(),
		ObjectTyper:              unstructuredscheme.NewUnstructuredObjectTyper(),
		ObjectDefaulter:          unstructuredscheme.NewUnstructuredDefaulter(),
		ObjectConvertor:          copying{},
		EquivalentResourceMapper: alone{},
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
	case subresource != "":
	case resource == PodResource():
		return PodKind()
	case resource == WidgetResource():
		return WidgetKind()
	}
	return schema.GroupVersionKind{}
}

// copying is the conversion of a custom resource with one version.
type copying struct{ runtime.ObjectConvertor }

// Convert implements runtime.ObjectConvertor.
func (copying) Convert(in, out, _ any) error {
	from, okFrom := in.(*unstructured.Unstructured)
	to, okTo := out.(*unstructured.Unstructured)
	if !okFrom || !okTo {
		return fmt.Errorf("cannot convert %T to %T", in, out)
	}
	to.SetUnstructuredContent(from.DeepCopy().UnstructuredContent())
	return nil
}
