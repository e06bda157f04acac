package kinds

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ScaleOf returns the Scale of an object as an API server does (S-123), with
// apiVersion and kind set. The object is not changed, need not be defaulted,
// and shares no memory with the result.
//
// The error is about a kind without a scale, or about the fields with the scale
// of a custom resource.
func (r *Registry) ScaleOf(parent runtime.Object) (runtime.Object, error) {
	kind := r.kindOf(parent)
	at, err := r.Lookup(kind)
	if err != nil {
		return nil, err
	}
	want := r.mapper.KindFor(at.GroupVersionResource, "scale")
	if want.Empty() {
		return nil, fmt.Errorf("%s has no subresource scale", Name(kind))
	}
	scale, err := r.scaleOf(parent, kind)
	if err != nil {
		return nil, fmt.Errorf("making the Scale of %s: %w", Name(kind), err)
	}
	scale.SetGroupVersionKind(want)
	return scale, nil
}

func (r *Registry) scaleOf(
	parent runtime.Object, kind schema.GroupVersionKind,
) (*autoscalingv1.Scale, error) {
	if d := r.custom(kind); d != nil {
		return customScale(parent.(*unstructured.Unstructured), d.versions[kind.Version])
	}
	typed, err := r.typed(parent)
	if err != nil {
		return nil, err
	}
	typed = typed.DeepCopyObject()
	r.Normalize(typed)
	return builtinScale(typed)
}

// builtinScale returns the scale of the four built-in kinds that have one.
func builtinScale(object runtime.Object) (*autoscalingv1.Scale, error) {
	switch o := object.(type) {
	case *appsv1.Deployment:
		return selected(&o.ObjectMeta, o.Spec.Replicas, o.Status.Replicas, o.Spec.Selector)
	case *appsv1.ReplicaSet:
		return selected(&o.ObjectMeta, o.Spec.Replicas, o.Status.Replicas, o.Spec.Selector)
	case *appsv1.StatefulSet:
		return selected(&o.ObjectMeta, o.Spec.Replicas, o.Status.Replicas, o.Spec.Selector)
	case *corev1.ReplicationController:
		return scaleFor(
			&o.ObjectMeta,
			o.Spec.Replicas,
			o.Status.Replicas,
			labels.SelectorFromSet(o.Spec.Selector),
		), nil
	default:
		return nil, fmt.Errorf("a %T has no scale", object)
	}
}

func selected(
	m metav1.Object, replicas *int32, current int32, selector *metav1.LabelSelector,
) (*autoscalingv1.Scale, error) {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return nil, fmt.Errorf("spec.selector: %w", err)
	}
	return scaleFor(m, replicas, current, parsed), nil
}

func scaleFor(
	m metav1.Object, replicas *int32, current int32, selector labels.Selector,
) *autoscalingv1.Scale {
	scale := &autoscalingv1.Scale{ObjectMeta: scaleMetadata(m)}
	scale.Spec.Replicas = 1 // the default of all four
	if replicas != nil {
		scale.Spec.Replicas = *replicas
	}
	scale.Status = autoscalingv1.ScaleStatus{Replicas: current, Selector: selector.String()}
	return scale
}

// scaleMetadata returns the metadata that a Scale shares with its parent.
func scaleMetadata(m metav1.Object) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: m.GetName(), Namespace: m.GetNamespace(), UID: m.GetUID(),
		ResourceVersion: m.GetResourceVersion(), CreationTimestamp: m.GetCreationTimestamp(),
	}
}
