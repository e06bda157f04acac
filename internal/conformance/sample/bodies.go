package sample

import (
	"fmt"
	"reflect"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission/request"
)

// body returns the object that is created at a subresource.
func body(subresource string, at request.Endpoint) runtime.Object {
	meta := metav1.ObjectMeta{Name: at.Name, Namespace: at.Namespace}
	switch subresource {
	case "binding":
		return &corev1.Binding{ObjectMeta: meta,
			Target: corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "sample"}}
	case "token":
		return &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{Audiences: []string{"sample"}}}
	default:
		return &policyv1.Eviction{ObjectMeta: meta}
	}
}

// options returns the options of a CONNECT to an object.
func options(subresource string, object runtime.Object) runtime.Object {
	container := ""
	if pod, ok := object.(*corev1.Pod); ok && len(pod.Spec.Containers) > 0 {
		container = pod.Spec.Containers[0].Name
	}
	switch subresource {
	case "exec":
		return &corev1.PodExecOptions{Container: container, Command: []string{"true"},
			Stdout: true, Stderr: true}
	case "attach":
		return &corev1.PodAttachOptions{Container: container, Stdout: true, Stderr: true}
	case "portforward":
		return &corev1.PodPortForwardOptions{Ports: []int32{8080}}
	}
	switch object.(type) {
	case *corev1.Node:
		return &corev1.NodeProxyOptions{Path: "/"}
	case *corev1.Service:
		return &corev1.ServiceProxyOptions{Path: "/"}
	default:
		return &corev1.PodProxyOptions{Path: "/"}
	}
}

// scaled returns the Scale of an object, before and after adding one replica.
func (m *maker) scaled(stored runtime.Object) (old, object runtime.Object, err error) {
	if old, err = m.Kinds.ScaleOf(stored); err != nil {
		return nil, nil, err
	}
	object = old.DeepCopyObject()
	// The versions of Scale share this field, but no interface.
	replicas := reflect.ValueOf(object).Elem().FieldByName("Spec").FieldByName("Replicas")
	if !replicas.IsValid() || !replicas.CanInt() {
		return nil, nil, fmt.Errorf("a %T has no replicas", object)
	}
	replicas.SetInt(replicas.Int() + 1)
	return old, object, nil
}
