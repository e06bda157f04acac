package registry

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

// evictionREST is the subresource that deletes a pod. It ignores
// PodDisruptionBudgets.
type evictionREST struct{ pods resourceREST }

var (
	_ rest.NamedCreater             = evictionREST{}
	_ rest.GroupVersionKindProvider = evictionREST{}
	_ rest.GroupVersionAcceptor     = evictionREST{}
)

func newEvictionREST(r resourceREST) rest.Storage { return evictionREST{r} }

// New implements rest.Storage.
func (evictionREST) New() runtime.Object { return &policyv1.Eviction{} }

// Destroy implements rest.Storage. The pods own the store.
func (evictionREST) Destroy() {}

// GroupVersionKind implements rest.GroupVersionKindProvider.
func (evictionREST) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return policyv1.SchemeGroupVersion.WithKind("Eviction")
}

// AcceptsGroupVersion implements rest.GroupVersionAcceptor: old clients send
// v1beta1.
func (evictionREST) AcceptsGroupVersion(version schema.GroupVersion) bool {
	return version == policyv1.SchemeGroupVersion || version == policyv1beta1.SchemeGroupVersion
}

// Create implements rest.NamedCreater.
func (r evictionREST) Create(
	ctx context.Context, name string, object runtime.Object,
	validate rest.ValidateObjectFunc, options *metav1.CreateOptions,
) (runtime.Object, error) {
	eviction, ok := object.(*policyv1.Eviction)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("not a Eviction object: %T", object))
	}
	if name != eviction.Name {
		return nil, apierrors.NewBadRequest("name in URL does not match name in Eviction object")
	}
	if _, err := r.pods.Get(ctx, name, &metav1.GetOptions{}); err != nil {
		return nil, err
	}
	if validate != nil {
		if err := validate(ctx, eviction.DeepCopy()); err != nil {
			return nil, err
		}
	}
	deleteOptions := &metav1.DeleteOptions{}
	if eviction.DeleteOptions != nil {
		deleteOptions = eviction.DeleteOptions.DeepCopy()
	}
	if dryrun.IsDryRun(options.DryRun) {
		deleteOptions.DryRun = options.DryRun
	}
	// As in kube-apiserver, admission receives the eviction but not the deletion.
	if _, _, err := r.pods.Delete(ctx, name, rest.ValidateAllObjectFunc, deleteOptions); err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, nil
}
