package validation

import (
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Func validates a new object or, if old is not nil, the update of old.
type Func func(object, old runtime.Object) field.ErrorList

// immutable returns an error if value differs from old.
func immutable(value, old any, path *field.Path) field.ErrorList {
	if apiequality.Semantic.DeepEqual(value, old) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, value, "field is immutable")}
}

// ConfigMap is a Func for ConfigMaps.
func ConfigMap(object, old runtime.Object) field.ErrorList {
	if old == nil {
		return nil
	}
	now, before := object.(*corev1.ConfigMap), old.(*corev1.ConfigMap)
	return immutableData(now.Immutable, before.Immutable, map[string]bool{
		"data":       !apiequality.Semantic.DeepEqual(now.Data, before.Data),
		"binaryData": !apiequality.Semantic.DeepEqual(now.BinaryData, before.BinaryData),
	})
}

// Secret is a Func for Secrets.
func Secret(object, old runtime.Object) field.ErrorList {
	if old == nil {
		return nil
	}
	now, before := object.(*corev1.Secret), old.(*corev1.Secret)
	errs := immutable(now.Type, before.Type, field.NewPath("type"))
	return append(errs, immutableData(now.Immutable, before.Immutable, map[string]bool{
		"data": !apiequality.Semantic.DeepEqual(now.Data, before.Data),
	})...)
}

// immutableData checks the update of an object with a field `immutable`.
// changed has the names of its data fields.
func immutableData(now, before *bool, changed map[string]bool) field.ErrorList {
	if before == nil || !*before {
		return nil
	}
	forbidden := func(name string) *field.Error {
		return field.Forbidden(field.NewPath(name), "field is immutable when `immutable` is set")
	}
	var errs field.ErrorList
	if now == nil || !*now {
		errs = append(errs, forbidden("immutable"))
	}
	for _, name := range []string{"data", "binaryData"} {
		if changed[name] {
			errs = append(errs, forbidden(name))
		}
	}
	return errs
}

// RoleBinding is a Func for RoleBindings and ClusterRoleBindings.
func RoleBinding(object, old runtime.Object) field.ErrorList {
	if old == nil || roleRef(object) == roleRef(old) {
		return nil
	}
	return field.ErrorList{
		field.Invalid(field.NewPath("roleRef"), roleRef(object), "cannot change roleRef"),
	}
}

func roleRef(binding runtime.Object) rbacv1.RoleRef {
	if b, ok := binding.(*rbacv1.RoleBinding); ok {
		return b.RoleRef
	}
	return binding.(*rbacv1.ClusterRoleBinding).RoleRef
}
