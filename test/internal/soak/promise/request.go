package promise

import (
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"example.com/gatehouse/internal/offline/kinds"
)

const namespace = "promised"

// request is what a server hands to its plugins.
type request struct {
	object runtime.Object
	kind   schema.GroupVersionKind
	dryRun bool
	// of replaces the attributes and the interfaces that would be handed in;
	// nil leaves them alone.
	of func(apiadmission.Attributes, apiadmission.ObjectInterfaces) (apiadmission.Attributes, apiadmission.ObjectInterfaces)
}

// pod is the creation of a pod with some labels.
func pod(labels map[string]string) request {
	return request{
		object: &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: namespace, Labels: labels},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
		},
		kind: corev1.SchemeGroupVersion.WithKind("Pod"),
	}
}

var widgets = schema.GroupVersion{Group: "acme.example.com", Version: "v1"}

// secret is what must not show.
const secret = "s3cr3t-of-the-widget"

// widget is the creation of a custom resource, of which there is a version v2
// too.
func widget() request {
	kind := widgets.WithKind("Widget")
	object := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": "web", "namespace": namespace},
		"spec":     map[string]any{"size": "small", "secret": secret},
	}}
	object.SetGroupVersionKind(kind)
	return request{object: object, kind: kind}
}

// parts returns what the plugin gets.
func (r *request) parts() (apiadmission.Attributes, apiadmission.ObjectInterfaces, error) {
	objects, err := interfaces()
	if err != nil {
		return nil, nil, err
	}
	resource := r.kind.GroupVersion().WithResource("pods")
	if r.kind.Group == widgets.Group {
		resource.Resource = "widgets"
	}
	attributes := apiadmission.NewAttributesRecord(
		r.object,
		nil,
		r.kind,
		namespace,
		"web",
		resource,
		"",
		apiadmission.Create,
		&metav1.CreateOptions{},
		r.dryRun,
		&user.DefaultInfo{Name: "ann"},
	)
	if r.of != nil {
		attributes, objects = r.of(attributes, objects)
	}
	return attributes, objects, nil
}

// interfaces knows pods and widgets.
var interfaces = sync.OnceValues(func() (apiadmission.ObjectInterfaces, error) {
	known := kinds.New()
	version := func(name string, storage bool) apiextensionsv1.CustomResourceDefinitionVersion {
		return apiextensionsv1.CustomResourceDefinitionVersion{Name: name, Served: true, Storage: storage}
	}
	err := known.AddCRD(&apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets." + widgets.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: widgets.Group, Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: "Widget", ListKind: "WidgetList",
				Plural: "widgets", Singular: "widget"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{version("v1", true),
				version("v2", false)},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("making the widgets: %w", err)
	}
	return known.ObjectInterfaces(), nil
})
