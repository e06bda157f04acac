package apiserver

import (
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The short list of what is validated beyond metadata; see the package comment.
// Errors are kube-apiserver's.

// checking makes a check of a function of a Go type, to which old is nil if an
// object is created.
func checking[T any, P object[T]](rule func(object, old P) field.ErrorList) check {
	return func(object, old runtime.Object) field.ErrorList {
		if old == nil {
			return rule(object.(P), nil)
		}
		return rule(object.(P), old.(P))
	}
}

// immutable says that a field may not change.
func immutable(value, old any, path *field.Path) field.ErrorList {
	if apiequality.Semantic.DeepEqual(value, old) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, value, "field is immutable")}
}

func checkConfigMap(object, old *corev1.ConfigMap) field.ErrorList {
	if old == nil {
		return nil
	}
	return checkSealed(old.Immutable, object.Immutable, map[string]bool{
		"data":       apiequality.Semantic.DeepEqual(object.Data, old.Data),
		"binaryData": apiequality.Semantic.DeepEqual(object.BinaryData, old.BinaryData),
	})
}

func checkSecret(object, old *corev1.Secret) field.ErrorList {
	if old == nil {
		return nil
	}
	return append(immutable(object.Type, old.Type, field.NewPath("type")),
		checkSealed(old.Immutable, object.Immutable, map[string]bool{
			"data": apiequality.Semantic.DeepEqual(object.Data, old.Data),
		})...)
}

// checkSealed is about objects that were once declared immutable. same says which
// fields are what they were.
func checkSealed(before, now *bool, same map[string]bool) field.ErrorList {
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
		if unchanged, there := same[name]; there && !unchanged {
			errs = append(errs, forbidden(name))
		}
	}
	return errs
}

func checkRoleBinding(object, old *rbacv1.RoleBinding) field.ErrorList {
	if old == nil {
		return nil
	}
	return checkRoleRef(object.RoleRef, old.RoleRef)
}

func checkClusterRoleBinding(object, old *rbacv1.ClusterRoleBinding) field.ErrorList {
	if old == nil {
		return nil
	}
	return checkRoleRef(object.RoleRef, old.RoleRef)
}

func checkRoleRef(now, old rbacv1.RoleRef) field.ErrorList {
	if now == old {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("roleRef"), now, "cannot change roleRef")}
}

// nameOfRole allows what can be in a path: colons, above all.
func nameOfRole(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}
