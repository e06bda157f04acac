package dispatcher_test

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
)

// request is what the tests ask of the API; the zero value creates a pod.
type request struct {
	operation   apiadmission.Operation
	kind        schema.GroupVersionKind
	resource    schema.GroupVersionResource
	subresource string
	// name is "web" unless nameless.
	nameless    bool
	object, old runtime.Object
	options     runtime.Object
	dryRun      bool
	anonymous   bool
}

var (
	podKind     = corev1.SchemeGroupVersion.WithKind("Pod")
	podResource = corev1.SchemeGroupVersion.WithResource("pods")
)

func (r request) attributes() apiadmission.Attributes {
	if r.operation == "" {
		r.operation = apiadmission.Create
	}
	if r.kind.Empty() {
		r.kind, r.resource = podKind, podResource
	}
	if r.object == nil && r.operation != apiadmission.Delete {
		r.object = pod()
	}
	name := "web"
	if r.nameless {
		name = ""
	}
	var asking user.Info
	if !r.anonymous {
		asking = &user.DefaultInfo{Name: "ann", UID: "7", Groups: []string{"devs"}, Extra: map[string][]string{"team": {"blue"}}}
	}
	return apiadmission.NewAttributesRecord(r.object, r.old, r.kind, "shop", name,
		r.resource, r.subresource, r.operation, r.options, r.dryRun, asking)
}

// pod returns a pod with pairs of labels.
func pod(labels ...string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}
	for i := 0; i+1 < len(labels); i += 2 {
		metav1.SetMetaDataLabel(&p.ObjectMeta, labels[i], labels[i+1])
	}
	return p
}

// deletion is the request to delete a pod.
func deletion() request {
	return request{operation: apiadmission.Delete, old: pod()}
}

// podScheme knows a few built-in kinds, which are their own internal versions.
func podScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(corev1.SchemeGroupVersion, &corev1.Pod{}, &corev1.Service{}, &corev1.Namespace{})
	metav1.AddToGroupVersion(s, corev1.SchemeGroupVersion)
	return s
}

// namespaces are the labels of the namespaces there are.
type namespaces map[string]map[string]string

func (n namespaces) Labels(_ context.Context, name string) (map[string]string, error) {
	if labels, ok := n[name]; ok {
		return labels, nil
	}
	return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
}
