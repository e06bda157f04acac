package registry

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
)

// bindingREST is the subresource that assigns a pod to a node.
type bindingREST struct{ pods updateREST }

// legacyBindingREST is the resource "bindings", which does the same.
type legacyBindingREST struct{ binding bindingREST }

var (
	_ rest.NamedCreater                   = bindingREST{}
	_ rest.SubresourceObjectMetaPreserver = bindingREST{}
	_ rest.Creater                        = legacyBindingREST{}
	_ rest.Scoper                         = legacyBindingREST{}
	_ rest.SingularNameProvider           = legacyBindingREST{}
)

func newBindingREST(r resourceREST) rest.Storage { return bindingOf(r) }

func newLegacyBindingREST(r resourceREST) rest.Storage { return legacyBindingREST{bindingOf(r)} }

func bindingOf(r resourceREST) bindingREST {
	keep := func(runtime.Object, runtime.Object) {}
	return bindingREST{r.subresource(keep, nil)}
}

// New implements rest.Storage.
func (bindingREST) New() runtime.Object { return &corev1.Binding{} }

// Destroy implements rest.Storage. The pods own the store.
func (bindingREST) Destroy() {}

// PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate implements
// rest.SubresourceObjectMetaPreserver: the UID in a Binding is a precondition.
func (bindingREST) PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate() bool { return true }

// Create implements rest.NamedCreater.
func (r bindingREST) Create(
	ctx context.Context, name string, object runtime.Object,
	validate rest.ValidateObjectFunc, options *metav1.CreateOptions,
) (runtime.Object, error) {
	binding, ok := object.(*corev1.Binding)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("not a Binding object: %#v", object))
	}
	if name != binding.Name {
		return nil, apierrors.NewBadRequest("name in URL does not match name in Binding object")
	}
	if binding.Target.Name == "" {
		return nil, apierrors.NewBadRequest("target.name: Required value")
	}
	if validate != nil {
		if err := validate(ctx, binding.DeepCopy()); err != nil {
			return nil, err
		}
	}
	assigned := func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
		return assignPod(old.(*corev1.Pod), binding)
	}
	// Admission has received the Binding and does not receive the update of the pod.
	_, _, err := r.pods.Update(ctx, name, rest.DefaultUpdatedObjectInfo(nil, assigned),
		rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false,
		&metav1.UpdateOptions{DryRun: options.DryRun})
	if err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, nil
}

// assignPod returns a copy of pod on the node of a binding.
func assignPod(pod *corev1.Pod, binding *corev1.Binding) (*corev1.Pod, error) {
	conflict := func(err error) (*corev1.Pod, error) {
		return nil, apierrors.NewConflict(corev1.Resource("pods/binding"), pod.Name, err)
	}
	switch {
	case binding.UID != "" && binding.UID != pod.UID:
		return conflict(uidPreconditionError(binding.UID, pod.UID))
	case pod.DeletionTimestamp != nil:
		return conflict(fmt.Errorf("pod %s is being deleted, cannot be assigned to a host", pod.Name))
	case pod.Spec.NodeName != "":
		return conflict(fmt.Errorf("pod %v is already assigned to node %q", pod.Name, pod.Spec.NodeName))
	case len(pod.Spec.SchedulingGates) > 0:
		return conflict(fmt.Errorf("pod %v has non-empty .spec.schedulingGates", pod.Name))
	}
	pod = pod.DeepCopy()
	pod.Spec.NodeName = binding.Target.Name
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	maps.Copy(pod.Annotations, binding.Annotations)
	status := &pod.Status
	i := slices.IndexFunc(status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodScheduled
	})
	if i < 0 {
		i, status.Conditions = len(status.Conditions), append(status.Conditions, corev1.PodCondition{})
	}
	status.Conditions[i] = corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now(),
	}
	return pod, nil
}

// New implements rest.Storage.
func (legacyBindingREST) New() runtime.Object { return &corev1.Binding{} }

// Destroy implements rest.Storage. The pods own the store.
func (legacyBindingREST) Destroy() {}

// NamespaceScoped implements rest.Scoper.
func (legacyBindingREST) NamespaceScoped() bool { return true }

// GetSingularName implements rest.SingularNameProvider.
func (legacyBindingREST) GetSingularName() string { return "binding" }

// Create implements rest.Creater.
func (r legacyBindingREST) Create(
	ctx context.Context, object runtime.Object,
	validate rest.ValidateObjectFunc, options *metav1.CreateOptions,
) (runtime.Object, error) {
	return r.binding.Create(ctx, accessor(object).GetName(), object, validate, options)
}
