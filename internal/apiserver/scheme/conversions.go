package scheme

import (
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/convert"
	"example.com/gatehouse/internal/offline/internalversion"
)

// addConversions adds the conversions that are more than a copy: between the
// versions of a kind, and to the same version if kube-apiserver's internal type
// changes the object.
func addConversions(scheme *runtime.Scheme) error {
	// kube-apiserver still accepts this version of Eviction.
	scheme.AddKnownTypes(policyv1beta1.SchemeGroupVersion, &policyv1beta1.Eviction{})
	metav1.AddToGroupVersion(scheme, policyv1beta1.SchemeGroupVersion)

	type (
		scaler1 = autoscalingv1.HorizontalPodAutoscaler
		scaler2 = autoscalingv2.HorizontalPodAutoscaler
	)
	hpaV1 := autoscalingv1.SchemeGroupVersion.WithKind("HorizontalPodAutoscaler")
	hpaV2 := autoscalingv2.SchemeGroupVersion.WithKind("HorizontalPodAutoscaler")
	coreEvent := corev1.SchemeGroupVersion.WithKind("Event")
	event := eventsv1.SchemeGroupVersion.WithKind("Event")
	eviction := policyv1.SchemeGroupVersion.WithKind("Eviction")
	return errors.Join(
		addRoundTrip[corev1.Secret](scheme),
		addRoundTrip[corev1.Node](scheme),
		addRoundTrip[appsv1.Deployment](scheme),
		addRoundTrip[appsv1.DaemonSet](scheme),
		addRoundTrip[appsv1.StatefulSet](scheme),
		add[scaler1, scaler2](scheme, hpaV2),
		add[scaler2, scaler1](scheme, hpaV1),
		addList[autoscalingv2.HorizontalPodAutoscalerList,
			autoscalingv1.HorizontalPodAutoscalerList](scheme, hpaV1),
		add[eventsv1.Event, corev1.Event](scheme, coreEvent),
		add[corev1.Event, eventsv1.Event](scheme, event),
		addList[corev1.EventList, eventsv1.EventList](scheme, event),
		add[policyv1beta1.Eviction, policyv1.Eviction](scheme, eviction),
	)
}

// object is a pointer to a Go type of the API.
type object[T any] interface {
	*T
	runtime.Object
	DeepCopyInto(*T)
}

// addRoundTrip makes the conversion of T to itself do what kube-apiserver's
// round trip through the internal type does. The generic server converts
// objects before it calls webhooks; the strategy does the same before objects
// are stored.
func addRoundTrip[T any, P object[T]](scheme *runtime.Scheme) error {
	return scheme.AddConversionFunc(P(nil), P(nil), func(from, to any, _ conversion.Scope) error {
		out := to.(P)
		from.(P).DeepCopyInto(out)
		// The conversions of a scheme return objects without apiVersion and
		// kind.
		out.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		internalversion.Normalize(out)
		return nil
	})
}

// add adds the conversion From -> To. kind is the kind of To.
func add[From, To any, PF object[From], PT object[To]](
	scheme *runtime.Scheme, kind schema.GroupVersionKind,
) error {
	return scheme.AddConversionFunc(PF(nil), PT(nil), func(from, to any, _ conversion.Scope) error {
		converted, err := convert.ToVersion(from.(PF), kind)
		if err != nil {
			return err
		}
		internalversion.Normalize(converted)
		converted.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		converted.(PT).DeepCopyInto(to.(PT))
		return nil
	})
}

// addList adds the conversion From -> To of lists. kind is the kind of To's
// items.
func addList[From, To any, PF object[From], PT object[To]](
	scheme *runtime.Scheme, kind schema.GroupVersionKind,
) error {
	return scheme.AddConversionFunc(PF(nil), PT(nil), func(from, to any, _ conversion.Scope) error {
		return convertList(from.(PF), to.(PT), kind)
	})
}

func convertList(from, to runtime.Object, kind schema.GroupVersionKind) error {
	var items []runtime.Object
	err := meta.EachListItem(from, func(item runtime.Object) error {
		converted, err := convert.ToVersion(item, kind)
		items = append(items, converted)
		return err
	})
	if err != nil {
		return fmt.Errorf("converting a list: %w", err)
	}
	source, err := meta.ListAccessor(from)
	if err != nil {
		return err
	}
	target, err := meta.ListAccessor(to)
	if err != nil {
		return err
	}
	target.SetResourceVersion(source.GetResourceVersion())
	target.SetContinue(source.GetContinue())
	target.SetRemainingItemCount(source.GetRemainingItemCount())
	return meta.SetList(to, items)
}
