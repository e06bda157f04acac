package rules

import (
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func storageRules() []rule {
	return []rule{
		require[corev1.PersistentVolumeSpec]("accessModes", "capacity"),
		format[corev1.PersistentVolumeSpec](subdomain, "storageClassName"),
		on(volumeSpec),
		on(claimSpec),
		format[corev1.PersistentVolumeClaimSpec](subdomain, "storageClassName"),
		require[corev1.TypedLocalObjectReference]("kind", "name"),
		on(func(c *storagev1.StorageClass, _ *field.Path) field.ErrorList {
			errs := provisioner(c.Provisioner, field.NewPath("provisioner"))
			return append(errs, parameterKeys(c.Parameters)...)
		}),
		require[corev1.TopologySelectorLabelRequirement]("values"),
		on(func(r *corev1.TopologySelectorLabelRequirement, path *field.Path) field.ErrorList {
			return metavalidation.ValidateLabelName(r.Key, path.Child("key"))
		}),
		on(func(s *storagev1.CSIDriverSpec, path *field.Path) field.ErrorList {
			seconds := s.NodeAllocatableUpdatePeriodSeconds
			if seconds == nil || *seconds >= 10 {
				return nil
			}
			return field.ErrorList{field.Invalid(path.Child("nodeAllocatableUpdatePeriodSeconds"),
				*seconds, "must be greater than or equal to 10 seconds")}
		}),
		on(attachmentSource),
		require[storagev1.VolumeAttachmentSpec]("nodeName"),
		on(csiDriver),
		on(tokenRequest),
		on(func(s *storagev1.CSIDriverSpec, path *field.Path) field.ErrorList {
			return duplicates(s.TokenRequests, path.Child("tokenRequests"), "audience",
				func(r *storagev1.TokenRequest) string { return r.Audience })
		}),
		require[storagev1.CSINodeDriver]("name", "nodeID"),
		atLeast[storagev1.VolumeNodeResources](0, "count"),
		on(csiNodeDriver),
		on(func(s *storagev1.CSINodeSpec, path *field.Path) field.ErrorList {
			return duplicates(s.Drivers, path.Child("drivers"), "name",
				func(d *storagev1.CSINodeDriver) string { return d.Name })
		}),
		on(storageCapacity),
		on(attributesClass),
	}
}

func volumeSpec(s *corev1.PersistentVolumeSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	_, ok := s.Capacity[corev1.ResourceStorage]
	if len(s.Capacity) > 0 && (!ok || len(s.Capacity) > 1) {
		errs = append(errs, field.NotSupported(
			path.Child("capacity"), s.Capacity, []corev1.ResourceName{corev1.ResourceStorage}))
	}
	for _, name := range sortedResources(s.Capacity) {
		if q := s.Capacity[name]; q.Sign() <= 0 {
			errs = append(errs, field.Invalid(
				path.Child("capacity").Key(string(name)), q.String(), "must be greater than zero"))
		}
	}
	if s.HostPath != nil && slices.Contains(strings.Split(s.HostPath.Path, "/"), "..") {
		errs = append(errs, field.Invalid(
			path.Child("hostPath", "path"), s.HostPath.Path, "must not contain '..'"))
	}
	if isEmpty(s.PersistentVolumeSource) {
		return append(errs, field.Required(path, "must specify a volume type"))
	}
	return append(errs, onlyOne(reflect.ValueOf(s.PersistentVolumeSource), path)...)
}

func claimSpec(s *corev1.PersistentVolumeClaimSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(s.AccessModes) == 0 {
		errs = append(errs, field.Required(
			path.Child("accessModes"), "at least 1 access mode is required"))
	}
	if len(s.AccessModes) > 1 && slices.Contains(s.AccessModes, corev1.ReadWriteOncePod) {
		errs = append(errs, field.Forbidden(path.Child("accessModes"),
			"may not use ReadWriteOncePod with other access modes"))
	}
	path = path.Child("resources")
	size, ok := s.Resources.Requests[corev1.ResourceStorage]
	if !ok {
		errs = append(errs, field.Required(path.Key(string(corev1.ResourceStorage)), ""))
	} else if size.Sign() <= 0 {
		errs = append(errs, field.Invalid(
			path.Child("requests"), size.String(), "must be greater than zero"))
	}
	return errs
}

func provisioner(name string, path *field.Path) field.ErrorList {
	if name == "" {
		return nil // a tag requires it
	}
	return invalid(path, name, validation.IsQualifiedName(strings.ToLower(name)))
}

func attachmentSource(s *storagev1.VolumeAttachmentSource, path *field.Path) field.ErrorList {
	const inline, name = "inlineVolumeSpec", "persistentVolumeName"
	switch {
	case s.InlineVolumeSpec == nil && s.PersistentVolumeName == nil:
		return field.ErrorList{field.Required(path, "must specify one of "+inline+" and "+name)}
	case s.InlineVolumeSpec != nil && s.PersistentVolumeName != nil:
		return field.ErrorList{field.Forbidden(path, "must specify exactly one of "+inline+" and "+name)}
	case s.PersistentVolumeName != nil && *s.PersistentVolumeName == "":
		return field.ErrorList{field.Required(
			path.Child(name), "must specify non empty persistentVolumeName")}
	}
	return nil
}

// maxDriverName is the length of the name of a CSI driver.
const maxDriverName = 63

func csiDriver(d *storagev1.CSIDriver, _ *field.Path) field.ErrorList {
	if len(d.Name) <= maxDriverName {
		return nil
	}
	return field.ErrorList{field.TooLong(field.NewPath("metadata", "name"), d.Name, maxDriverName)}
}

func tokenRequest(r *storagev1.TokenRequest, path *field.Path) field.ErrorList {
	path = path.Child("expirationSeconds")
	switch {
	case r.ExpirationSeconds == nil:
	case *r.ExpirationSeconds < 600:
		return field.ErrorList{field.Invalid(
			path, *r.ExpirationSeconds, "may not specify a duration less than 10 minutes")}
	case *r.ExpirationSeconds > 1<<32:
		return field.ErrorList{field.Invalid(
			path, *r.ExpirationSeconds, "may not specify a duration larger than 2^32 seconds")}
	}
	return nil
}

func csiNodeDriver(d *storagev1.CSINodeDriver, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(d.Name) > maxDriverName {
		errs = append(errs, field.TooLong(path.Child("name"), d.Name, maxDriverName))
	} else if d.Name != "" {
		name := strings.ToLower(d.Name)
		errs = append(errs, invalid(path.Child("name"), d.Name, validation.IsDNS1123Subdomain(name))...)
	}
	if len(d.NodeID) > 256 {
		errs = append(errs, field.TooLong(path.Child("nodeID"), d.NodeID, 256))
	}
	keys := path.Child("topologyKeys")
	for i, key := range d.TopologyKeys {
		if key == "" {
			errs = append(errs, field.Required(keys, ""))
			continue
		}
		errs = append(errs, invalid(keys.Index(i), key, validation.IsQualifiedName(key))...)
	}
	return append(errs, duplicates(
		d.TopologyKeys, keys, "", func(key *string) string { return *key })...)
}

func storageCapacity(c *storagev1.CSIStorageCapacity, _ *field.Path) field.ErrorList {
	errs := invalid(
		field.NewPath("storageClassName"), c.StorageClassName, subdomain(c.StorageClassName))
	if c.Capacity != nil {
		errs = append(errs, nonNegativeQuantity(*c.Capacity, field.NewPath("capacity"))...)
	}
	if c.MaximumVolumeSize != nil {
		errs = append(errs, nonNegativeQuantity(
			*c.MaximumVolumeSize, field.NewPath("maximumVolumeSize"))...)
	}
	return errs
}

func attributesClass(c *storagev1.VolumeAttributesClass, _ *field.Path) field.ErrorList {
	var errs field.ErrorList
	path := field.NewPath("driverName")
	if c.DriverName == "" {
		errs = append(errs, field.Required(path, ""))
	}
	errs = append(errs, provisioner(c.DriverName, path)...)
	path = field.NewPath("parameters")
	if len(c.Parameters) == 0 {
		return append(errs, field.Required(path, "must contain at least one key/value pair"))
	}
	return append(errs, parameterKeys(c.Parameters)...)
}

func parameterKeys(parameters map[string]string) field.ErrorList {
	if _, ok := parameters[""]; !ok {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("parameters"), "", "field can not be empty.")}
}
