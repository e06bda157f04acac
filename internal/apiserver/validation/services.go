package validation

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Service is a Func for services.
func Service(object, old runtime.Object) field.ErrorList {
	spec, path := object.(*corev1.Service).Spec, field.NewPath("spec")
	var errs field.ErrorList
	switch {
	case spec.Type == corev1.ServiceTypeExternalName:
		if spec.ExternalName == "" {
			errs = append(errs, field.Required(path.Child("externalName"), ""))
		}
	case spec.ClusterIP != corev1.ClusterIPNone && len(spec.Ports) == 0:
		errs = append(errs, field.Required(path.Child("ports"), ""))
	}
	errs = append(errs, servicePorts(spec.Ports, path.Child("ports"))...)
	if old != nil && clusterIPChanged(spec, old.(*corev1.Service).Spec) {
		errs = append(errs,
			field.Invalid(path.Child("clusterIPs").Index(0), spec.ClusterIPs, "may not change once set"))
	}
	return errs
}

func servicePorts(ports []corev1.ServicePort, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := map[string]bool{}
	for i, port := range ports {
		namePath := path.Index(i).Child("name")
		switch {
		case port.Name == "" && len(ports) > 1:
			errs = append(errs, field.Required(namePath, ""))
		case port.Name != "" && names[port.Name]:
			errs = append(errs, field.Duplicate(namePath, port.Name))
		}
		names[port.Name] = true
		if port.Port < 1 || port.Port > 65535 {
			errs = append(errs, field.Invalid(
				path.Index(i).Child("port"), port.Port, "must be between 1 and 65535, inclusive"))
		}
	}
	return errs
}

func clusterIPChanged(now, old corev1.ServiceSpec) bool {
	const externalName = corev1.ServiceTypeExternalName
	return old.Type != externalName && now.Type != externalName &&
		old.ClusterIP != "" && now.ClusterIP != old.ClusterIP
}
