package apiserver

import (
	"context"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
)

// binding is the subresource that gives a pod to a node.
type binding struct{ pods writePart }

// bindings is a resource of its own, for the same and older than the subresource.
type bindings struct{ binding binding }

var (
	_ rest.NamedCreater                   = binding{}
	_ rest.SubresourceObjectMetaPreserver = binding{}
	_ rest.Creater                        = bindings{}
	_ rest.Scoper                         = bindings{}
	_ rest.SingularNameProvider           = bindings{}
)

func newBinding(s store) rest.Storage  { return bindingTo(s) }
func newBindings(s store) rest.Storage { return bindings{bindingTo(s)} }

func bindingTo(s store) binding {
	return binding{s.part(func(runtime.Object, runtime.Object) {}, func(r *resource) { r.check = nil })}
}

// New implements rest.Storage.
func (binding) New() runtime.Object { return &corev1.Binding{} }

// Destroy implements rest.Storage. What is behind belongs to the pods.
func (binding) Destroy() {}

// PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate implements
// rest.SubresourceObjectMetaPreserver: a UID says which pod of the name is meant.
func (binding) PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate() bool { return true }

// Create implements rest.NamedCreater.
func (b binding) Create(ctx context.Context, name string, object runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	bound, ok := object.(*corev1.Binding)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("not a Binding object: %#v", object))
	}
	if name != bound.Name {
		return nil, apierrors.NewBadRequest("name in URL does not match name in Binding object")
	}
	if bound.Target.Name == "" {
		return nil, apierrors.NewBadRequest("target.name: Required value")
	}
	if validate != nil {
		if err := validate(ctx, bound.DeepCopy()); err != nil {
			return nil, err
		}
	}
	assigned := rest.DefaultUpdatedObjectInfo(nil, func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
		return assign(old.(*corev1.Pod), bound)
	})
	_, _, err := b.pods.Update(ctx, name, assigned, rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false,
		&metav1.UpdateOptions{DryRun: options.DryRun})
	if err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, nil
}

// assign returns the pod on the node that a binding names.
func assign(pod *corev1.Pod, bound *corev1.Binding) (*corev1.Pod, error) {
	refuse := func(why error) (*corev1.Pod, error) {
		return nil, apierrors.NewConflict(corev1.Resource("pods/binding"), pod.Name, why)
	}
	switch {
	case bound.UID != "" && bound.UID != pod.UID:
		return refuse(otherUID(bound.UID, pod.UID))
	case pod.DeletionTimestamp != nil:
		return refuse(fmt.Errorf("pod %s is being deleted, cannot be assigned to a host", pod.Name))
	case pod.Spec.NodeName != "":
		return refuse(fmt.Errorf("pod %v is already assigned to node %q", pod.Name, pod.Spec.NodeName))
	case len(pod.Spec.SchedulingGates) > 0:
		return refuse(fmt.Errorf("pod %v has non-empty .spec.schedulingGates", pod.Name))
	}
	pod = pod.DeepCopy()
	pod.Spec.NodeName = bound.Target.Name
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	maps.Copy(pod.Annotations, bound.Annotations)
	pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now(),
	})
	return pod, nil
}

// New implements rest.Storage.
func (bindings) New() runtime.Object { return &corev1.Binding{} }

// Destroy implements rest.Storage. What is behind belongs to the pods.
func (bindings) Destroy() {}

// NamespaceScoped implements rest.Scoper.
func (bindings) NamespaceScoped() bool { return true }

// GetSingularName implements rest.SingularNameProvider.
func (bindings) GetSingularName() string { return "binding" }

// Create implements rest.Creater.
func (b bindings) Create(ctx context.Context, object runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	return b.binding.Create(ctx, metadata(object).GetName(), object, validate, options)
}
