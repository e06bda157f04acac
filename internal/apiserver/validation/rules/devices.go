package rules

import (
	"slices"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// deviceRules are for resource.k8s.io. Tags declare most of its rules.
func deviceRules() []rule {
	return []rule{
		require[resourcev1.DeviceRequest]("name"),
		format[resourcev1.DeviceRequest](validation.IsDNS1123Label, "name"),
		on(func(r *resourcev1.DeviceRequest, path *field.Path) field.ErrorList {
			if (r.Exactly != nil) != (len(r.FirstAvailable) > 0) {
				return nil
			}
			return field.ErrorList{field.Required(
				path, "exactly one of `exactly` or `firstAvailable` is required")}
		}),
		require[resourcev1.ExactDeviceRequest]("deviceClassName"),
		format[resourcev1.ExactDeviceRequest](subdomain, "deviceClassName"),
		on(func(r *resourcev1.ExactDeviceRequest, path *field.Path) field.ErrorList {
			if r.AllocationMode != resourcev1.DeviceAllocationModeExactCount || r.Count > 0 {
				return nil
			}
			return field.ErrorList{field.Invalid(path.Child("count"), r.Count, "must be greater than zero")}
		}),
		require[resourcev1.DeviceSubRequest]("name", "deviceClassName"),
		format[resourcev1.DeviceSubRequest](validation.IsDNS1123Label, "name"),
		format[resourcev1.DeviceSubRequest](subdomain, "deviceClassName"),
		require[resourcev1.DeviceSelector]("cel"),
		require[resourcev1.CELDeviceSelector]("expression"),
		on(constraints),
		require[resourcev1.DeviceConfiguration]("opaque"),
		require[resourcev1.OpaqueDeviceConfiguration]("driver"),
		format[resourcev1.OpaqueDeviceConfiguration](driverName, "driver"),
		require[resourcev1.ResourceSliceSpec]("driver"),
		format[resourcev1.ResourceSliceSpec](driverName, "driver"),
		format[resourcev1.ResourceSliceSpec](subdomain, "nodeName"),
		on(sliceNodes),
		require[resourcev1.ResourcePool]("name"),
		format[resourcev1.ResourcePool](poolName, "name"),
		atLeast[resourcev1.ResourcePool](0, "generation"),
		atLeast[resourcev1.ResourcePool](1, "resourceSliceCount"),
		require[resourcev1.Device]("name"),
		format[resourcev1.Device](validation.IsDNS1123Label, "name"),
		require[resourcev1.DeviceTaint]("key"),
		format[resourcev1.DeviceTaint](validation.IsQualifiedName, "key"),
		format[resourcev1.DeviceTaint](validation.IsValidLabelValue, "value"),
		format[resourcev1.DeviceTaintSelector](driverName, "driver"),
		format[resourcev1.DeviceTaintSelector](poolName, "pool"),
		format[resourcev1.DeviceTaintSelector](validation.IsDNS1123Label, "device"),
	}
}

func driverName(name string) []string {
	return validation.IsDNS1123Subdomain(strings.ToLower(name))
}

func poolName(name string) []string {
	var messages []string
	for _, part := range strings.Split(name, "/") {
		messages = append(messages, validation.IsDNS1123Subdomain(part)...)
	}
	return messages
}

// constraints compares the constraints of a claim with its requests.
func constraints(c *resourcev1.DeviceClaim, path *field.Path) field.ErrorList {
	var names []string
	for _, r := range c.Requests {
		names = append(names, r.Name)
		for _, sub := range r.FirstAvailable {
			names = append(names, r.Name+"/"+sub.Name)
		}
	}
	var errs field.ErrorList
	for i, constraint := range c.Constraints {
		for j, name := range constraint.Requests {
			if !slices.Contains(names, name) {
				at := path.Child("constraints").Index(i).Child("requests").Index(j)
				errs = append(errs, field.Invalid(at, name, "must be the name of a request in the claim "+
					"or the name of a request and a subrequest separated by '/'"))
			}
		}
	}
	return errs
}

// sliceNodes requires one way to select nodes, and different names of devices.
func sliceNodes(s *resourcev1.ResourceSliceSpec, path *field.Path) field.ErrorList {
	number := 0
	for _, set := range []bool{
		s.NodeName != nil, s.NodeSelector != nil, s.AllNodes != nil, s.PerDeviceNodeSelection != nil,
	} {
		if set {
			number++
		}
	}
	errs := duplicates(s.Devices, path.Child("devices"), "name",
		func(d *resourcev1.Device) string { return d.Name })
	const rule = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
	if number == 0 && len(s.SharedCounters) == 0 {
		errs = append(errs, field.Required(path, rule))
	} else if number > 1 {
		errs = append(errs, field.Invalid(path, "", rule+", but multiple fields are set"))
	}
	return errs
}
