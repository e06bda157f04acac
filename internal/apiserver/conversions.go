package apiserver

import (
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

	versions "example.com/gatehouse/internal/offline/convert"
	"example.com/gatehouse/internal/offline/internalversion"
)

// addConversions teaches a scheme what goes beyond copying: the kinds that have
// several versions, and those that kube-apiserver's internal types change.
func addConversions(scheme *runtime.Scheme) error {
	// kube-apiserver still takes an Eviction in the version of old clients.
	scheme.AddKnownTypes(policyv1beta1.SchemeGroupVersion, &policyv1beta1.Eviction{})
	metav1.AddToGroupVersion(scheme, policyv1beta1.SchemeGroupVersion)

	between := versions.New()
	autoscaler := func(gv schema.GroupVersion) schema.GroupVersionKind { return gv.WithKind("HorizontalPodAutoscaler") }
	event := func(gv schema.GroupVersion) schema.GroupVersionKind { return gv.WithKind("Event") }
	for _, add := range []func(*runtime.Scheme) error{
		settling[corev1.Secret],
		settling[corev1.Node],
		settling[appsv1.Deployment],
		settling[appsv1.DaemonSet],
		settling[appsv1.StatefulSet],
		converting[autoscalingv1.HorizontalPodAutoscaler, autoscalingv2.HorizontalPodAutoscaler](between, autoscaler(autoscalingv2.SchemeGroupVersion)),
		converting[autoscalingv2.HorizontalPodAutoscaler, autoscalingv1.HorizontalPodAutoscaler](between, autoscaler(autoscalingv1.SchemeGroupVersion)),
		listing[autoscalingv2.HorizontalPodAutoscalerList, autoscalingv1.HorizontalPodAutoscalerList](between, autoscaler(autoscalingv1.SchemeGroupVersion)),
		converting[eventsv1.Event, corev1.Event](between, event(corev1.SchemeGroupVersion)),
		converting[corev1.Event, eventsv1.Event](between, event(eventsv1.SchemeGroupVersion)),
		listing[corev1.EventList, eventsv1.EventList](between, event(eventsv1.SchemeGroupVersion)),
		converting[policyv1beta1.Eviction, policyv1.Eviction](between, policyv1.SchemeGroupVersion.WithKind("Eviction")),
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	return nil
}

// object is a pointer to a Go type of the API.
type object[T any] interface {
	*T
	runtime.Object
	DeepCopyInto(*T)
}

// settling has conversions of a type to itself do what kube-apiserver's do. They
// happen on the way to a webhook; on the way to the database it is the strategy
// that does the same.
func settling[T any, P object[T]](scheme *runtime.Scheme) error {
	return scheme.AddConversionFunc(P(nil), P(nil), func(from, to any, _ conversion.Scope) error {
		out := to.(P)
		from.(P).DeepCopyInto(out)
		// As all conversions of a scheme do, which knows the kind from the type.
		out.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		internalversion.Settle(out)
		return nil
	})
}

// converting has objects converted by package convert. kind is that of To.
func converting[From, To any, PF object[From], PT object[To]](between *versions.Converter, kind schema.GroupVersionKind) func(*runtime.Scheme) error {
	return func(scheme *runtime.Scheme) error {
		return scheme.AddConversionFunc(PF(nil), PT(nil), func(from, to any, _ conversion.Scope) error {
			converted, err := between.Convert(from.(PF), kind)
			if err != nil {
				return err
			}
			internalversion.Settle(converted)
			converted.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
			converted.(PT).DeepCopyInto(to.(PT))
			return nil
		})
	}
}

// listing is the same for lists, which are only ever read. kind is that of the
// items.
func listing[From, To any, PF object[From], PT object[To]](between *versions.Converter, kind schema.GroupVersionKind) func(*runtime.Scheme) error {
	return func(scheme *runtime.Scheme) error {
		return scheme.AddConversionFunc(PF(nil), PT(nil), func(from, to any, _ conversion.Scope) error {
			return convertList(between, from.(PF), to.(PT), kind)
		})
	}
}

func convertList(between *versions.Converter, from, to runtime.Object, kind schema.GroupVersionKind) error {
	var items []runtime.Object
	err := meta.EachListItem(from, func(item runtime.Object) error {
		converted, err := between.Convert(item, kind)
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
