package rules

import (
	"cmp"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func containerRules() []rule {
	return []rule{
		on(container),
		require[corev1.ContainerPort]("containerPort"),
		on(containerPort),
		require[corev1.EnvVar]("name"),
		format[corev1.EnvVar](validation.IsRelaxedEnvVarName, "name"),
		on(envVar),
		on(envFrom),
		require[corev1.SecretKeySelector]("key"),
		require[corev1.ConfigMapKeySelector]("key"),
		format[corev1.SecretKeySelector](validation.IsConfigMapKey, "key"),
		format[corev1.ConfigMapKeySelector](validation.IsConfigMapKey, "key"),
		require[corev1.ObjectFieldSelector]("fieldPath"),
		require[corev1.VolumeMount]("name", "mountPath"),
		on(requirements),
		within[corev1.SecurityContext](0, math.MaxInt32, "runAsGroup", "runAsUser"),
		on(securityContext),
		atLeast[corev1.Probe](0, "failureThreshold", "initialDelaySeconds", "periodSeconds",
			"successThreshold", "timeoutSeconds"),
		atLeast[corev1.Probe](1, "terminationGracePeriodSeconds"),
		on(func(p *corev1.Probe, path *field.Path) field.ErrorList {
			return oneOf(path, "handler type", set(p.Exec, "exec"), set(p.HTTPGet, "httpGet"),
				set(p.TCPSocket, "tcpSocket"), set(p.GRPC, "grpc"))
		}),
		on(func(h *corev1.LifecycleHandler, path *field.Path) field.ErrorList {
			return oneOf(path, "handler type", set(h.Exec, "exec"), set(h.HTTPGet, "httpGet"),
				set(h.TCPSocket, "tcpSocket"), set(h.Sleep, "sleep"))
		}),
		require[corev1.ExecAction]("command"),
		require[corev1.HTTPGetAction]("path"),
		on(func(a *corev1.HTTPGetAction, path *field.Path) field.ErrorList {
			return port(a.Port, path.Child("port"))
		}),
		on(func(a *corev1.TCPSocketAction, path *field.Path) field.ErrorList {
			return port(a.Port, path.Child("port"))
		}),
		within[corev1.GRPCAction](1, math.MaxUint16, "port"),
	}
}

// member is a field of which one is set, such as the handler of a probe.
type member struct {
	set  bool
	name string
}

func set[T any](pointer *T, name string) member { return member{pointer != nil, name} }

// oneOf returns an error unless exactly one member is set.
func oneOf(path *field.Path, what string, members ...member) field.ErrorList {
	var errs field.ErrorList
	found := false
	for _, m := range members {
		if m.set && found {
			errs = append(errs, field.Forbidden(path.Child(m.name), "may not specify more than 1 "+what))
		}
		found = found || m.set
	}
	if !found {
		errs = append(errs, field.Required(path, "must specify a "+what))
	}
	return errs
}

func container(c *corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if c.Image != strings.TrimSpace(c.Image) {
		errs = append(errs, field.Invalid(
			path.Child("image"), c.Image, "must not have leading or trailing whitespace"))
	}
	errs = append(errs, duplicates(c.Ports, path.Child("ports"), "name",
		func(p *corev1.ContainerPort) string { return p.Name })...)
	errs = append(errs, oneSuccess(c.LivenessProbe, path.Child("livenessProbe"))...)
	return append(errs, oneSuccess(c.StartupProbe, path.Child("startupProbe"))...)
}

// oneSuccess is for probes that one success ends.
func oneSuccess(p *corev1.Probe, path *field.Path) field.ErrorList {
	if p == nil || p.SuccessThreshold <= 1 {
		return nil
	}
	return field.ErrorList{field.Invalid(
		path.Child("successThreshold"), p.SuccessThreshold, "must be 1")}
}

func containerPort(p *corev1.ContainerPort, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if p.Name != "" {
		errs = append(errs, invalid(path.Child("name"), p.Name, validation.IsValidPortName(p.Name))...)
	}
	if p.ContainerPort != 0 {
		errs = append(errs, inRange(
			int64(p.ContainerPort), 1, math.MaxUint16, path.Child("containerPort"))...)
	}
	if p.HostPort != 0 {
		errs = append(errs, inRange(
			int64(p.HostPort), 1, math.MaxUint16, path.Child("hostPort"))...)
	}
	return errs
}

func port(p intstr.IntOrString, path *field.Path) field.ErrorList {
	if p.Type == intstr.Int {
		return invalid(path, p.IntValue(), validation.IsValidPortNum(p.IntValue()))
	}
	return invalid(path, p.StrVal, validation.IsValidPortName(p.StrVal))
}

func envVar(e *corev1.EnvVar, path *field.Path) field.ErrorList {
	path = path.Child("valueFrom")
	from := e.ValueFrom
	if from == nil {
		return nil
	}
	number := 0
	for _, set := range []bool{
		from.FieldRef != nil, from.ResourceFieldRef != nil, from.ConfigMapKeyRef != nil,
		from.SecretKeyRef != nil, from.FileKeyRef != nil,
	} {
		if set {
			number++
		}
	}
	switch {
	case number == 0:
		return field.ErrorList{field.Invalid(path, "", "must specify one of: `fieldRef`, "+
			"`resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`")}
	case e.Value != "":
		return field.ErrorList{field.Invalid(path, "", "may not be specified when `value` is not empty")}
	case number > 1:
		return field.ErrorList{field.Invalid(
			path, "", "may not have more than one field specified at a time")}
	}
	return nil
}

func envFrom(e *corev1.EnvFromSource, path *field.Path) field.ErrorList {
	switch {
	case e.ConfigMapRef == nil && e.SecretRef == nil:
		return field.ErrorList{field.Invalid(
			path, "", "must specify one of: `configMapRef` or `secretRef`")}
	case e.ConfigMapRef != nil && e.SecretRef != nil:
		return field.ErrorList{field.Invalid(
			path, "", "may not have more than one field specified at a time")}
	case e.ConfigMapRef != nil && e.ConfigMapRef.Name == "":
		return field.ErrorList{field.Required(path.Child("configMapRef", "name"), "")}
	case e.SecretRef != nil && e.SecretRef.Name == "":
		return field.ErrorList{field.Required(path.Child("secretRef", "name"), "")}
	}
	return nil
}

func securityContext(c *corev1.SecurityContext, path *field.Path) field.ErrorList {
	if c.AllowPrivilegeEscalation == nil || *c.AllowPrivilegeEscalation {
		return nil
	}
	if c.Privileged != nil && *c.Privileged {
		return field.ErrorList{field.Invalid(path, c,
			"cannot set `allowPrivilegeEscalation` to false and `privileged` to true")}
	}
	return nil
}

// standardResources are the resources of containers without a domain.
// Hugepages have a size in their names.
var standardResources = []corev1.ResourceName{
	corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage,
}

// requirements validates the resources of containers.
func requirements(r *corev1.ResourceRequirements, path *field.Path) field.ErrorList {
	errs := containerResources(r.Limits, path.Child("limits"))
	errs = append(errs, containerResources(r.Requests, path.Child("requests"))...)
	for _, name := range sortedResources(r.Requests) {
		request := r.Requests[name]
		limit, ok := r.Limits[name]
		if ok && request.Cmp(limit) > 0 {
			errs = append(errs, field.Invalid(path.Child("requests"), request.String(),
				"must be less than or equal to "+string(name)+" limit of "+limit.String()))
		}
	}
	return errs
}

func containerResources(list corev1.ResourceList, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range sortedResources(list) {
		at, text := path.Key(string(name)), string(name)
		errs = append(errs, invalid(at, text, validation.IsQualifiedName(text))...)
		if !strings.Contains(text, "/") && !slices.Contains(standardResources, name) &&
			!strings.HasPrefix(text, corev1.ResourceHugePagesPrefix) {
			errs = append(errs, field.Invalid(at, text, "must be a standard resource for containers"))
		}
		errs = append(errs, nonNegativeQuantity(list[name], at)...)
	}
	return errs
}

func sortedResources(list corev1.ResourceList) []corev1.ResourceName {
	var names []corev1.ResourceName
	for name := range list {
		names = append(names, name)
	}
	slices.SortFunc(names, cmp.Compare)
	return names
}

func nonNegativeQuantity(q resource.Quantity, path *field.Path) field.ErrorList {
	if q.Sign() >= 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(path, q.String(), "must be greater than or equal to 0")}
}
