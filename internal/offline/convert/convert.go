package convert

import (
	"errors"
	"fmt"
	"slices"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// kinds returns the kinds of the package, each in its two versions, the newer
// one first.
func kinds() [][]schema.GroupVersionKind {
	return [][]schema.GroupVersionKind{
		{
			autoscalingv2.SchemeGroupVersion.WithKind("HorizontalPodAutoscaler"),
			autoscalingv1.SchemeGroupVersion.WithKind("HorizontalPodAutoscaler"),
		},
		{eventsv1.SchemeGroupVersion.WithKind("Event"), corev1.SchemeGroupVersion.WithKind("Event")},
		{
			policyv1.SchemeGroupVersion.WithKind("Eviction"),
			policyv1beta1.SchemeGroupVersion.WithKind("Eviction"),
		},
	}
}

// Versions returns the versions of a kind, itself included, the newer one
// first. The versions of an Event are in two groups. The result is nil for a
// kind that this package does not convert; it belongs to the caller.
func Versions(kind schema.GroupVersionKind) []schema.GroupVersionKind {
	for _, versions := range kinds() {
		if slices.Contains(versions, kind) {
			return versions
		}
	}
	return nil
}

// ToVersion returns a copy of a typed object in the version to, with apiVersion
// and kind set. The Go type determines the kind of the object. The result
// belongs to the caller and shares no memory with the object, which stays as it
// is.
//
// The error names the object and the version. It is returned if the two are not
// versions of one kind, or if the version cannot express a value.
func ToVersion(object runtime.Object, to schema.GroupVersionKind) (runtime.Object, error) {
	out, err := convert(object, to)
	if err != nil {
		return nil, fmt.Errorf("cannot convert %s to %s: %w", name(object), text(to), err)
	}
	out.GetObjectKind().SetGroupVersionKind(to)
	return out, nil
}

func convert(object runtime.Object, to schema.GroupVersionKind) (runtime.Object, error) {
	from := kindOf(object)
	switch {
	case from.Empty():
		return nil, errors.New("gatehouse does not convert this kind")
	case !slices.Contains(Versions(from), to):
		return nil, errors.New("they are not versions of the same kind")
	}
	out := object.DeepCopyObject()
	switch {
	case out == nil: // a typed nil pointer
		return nil, errors.New("the object is missing")
	case from == to:
		return out, nil
	}
	return toOther(out)
}

// toOther converts an object, which is given away, to the other version of its
// kind.
func toOther(object runtime.Object) (runtime.Object, error) {
	switch o := object.(type) {
	case *autoscalingv1.HorizontalPodAutoscaler:
		return autoscalerToV2(o), nil
	case *autoscalingv2.HorizontalPodAutoscaler:
		return autoscalerToV1(o)
	case *corev1.Event:
		return eventToEvents(o), nil
	case *eventsv1.Event:
		return eventToCore(o), nil
	case *policyv1beta1.Eviction:
		return new(policyv1.Eviction(*o)), nil
	default:
		return new(policyv1beta1.Eviction(*object.(*policyv1.Eviction))), nil
	}
}

// kindOf returns the kind that a Go type stands for, empty if this package does
// not convert it.
func kindOf(object runtime.Object) schema.GroupVersionKind {
	all := kinds()
	switch object.(type) {
	case *autoscalingv2.HorizontalPodAutoscaler:
		return all[0][0]
	case *autoscalingv1.HorizontalPodAutoscaler:
		return all[0][1]
	case *eventsv1.Event:
		return all[1][0]
	case *corev1.Event:
		return all[1][1]
	case *policyv1.Eviction:
		return all[2][0]
	case *policyv1beta1.Eviction:
		return all[2][1]
	default:
		return schema.GroupVersionKind{}
	}
}

// name returns the kind of an object, or else its Go type.
func name(object runtime.Object) string {
	if kind := kindOf(object); !kind.Empty() {
		return text(kind)
	}
	return fmt.Sprintf("%T", object)
}

// text returns for example "autoscaling/v1 HorizontalPodAutoscaler".
func text(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}
