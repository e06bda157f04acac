//go:build failpoints

package failpoints

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// kind is the kind of a request's object.
type kind struct {
	name     string
	resource schema.GroupVersionResource
	kind     schema.GroupVersionKind
	object   func() runtime.Object
	// second is the version that the second webhook needs.
	second  string
	objects func() apiadmission.ObjectInterfaces
}

const toys = "toys.example.com"

var (
	toysV1   = schema.GroupVersion{Group: toys, Version: "v1"}
	toysV2   = schema.GroupVersion{Group: toys, Version: "v2"}
	toyKind  = toysV1.WithKind("Toy")
	anything = metav1.ObjectMeta{Name: "web", Namespace: "shop", Labels: map[string]string{"app": "web"}}
)

// kinds are a kind with one version, which is also its Go type; one that is
// converted between three versions; and one without Go types.
func kinds() []*kind {
	return []*kind{{
		name: "pod", resource: corev1.SchemeGroupVersion.WithResource("pods"),
		kind: corev1.SchemeGroupVersion.WithKind("Pod"), second: "v1",
		object: func() runtime.Object {
			return &corev1.Pod{ObjectMeta: *anything.DeepCopy(), Spec: corev1.PodSpec{NodeName: "node"}}
		},
		objects: podObjects,
	}, {
		name: "toy", resource: toysV1.WithResource("toys"), kind: toyKind, second: "v2",
		object:  func() runtime.Object { return &toy{ObjectMeta: *anything.DeepCopy(), Size: 3} },
		objects: toyObjects,
	}, {
		name: "custom", resource: toysV1.WithResource("toys"), kind: toyKind, second: "v2",
		object:  customToy,
		objects: customObjects,
	}}
}

func podObjects() apiadmission.ObjectInterfaces {
	s := runtime.NewScheme()
	s.AddKnownTypes(corev1.SchemeGroupVersion, &corev1.Pod{})
	return apiadmission.NewObjectInterfacesFromScheme(s)
}

// toy is what the host has, and toyV1 and toyV2 what webhooks see.
type toy struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Size int
}

type toyV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Size              int `json:"size"`
}

type toyV2 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Length            int `json:"length"`
}

func (t *toy) DeepCopyObject() runtime.Object   { c := *t; c.ObjectMeta = *t.DeepCopy(); return &c }
func (t *toyV1) DeepCopyObject() runtime.Object { c := *t; c.ObjectMeta = *t.DeepCopy(); return &c }
func (t *toyV2) DeepCopyObject() runtime.Object { c := *t; c.ObjectMeta = *t.DeepCopy(); return &c }

func toyObjects() apiadmission.ObjectInterfaces {
	s := runtime.NewScheme()
	s.AddKnownTypeWithName(schema.GroupVersionKind{Group: toys, Version: runtime.APIVersionInternal, Kind: "Toy"}, &toy{})
	s.AddKnownTypeWithName(toyKind, &toyV1{})
	s.AddKnownTypeWithName(toysV2.WithKind("Toy"), &toyV2{})
	return &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater: s, ObjectTyper: s, ObjectDefaulter: s, ObjectConvertor: toyConvertor{s}, EquivalentResourceMapper: toyMapper(),
	}
}

// toyConvertor knows how toys are converted, and leaves the rest to the scheme.
type toyConvertor struct{ *runtime.Scheme }

// Convert implements runtime.ObjectConvertor.
func (c toyConvertor) Convert(in, out, context any) error {
	switch from := in.(type) {
	case *toy:
		switch to := out.(type) {
		case *toyV1:
			to.ObjectMeta, to.Size = *from.DeepCopy(), from.Size
			return nil
		case *toyV2:
			to.ObjectMeta, to.Length = *from.DeepCopy(), from.Size
			return nil
		}
	case *toyV1:
		if to, ok := out.(*toy); ok {
			to.ObjectMeta, to.Size = *from.DeepCopy(), from.Size
			return nil
		}
	case *toyV2:
		if to, ok := out.(*toy); ok {
			to.ObjectMeta, to.Size = *from.DeepCopy(), from.Length
			return nil
		}
	}
	return c.Scheme.Convert(in, out, context)
}

func toyMapper() runtime.EquivalentResourceMapper {
	mapper := runtime.NewEquivalentResourceRegistry()
	for _, gv := range []schema.GroupVersion{toysV1, toysV2} {
		mapper.RegisterKindFor(gv.WithResource("toys"), "", gv.WithKind("Toy"))
	}
	return mapper
}

func customToy() runtime.Object {
	object := &unstructured.Unstructured{Object: map[string]any{"size": int64(3)}}
	object.SetGroupVersionKind(toyKind)
	object.SetName(anything.Name)
	object.SetNamespace(anything.Namespace)
	object.SetLabels(anything.Labels)
	return object
}

func customObjects() apiadmission.ObjectInterfaces {
	return &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater: unstructuredscheme.NewUnstructuredCreator(), ObjectTyper: unstructuredscheme.NewUnstructuredObjectTyper(),
		ObjectDefaulter: unstructuredscheme.NewUnstructuredDefaulter(),
		ObjectConvertor: customConvertor{}, EquivalentResourceMapper: toyMapper(),
	}
}

// customConvertor converts by renaming the version: the one that out has is
// wanted.
type customConvertor struct{ runtime.ObjectConvertor }

// Convert implements runtime.ObjectConvertor.
func (customConvertor) Convert(in, out, _ any) error {
	to := out.(*unstructured.Unstructured)
	wanted := to.GroupVersionKind()
	to.Object = in.(*unstructured.Unstructured).DeepCopy().Object
	to.SetGroupVersionKind(wanted)
	return nil
}
