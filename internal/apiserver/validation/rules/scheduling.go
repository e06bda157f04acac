package rules

import (
	corev1 "k8s.io/api/core/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func schedulingRules() []rule {
	return []rule{
		on(toleration),
		on(nodeSelectorRequirement),
		on(func(s *corev1.NodeSelector, path *field.Path) field.ErrorList {
			if len(s.NodeSelectorTerms) > 0 {
				return nil
			}
			return field.ErrorList{field.Required(
				path.Child("nodeSelectorTerms"), "must have at least one node selector term")}
		}),
		on(func(t *corev1.PreferredSchedulingTerm, path *field.Path) field.ErrorList {
			return weight(t.Weight, path)
		}),
		on(func(t *corev1.WeightedPodAffinityTerm, path *field.Path) field.ErrorList {
			return weight(t.Weight, path)
		}),
		on(func(t *corev1.PodAffinityTerm, path *field.Path) field.ErrorList {
			return topologyKey(t.TopologyKey, path)
		}),
		on(spread),
		on(func(s *corev1.PodSpec, path *field.Path) field.ErrorList {
			return duplicates(s.TopologySpreadConstraints, path.Child("topologySpreadConstraints"),
				"{topologyKey, whenUnsatisfiable}", func(c *corev1.TopologySpreadConstraint) string {
					return "{" + c.TopologyKey + ", " + string(c.WhenUnsatisfiable) + "}"
				})
		}),
	}
}

func toleration(t *corev1.Toleration, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if t.Key != "" {
		errs = append(errs, metavalidation.ValidateLabelName(t.Key, path.Child("key"))...)
	} else if t.Operator != corev1.TolerationOpExists {
		errs = append(errs, field.Invalid(path.Child("operator"), t.Operator,
			"operator must be Exists when `key` is empty, which means \"match all values and all keys\""))
	}
	if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
		errs = append(errs, field.Invalid(path.Child("effect"), t.Effect,
			"effect must be 'NoExecute' when `tolerationSeconds` is set"))
	}
	if t.Operator == corev1.TolerationOpExists && t.Value != "" {
		errs = append(errs, field.Invalid(path.Child("operator"), t,
			"value must be empty when `operator` is 'Exists'"))
	}
	return errs
}

func nodeSelectorRequirement(r *corev1.NodeSelectorRequirement, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	at := path.Child("values")
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(r.Values) == 0 {
			errs = append(errs, field.Required(at, "must be specified when `operator` is 'In' or 'NotIn'"))
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			errs = append(errs, field.Forbidden(
				at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if len(r.Values) != 1 {
			errs = append(errs, field.Required(
				at, "must be specified single value when `operator` is 'Lt' or 'Gt'"))
		}
	default:
		errs = append(errs, field.Invalid(
			path.Child("operator"), r.Operator, "not a valid selector operator"))
	}
	if r.Key == "metadata.name" {
		return errs // the key of matchFields
	}
	return append(errs, metavalidation.ValidateLabelName(r.Key, path.Child("key"))...)
}

func weight(value int32, path *field.Path) field.ErrorList {
	if value >= 1 && value <= 100 {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("weight"), value, "must be in the range 1-100")}
}

func topologyKey(key string, path *field.Path) field.ErrorList {
	path = path.Child("topologyKey")
	if key == "" {
		return field.ErrorList{field.Required(path, "can not be empty")}
	}
	return metavalidation.ValidateLabelName(key, path)
}

func spread(c *corev1.TopologySpreadConstraint, path *field.Path) field.ErrorList {
	errs := topologyKey(c.TopologyKey, path)
	if c.MaxSkew <= 0 {
		errs = append(errs, field.Invalid(path.Child("maxSkew"), c.MaxSkew, "must be greater than zero"))
	}
	if c.WhenUnsatisfiable == "" {
		errs = append(errs, field.NotSupported(path.Child("whenUnsatisfiable"), c.WhenUnsatisfiable,
			[]corev1.UnsatisfiableConstraintAction{corev1.DoNotSchedule, corev1.ScheduleAnyway}))
	}
	return errs
}
