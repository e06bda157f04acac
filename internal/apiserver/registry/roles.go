package registry

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"example.com/gatehouse/internal/apiserver/rbac"
)

// guardedREST is the storage of roles or bindings. It rejects those that grant
// permissions that the writing user does not have.
type guardedREST struct {
	resourceREST
	guard rbac.Guard
}

var _ rest.StandardStorage = guardedREST{}

// attachRoles makes the resolver follow the stored roles and bindings, and
// guards them.
func attachRoles(groups []*genericapiserver.APIGroupInfo, guard rbac.Guard) {
	all := groups[groupIndex(groups, rbacv1.GroupName)].VersionedResourcesStorageMap["v1"]
	guard.Resolver.Attach(rbac.Stores{
		Roles:               all["roles"].(resourceREST).Store,
		RoleBindings:        all["rolebindings"].(resourceREST).Store,
		ClusterRoles:        all["clusterroles"].(resourceREST).Store,
		ClusterRoleBindings: all["clusterrolebindings"].(resourceREST).Store,
	})
	for plural, store := range all {
		all[plural] = guardedREST{store.(resourceREST), guard}
	}
}

// Create implements rest.Creater.
func (r guardedREST) Create(
	ctx context.Context, object runtime.Object,
	validate rest.ValidateObjectFunc, options *metav1.CreateOptions,
) (runtime.Object, error) {
	if err := r.check(ctx, object, nil); err != nil {
		return nil, err
	}
	return r.resourceREST.Create(ctx, object, validate, options)
}

// Update implements rest.Updater.
func (r guardedREST) Update(
	ctx context.Context, name string, object rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, forceCreate bool, options *metav1.UpdateOptions,
) (runtime.Object, bool, error) {
	checked := rest.WrapUpdatedObjectInfo(object,
		func(ctx context.Context, object, old runtime.Object) (runtime.Object, error) {
			if onlyForDeletion(object, old) {
				return object, nil
			}
			return object, r.check(ctx, object, old)
		})
	return r.resourceREST.Update(ctx, name, checked, create, update, forceCreate, options)
}

// onlyForDeletion reports whether an update changes only the fields that a
// garbage collector changes, which grants no permission.
func onlyForDeletion(object, old runtime.Object) bool {
	changed := object.DeepCopyObject()
	m, before := accessor(changed), accessor(old)
	m.SetOwnerReferences(before.GetOwnerReferences())
	m.SetFinalizers(before.GetFinalizers())
	m.SetManagedFields(before.GetManagedFields())
	return apiequality.Semantic.DeepEqual(changed, old)
}

// check returns kube-apiserver's error if the user may not write the object.
func (r guardedREST) check(ctx context.Context, object, old runtime.Object) error {
	var err error
	switch o := object.(type) {
	case *rbacv1.Role:
		err = r.guard.CheckRole(ctx, o.Rules)
	case *rbacv1.ClusterRole:
		err = r.guard.CheckRole(ctx, o.Rules)
		before, _ := old.(*rbacv1.ClusterRole)
		aggregates := o.AggregationRule != nil || before != nil && before.AggregationRule != nil
		if err == nil && aggregates {
			err = r.guard.CheckAggregation(ctx)
		}
	case *rbacv1.RoleBinding:
		return r.checkBinding(ctx, o, o.RoleRef, request.NamespaceValue(ctx))
	case *rbacv1.ClusterRoleBinding:
		return r.checkBinding(ctx, o, o.RoleRef, metav1.NamespaceNone)
	}
	return r.forbidden(object, err)
}

func (r guardedREST) checkBinding(
	ctx context.Context, object runtime.Object, ref rbacv1.RoleRef, namespace string,
) error {
	missing, err := r.guard.CheckBinding(ctx, ref, namespace)
	if missing {
		return err
	}
	return r.forbidden(object, err)
}

func (r guardedREST) forbidden(object runtime.Object, err error) error {
	if err == nil {
		return nil
	}
	return apierrors.NewForbidden(r.resource.groupResource(), accessor(object).GetName(), err)
}
