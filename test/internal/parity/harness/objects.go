package harness

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	exampleinstall "k8s.io/apiserver/pkg/apis/example/install"
	examplev1 "k8s.io/apiserver/pkg/apis/example/v1"
	example2install "k8s.io/apiserver/pkg/apis/example2/install"
	kubernetesscheme "k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// newScheme has the types of k8s.io/api and apiextensions, which have no
// internal version, and those of apiserver's two example groups, which have
// one. Pods of both have defaults.
func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	if err := kubernetesscheme.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("making the scheme: %w", err)
	}
	if err := apiextensionsv1.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("making the scheme: %w", err)
	}
	metav1.AddToGroupVersion(scheme, metav1.SchemeGroupVersion)
	exampleinstall.Install(scheme)
	example2install.Install(scheme)
	scheme.AddTypeDefaultingFunc(&corev1.Pod{}, func(o any) { defaultPod(o.(*corev1.Pod)) })
	scheme.AddTypeDefaultingFunc(&examplev1.Pod{},
		func(o any) { defaultExamplePod(o.(*examplev1.Pod)) })
	return scheme, nil
}

// defaultPod does a small part of what kube-apiserver does.
func defaultPod(pod *corev1.Pod) {
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			if containers[i].TerminationMessagePolicy == "" {
				containers[i].TerminationMessagePolicy = corev1.TerminationMessageReadFile
			}
		}
	}
}

func defaultExamplePod(pod *examplev1.Pod) {
	if pod.Spec.RestartPolicy == "" {
		pod.Spec.RestartPolicy = "Always"
	}
}

// Kinds is what a host knows about objects. Make it with NewKinds.
type Kinds struct{ scheme *runtime.Scheme }

// NewKinds knows what newScheme has, and custom resources.
func NewKinds() (Kinds, error) {
	scheme, err := newScheme()
	return Kinds{scheme}, err
}

// interfaces returns a host's ObjectInterfaces for objects of a form. The call
// log records their use.
func (k Kinds) interfaces(
	form scenario.Form, w *scenario.Environment, j *callLog,
) apiadmission.ObjectInterfaces {
	mapper := newMapper(w.Equivalents)
	if form == scenario.Unstructured {
		return &apiadmission.RuntimeObjectInterfaces{
			ObjectCreater:            customCreater{},
			ObjectTyper:              customTyper{},
			ObjectDefaulter:          watchedDefaulter{oddDefaulter{customDefaulter{}, w.Defaults}, j},
			ObjectConvertor:          watchedConvertor{customConvertor{}, j},
			EquivalentResourceMapper: mapper,
		}
	}
	return &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater:            k.scheme,
		ObjectTyper:              k.scheme,
		ObjectDefaulter:          watchedDefaulter{oddDefaulter{k.scheme, w.Defaults}, j},
		ObjectConvertor:          watchedConvertor{convertor{k.scheme}, j},
		EquivalentResourceMapper: mapper,
	}
}

// newMapper registers resources in order. A resource that was first named in
// one group of equivalents stays there, also under other subresources.
func newMapper(equivalents []scenario.Equivalent) runtime.EquivalentResourceMapper {
	identity := map[schema.GroupResource]string{}
	for i, e := range equivalents {
		group := fmt.Sprintf("equivalent %d", i)
		for _, r := range e.Resources {
			if known, ok := identity[groupResource(r)]; ok {
				group = known
				break
			}
		}
		for _, r := range e.Resources {
			if _, known := identity[groupResource(r)]; !known {
				identity[groupResource(r)] = group
			}
		}
	}
	mapper := runtime.NewEquivalentResourceRegistryWithIdentity(
		func(r schema.GroupResource) string { return identity[r] })
	for _, e := range equivalents {
		for _, r := range e.Resources {
			mapper.RegisterKindFor(schema.GroupVersionResource(r.Resource), e.Subresource,
				schema.GroupVersionKind(r.Kind))
		}
	}
	return mapper
}

func groupResource(r scenario.EquivalentResource) schema.GroupResource {
	return schema.GroupResource{Group: r.Resource.Group, Resource: r.Resource.Resource}
}

// convertor converts as a scheme does. Between versions of k8s.io/api, whose
// conversions are not published, it goes through JSON, which is right where the
// versions have the same fields.
type convertor struct{ *runtime.Scheme }

// Convert implements runtime.ObjectConvertor.
func (c convertor) Convert(in, out, context any) error {
	err := c.Scheme.Convert(in, out, context)
	if err == nil {
		return nil
	}
	from, to := c.external(in), c.external(out)
	if from.Empty() || from.Kind != to.Kind || from == to {
		return err
	}
	content, marshalErr := json.Marshal(in)
	if marshalErr != nil {
		return err
	}
	if json.Unmarshal(content, out) != nil {
		return err
	}
	// As the conversions of a scheme, which leave the kind to the caller.
	out.(runtime.Object).GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return nil
}

// external returns the kind of a typed object of a version, and nothing for
// others.
func (c convertor) external(v any) schema.GroupVersionKind {
	object, ok := v.(runtime.Object)
	if !ok {
		return schema.GroupVersionKind{}
	}
	found, _, err := c.ObjectKinds(object)
	if err != nil || found[0].Version == runtime.APIVersionInternal {
		return schema.GroupVersionKind{}
	}
	return found[0]
}
