package rules

import (
	"math"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// podRules are for pod specs, without containers, volumes and scheduling.
func podRules() []rule {
	return []rule{
		on(templateMeta),
		on(labelSelector),
		within[corev1.PodSpec](1, math.MaxInt32, "activeDeadlineSeconds"),
		format[corev1.PodSpec](subdomain,
			"nodeName", "priorityClassName", "runtimeClassName", "serviceAccountName"),
		format[corev1.PodSpec](validation.IsDNS1123Label, "hostname", "subdomain"),
		on(podNodeSelector),
		on(podDNS),
		on(podVolumes),
		address[corev1.HostAlias]("ip"),
		require[corev1.HostAlias]("ip"),
		on(hostAliasNames),
		within[corev1.PodSecurityContext](0, math.MaxInt32, "fsGroup", "runAsGroup", "runAsUser"),
		on(supplementalGroups),
		require[corev1.Sysctl]("name"),
		format[corev1.PodReadinessGate](validation.IsQualifiedName, "conditionType"),
		on(podGates),
		require[corev1.SeccompProfile]("type"),
		on(seccompProfile),
	}
}

// templateMeta is for the metadata of templates.
func templateMeta(m *metav1.ObjectMeta, path *field.Path) field.ErrorList {
	errs := metavalidation.ValidateLabels(m.Labels, path.Child("labels"))
	return append(errs, apivalidation.ValidateAnnotations(m.Annotations, path.Child("annotations"))...)
}

func labelSelector(s *metav1.LabelSelector, path *field.Path) field.ErrorList {
	return metavalidation.ValidateLabelSelector(
		s, metavalidation.LabelSelectorValidationOptions{}, path)
}

func podNodeSelector(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	return metavalidation.ValidateLabels(s.NodeSelector, path.Child("nodeSelector"))
}

func podDNS(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	path = path.Child("dnsConfig", "nameservers")
	if s.DNSConfig == nil || len(s.DNSConfig.Nameservers) == 0 {
		if s.DNSPolicy != corev1.DNSNone {
			return nil
		}
		return field.ErrorList{field.Required(path,
			"must provide at least one DNS nameserver when `dnsPolicy` is None")}
	}
	var errs field.ErrorList
	for i, server := range s.DNSConfig.Nameservers {
		errs = append(errs, legacyIP(path.Index(i), server)...)
	}
	return errs
}

func hostAliasNames(a *corev1.HostAlias, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, name := range a.Hostnames {
		at := path.Child("hostnames").Index(i)
		errs = append(errs, invalid(at, name, validation.IsDNS1123Subdomain(name))...)
	}
	return errs
}

func supplementalGroups(c *corev1.PodSecurityContext, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, group := range c.SupplementalGroups {
		errs = append(errs, inRange(
			group, 0, math.MaxInt32, path.Child("supplementalGroups").Index(i))...)
	}
	return errs
}

func podGates(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	path = path.Child("schedulingGates")
	var errs field.ErrorList
	for i, gate := range s.SchedulingGates {
		errs = append(errs, invalid(
			path.Index(i), gate.Name, validation.IsQualifiedName(gate.Name))...)
	}
	return append(errs, duplicates(s.SchedulingGates, path, "",
		func(g *corev1.PodSchedulingGate) string { return g.Name })...)
}

func seccompProfile(p *corev1.SeccompProfile, path *field.Path) field.ErrorList {
	local, set := p.Type == corev1.SeccompProfileTypeLocalhost, p.LocalhostProfile != nil
	path = path.Child("localhostProfile")
	switch {
	case local && !set:
		return field.ErrorList{field.Required(path, "must be set when seccomp type is Localhost")}
	case !local && set:
		return field.ErrorList{field.Invalid(
			path, *p.LocalhostProfile, "can only be set when seccomp type is Localhost")}
	}
	return nil
}

// podVolumes compares the names of volumes with each other and with the mounts.
func podVolumes(s *corev1.PodSpec, path *field.Path) field.ErrorList {
	errs := duplicates(s.Volumes, path.Child("volumes"), "name",
		func(v *corev1.Volume) string { return v.Name })
	known := map[string]bool{}
	for _, v := range s.Volumes {
		known[v.Name] = true
	}
	for i, c := range s.InitContainers {
		errs = append(errs, mounts(c.VolumeMounts, known, path.Child("initContainers").Index(i))...)
	}
	for i, c := range s.Containers {
		errs = append(errs, mounts(c.VolumeMounts, known, path.Child("containers").Index(i))...)
	}
	return errs
}

// mounts validates the mounts of a container. known are the names of volumes.
func mounts(
	all []corev1.VolumeMount, known map[string]bool, path *field.Path,
) field.ErrorList {
	var errs field.ErrorList
	path = path.Child("volumeMounts")
	seen := map[string]bool{}
	for i, m := range all {
		at := path.Index(i)
		if m.Name != "" && !known[m.Name] {
			errs = append(errs, field.NotFound(at.Child("name"), m.Name))
		}
		if seen[m.MountPath] {
			errs = append(errs, field.Invalid(at.Child("mountPath"), m.MountPath, "must be unique"))
		}
		seen[m.MountPath] = true
		errs = append(errs, relativePath(m.SubPath, at.Child("subPath"))...)
	}
	return errs
}

func relativePath(value string, path *field.Path) field.ErrorList {
	if strings.HasPrefix(value, "/") {
		return field.ErrorList{field.Invalid(path, value, "must be a relative path")}
	}
	for _, part := range strings.Split(value, "/") {
		if part == ".." {
			return field.ErrorList{field.Invalid(path, value, "must not contain '..'")}
		}
	}
	return nil
}
