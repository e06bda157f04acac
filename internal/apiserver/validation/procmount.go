package validation

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// procMounts requires a user namespace of the pod for each container with an
// unmasked /proc, as kube-apiserver does since v1.35.
func procMounts(spec corev1.PodSpec, path *field.Path) field.ErrorList {
	if spec.HostUsers != nil && !*spec.HostUsers {
		return nil
	}
	return append(unmasked(spec.InitContainers, path.Child("initContainers")),
		unmasked(spec.Containers, path.Child("containers"))...)
}

func unmasked(containers []corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range containers {
		s := c.SecurityContext
		if s != nil && s.ProcMount != nil && *s.ProcMount == corev1.UnmaskedProcMount {
			errs = append(errs, field.Invalid(
				path.Index(i).Child("securityContext", "procMount"), *s.ProcMount,
				"`hostUsers` must be false to use `Unmasked`"))
		}
	}
	return errs
}
