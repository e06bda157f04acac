package apiserver

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// checkService wants ports of services that have an address, and addresses to stay.
func checkService(service, old *corev1.Service) field.ErrorList {
	spec := field.NewPath("spec")
	var errs field.ErrorList
	switch {
	case service.Spec.Type == corev1.ServiceTypeExternalName:
		if service.Spec.ExternalName == "" {
			errs = append(errs, field.Required(spec.Child("externalName"), ""))
		}
	case service.Spec.ClusterIP != corev1.ClusterIPNone && len(service.Spec.Ports) == 0:
		errs = append(errs, field.Required(spec.Child("ports"), ""))
	}
	errs = append(errs, checkPorts(service.Spec.Ports, spec.Child("ports"))...)
	if old != nil && moved(service.Spec, old.Spec) {
		errs = append(errs, field.Invalid(spec.Child("clusterIPs").Index(0), service.Spec.ClusterIPs, "may not change once set"))
	}
	return errs
}

// checkPorts wants names once there are several, so that they can be told apart.
func checkPorts(ports []corev1.ServicePort, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	taken := map[string]bool{}
	for i, port := range ports {
		name := path.Index(i).Child("name")
		switch {
		case port.Name == "" && len(ports) > 1:
			errs = append(errs, field.Required(name, ""))
		case port.Name != "" && taken[port.Name]:
			errs = append(errs, field.Duplicate(name, port.Name))
		}
		taken[port.Name] = true
		if port.Port < 1 || port.Port > 65535 {
			errs = append(errs, field.Invalid(path.Index(i).Child("port"), port.Port, "must be between 1 and 65535, inclusive"))
		}
	}
	return errs
}

// moved reports whether a service has got another address than it had.
func moved(now, old corev1.ServiceSpec) bool {
	return old.Type != corev1.ServiceTypeExternalName && now.Type != corev1.ServiceTypeExternalName &&
		old.ClusterIP != "" && now.ClusterIP != old.ClusterIP
}
