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

// ScaleOf returns what an API server returns for the subresource scale of an object:
// its Scale, in the version that belongs to the object's (S-123), with apiVersion
// and kind set. The object is not changed and shares no memory with the result. It
// may be of any version that Lookup knows; defaults of the parent that are missing
// are set in a copy, and the replicas that built-in kinds default to in any case.
//
// The error says that the kind has no scale, or what is wrong with the fields that
// a custom resource has it in.
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
	if err == nil {
		var out runtime.Object
		if out, err = r.converter.Convert(scale, want); err == nil {
			return out, nil
		}
	}
	return nil, fmt.Errorf("making the Scale of %s: %w", Name(kind), err)
}

func (r *Registry) scaleOf(parent runtime.Object, kind schema.GroupVersionKind) (*autoscalingv1.Scale, error) {
	if d := r.custom(kind); d != nil {
		return customScale(parent.(*unstructured.Unstructured), d.versions[kind.Version])
	}
	current, err := r.newest(parent, kind)
	if err != nil {
		return nil, err
	}
	return builtinScale(current)
}

// newest returns a copy of an object with its defaults, in a version that is served.
func (r *Registry) newest(object runtime.Object, kind schema.GroupVersionKind) (runtime.Object, error) {
	typed, err := r.typed(object)
	if err != nil {
		return nil, err
	}
	typed = typed.DeepCopyObject()
	r.Settle(typed)
	if use, past := r.Past(kind); past {
		return r.converter.Convert(typed, use)
	}
	return typed, nil
}

// builtinScale is the scale of the four kinds that have one.
func builtinScale(object runtime.Object) (*autoscalingv1.Scale, error) {
	switch o := object.(type) {
	case *appsv1.Deployment:
		return selected(&o.ObjectMeta, o.Spec.Replicas, o.Status.Replicas, o.Spec.Selector)
	case *appsv1.ReplicaSet:
		return selected(&o.ObjectMeta, o.Spec.Replicas, o.Status.Replicas, o.Spec.Selector)
	case *appsv1.StatefulSet:
		return selected(&o.ObjectMeta, o.Spec.Replicas, o.Status.Replicas, o.Spec.Selector)
	case *corev1.ReplicationController:
		return scaleFor(&o.ObjectMeta, o.Spec.Replicas, o.Status.Replicas, labels.SelectorFromSet(o.Spec.Selector)), nil
	default:
		return nil, fmt.Errorf("nothing is known of the replicas of a %T", object)
	}
}

func selected(m metav1.Object, replicas *int32, current int32, selector *metav1.LabelSelector) (*autoscalingv1.Scale, error) {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return nil, fmt.Errorf("spec.selector: %w", err)
	}
	return scaleFor(m, replicas, current, parsed), nil
}

func scaleFor(m metav1.Object, replicas *int32, current int32, selector labels.Selector) *autoscalingv1.Scale {
	scale := &autoscalingv1.Scale{ObjectMeta: scaleMetadata(m)}
	scale.Spec.Replicas = 1 // the default of all four
	if replicas != nil {
		scale.Spec.Replicas = *replicas
	}
	scale.Status = autoscalingv1.ScaleStatus{Replicas: current, Selector: selector.String()}
	return scale
}

// scaleMetadata is what a Scale has of the metadata of its parent.
func scaleMetadata(m metav1.Object) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: m.GetName(), Namespace: m.GetNamespace(), UID: m.GetUID(),
		ResourceVersion: m.GetResourceVersion(), CreationTimestamp: m.GetCreationTimestamp(),
	}
}
