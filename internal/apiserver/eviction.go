package apiserver

import (
	"context"
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/dryrun"
)

// eviction is the subresource that deletes a pod. There being no pods that run, it
// asks no PodDisruptionBudget.
type eviction struct{ pods store }

var (
	_ rest.NamedCreater             = eviction{}
	_ rest.GroupVersionKindProvider = eviction{}
	_ rest.GroupVersionAcceptor     = eviction{}
)

func newEviction(s store) rest.Storage { return eviction{s} }

// New implements rest.Storage.
func (eviction) New() runtime.Object { return &policyv1.Eviction{} }

// Destroy implements rest.Storage. What is behind belongs to the pods.
func (eviction) Destroy() {}

// GroupVersionKind implements rest.GroupVersionKindProvider.
func (eviction) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return policyv1.SchemeGroupVersion.WithKind("Eviction")
}

// AcceptsGroupVersion implements rest.GroupVersionAcceptor: old clients may go on
// sending the version that they know.
func (eviction) AcceptsGroupVersion(version schema.GroupVersion) bool {
	return version == policyv1.SchemeGroupVersion || version == policyv1beta1.SchemeGroupVersion
}

// Create implements rest.NamedCreater.
func (e eviction) Create(ctx context.Context, name string, object runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	request, ok := object.(*policyv1.Eviction)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("not a Eviction object: %T", object))
	}
	if name != request.Name {
		return nil, apierrors.NewBadRequest("name in URL does not match name in Eviction object")
	}
	if _, err := e.pods.Get(ctx, name, &metav1.GetOptions{}); err != nil {
		return nil, err
	}
	if validate != nil {
		if err := validate(ctx, request.DeepCopy()); err != nil {
			return nil, err
		}
	}
	how := &metav1.DeleteOptions{}
	if request.DeleteOptions != nil {
		how = request.DeleteOptions.DeepCopy()
	}
	if dryrun.IsDryRun(options.DryRun) {
		how.DryRun = options.DryRun
	}
	// Admission has heard of the eviction, and as in kube-apiserver does not hear
	// of the deletion.
	if _, _, err := e.pods.Delete(ctx, name, rest.ValidateAllObjectFunc, how); err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, nil
}
