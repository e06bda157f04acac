package rules

import (
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func workloadRules() []rule {
	return slices.Concat(appsRules(), batchRules(), scalingRules())
}

func appsRules() []rule {
	return []rule{
		atLeast[corev1.ReplicationControllerSpec](0, "replicas", "minReadySeconds"),
		atLeast[appsv1.ReplicaSetSpec](0, "replicas", "minReadySeconds"),
		atLeast[appsv1.StatefulSetSpec](0, "replicas", "minReadySeconds", "revisionHistoryLimit"),
		atLeast[appsv1.DaemonSetSpec](0, "minReadySeconds", "revisionHistoryLimit"),
		atLeast[appsv1.DeploymentSpec](
			0, "replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"),
		atLeast[appsv1.ControllerRevision](0, "revision"),
		on(func(r *appsv1.ControllerRevision, _ *field.Path) field.ErrorList {
			if r.Data.Raw != nil || r.Data.Object != nil {
				return nil
			}
			return field.ErrorList{field.Required(field.NewPath("data"), "data is mandatory")}
		}),
		atLeast[appsv1.StatefulSetOrdinals](0, "start"),
		atLeast[appsv1.RollingUpdateStatefulSetStrategy](0, "partition"),
		on(deploymentSpec),
		on(func(s *appsv1.ReplicaSetSpec, path *field.Path) field.ErrorList {
			return lasting(s.Selector, s.Template.Spec, path, "replicaset", "ReplicaSet")
		}),
		on(func(s *appsv1.DaemonSetSpec, path *field.Path) field.ErrorList {
			return lasting(s.Selector, s.Template.Spec, path, "daemonset", "DaemonSet")
		}),
		on(statefulSetSpec),
		on(func(s *corev1.ReplicationControllerSpec, path *field.Path) field.ErrorList {
			if s.Template == nil {
				return nil
			}
			return restartsAlways(s.Template.Spec, path.Child("template", "spec"), "ReplicationController")
		}),
		on(func(r *appsv1.RollingUpdateDeployment, path *field.Path) field.ErrorList {
			return rollingUpdate(r.MaxUnavailable, r.MaxSurge, path)
		}),
		on(rollingUpdateDaemonSet),
	}
}

// lasting validates the common fields of workloads whose pods always restart. name
// is for the message about the selector, kind for that about the pods.
func lasting(
	selector *metav1.LabelSelector, pod corev1.PodSpec, path *field.Path, name, kind string,
) field.ErrorList {
	errs := restartsAlways(pod, path.Child("template", "spec"), kind)
	if selector != nil && len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		errs = append(errs, field.Invalid(
			path.Child("selector"), selector, "empty selector is invalid for "+name))
	}
	return errs
}

func restartsAlways(pod corev1.PodSpec, path *field.Path, kind string) field.ErrorList {
	var errs field.ErrorList
	if pod.RestartPolicy != corev1.RestartPolicyAlways {
		errs = append(errs, field.NotSupported(path.Child("restartPolicy"), pod.RestartPolicy,
			[]corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	if pod.ActiveDeadlineSeconds != nil {
		errs = append(errs, field.Forbidden(path.Child("activeDeadlineSeconds"),
			"activeDeadlineSeconds in "+kind+" is not Supported"))
	}
	return errs
}

func deploymentSpec(s *appsv1.DeploymentSpec, path *field.Path) field.ErrorList {
	errs := lasting(s.Selector, s.Template.Spec, path, "deployment", "ReplicaSet")
	if s.Strategy.Type == appsv1.RecreateDeploymentStrategyType && s.Strategy.RollingUpdate != nil {
		errs = append(errs, field.Forbidden(path.Child("strategy", "rollingUpdate"),
			"may not be specified when strategy `type` is 'Recreate'"))
	}
	if s.ProgressDeadlineSeconds != nil && *s.ProgressDeadlineSeconds <= s.MinReadySeconds {
		errs = append(errs, field.Invalid(path.Child("progressDeadlineSeconds"),
			*s.ProgressDeadlineSeconds, "must be greater than minReadySeconds"))
	}
	return errs
}

func statefulSetSpec(s *appsv1.StatefulSetSpec, path *field.Path) field.ErrorList {
	errs := lasting(s.Selector, s.Template.Spec, path, "statefulset", "StatefulSet")
	switch s.PodManagementPolicy {
	case appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement:
	default:
		errs = append(errs, field.Invalid(path.Child("podManagementPolicy"), s.PodManagementPolicy,
			"must be 'OrderedReady' or 'Parallel'"))
	}
	strategy := path.Child("updateStrategy")
	switch s.UpdateStrategy.Type {
	case appsv1.RollingUpdateStatefulSetStrategyType:
	case appsv1.OnDeleteStatefulSetStrategyType:
		if s.UpdateStrategy.RollingUpdate != nil {
			errs = append(errs, field.Invalid(strategy.Child("rollingUpdate"),
				s.UpdateStrategy.RollingUpdate, "only allowed for updateStrategy 'RollingUpdate'"))
		}
	default:
		errs = append(errs, field.Invalid(
			strategy, s.UpdateStrategy, "must be 'RollingUpdate' or 'OnDelete'"))
	}
	return errs
}

func rollingUpdate(maxUnavailable, maxSurge *intstr.IntOrString, path *field.Path) field.ErrorList {
	errs := atMostAll(maxUnavailable, path.Child("maxUnavailable"))
	errs = append(errs, countOrPercent(maxSurge, path.Child("maxSurge"))...)
	if len(errs) == 0 && isZero(maxUnavailable) && isZero(maxSurge) {
		errs = append(errs, field.Invalid(path.Child("maxUnavailable"), maxUnavailable,
			"may not be 0 when `maxSurge` is 0"))
	}
	return errs
}

func rollingUpdateDaemonSet(r *appsv1.RollingUpdateDaemonSet, path *field.Path) field.ErrorList {
	errs := atMostAll(r.MaxUnavailable, path.Child("maxUnavailable"))
	errs = append(errs, atMostAll(r.MaxSurge, path.Child("maxSurge"))...)
	switch unavailable, surge := !isZero(r.MaxUnavailable), !isZero(r.MaxSurge); {
	case len(errs) > 0:
	case unavailable && surge:
		errs = append(errs, field.Invalid(
			path.Child("maxSurge"), r.MaxSurge, "may not be set when maxUnavailable is non-zero"))
	case !unavailable && !surge:
		errs = append(errs, field.Required(
			path.Child("maxUnavailable"), "cannot be 0 when maxSurge is 0"))
	}
	return errs
}

func isZero(v *intstr.IntOrString) bool {
	return v == nil || v.String() == "0" || v.String() == "0%"
}

// countOrPercent accepts nil, non-negative integers and percentages.
func countOrPercent(v *intstr.IntOrString, path *field.Path) field.ErrorList {
	switch {
	case v == nil:
		return nil
	case v.Type == intstr.String:
		return invalid(path, *v, validation.IsValidPercent(v.StrVal))
	case v.IntVal < 0:
		return field.ErrorList{field.Invalid(path, int64(v.IntVal), "must be greater than or equal to 0")}
	}
	return nil
}

// atMostAll is countOrPercent without percentages above 100.
func atMostAll(v *intstr.IntOrString, path *field.Path) field.ErrorList {
	errs := countOrPercent(v, path)
	if len(errs) > 0 || v == nil || v.Type != intstr.String {
		return errs
	}
	percent, err := intstr.GetScaledValueFromIntOrPercent(v, 100, false)
	if err == nil && percent > 100 {
		errs = append(errs, field.Invalid(path, *v, "must not be greater than 100%"))
	}
	return errs
}

func batchRules() []rule {
	return []rule{
		atLeast[batchv1.JobSpec](0, "activeDeadlineSeconds", "backoffLimit", "backoffLimitPerIndex",
			"completions", "maxFailedIndexes", "parallelism", "ttlSecondsAfterFinished"),
		atLeast[batchv1.CronJobSpec](
			0, "failedJobsHistoryLimit", "startingDeadlineSeconds", "successfulJobsHistoryLimit"),
		require[batchv1.CronJobSpec]("concurrencyPolicy"),
		on(jobSpec),
		on(jobSelector),
		on(func(r *batchv1.PodFailurePolicyRule, path *field.Path) field.ErrorList {
			if (r.OnExitCodes != nil) != (len(r.OnPodConditions) > 0) {
				return nil
			}
			return field.ErrorList{field.Invalid(path, "",
				"specifying one of OnExitCodes and OnPodConditions is required")}
		}),
		on(cronJobSpec),
		on(func(j *batchv1.CronJob, _ *field.Path) field.ErrorList {
			if len(j.Name) <= 52 {
				return nil
			}
			return field.ErrorList{field.Invalid(
				field.NewPath("metadata", "name"), j.Name, "must be no more than 52 characters")}
		}),
	}
}

func jobSpec(s *batchv1.JobSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch s.Template.Spec.RestartPolicy {
	case corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever:
	default:
		errs = append(errs, field.Required(path.Child("template", "spec", "restartPolicy"),
			`valid values: "OnFailure", "Never"`))
	}
	indexed := s.CompletionMode != nil && *s.CompletionMode == batchv1.IndexedCompletion
	if indexed && s.Completions == nil {
		errs = append(errs, field.Required(
			path.Child("completions"), "when completion mode is Indexed"))
	}
	if s.BackoffLimitPerIndex != nil && !indexed {
		errs = append(errs, field.Invalid(path.Child("backoffLimitPerIndex"),
			*s.BackoffLimitPerIndex, "requires indexed completion mode"))
	}
	return errs
}

// jobSelector requires the generated selector, which selects by a UID, unless
// spec.manualSelector is set.
func jobSelector(j *batchv1.Job, _ *field.Path) field.ErrorList {
	s := j.Spec.Selector
	if s == nil || j.Spec.ManualSelector != nil && *j.Spec.ManualSelector {
		return nil
	}
	if len(s.MatchExpressions) == 0 && len(s.MatchLabels) == 1 {
		return nil
	}
	return field.ErrorList{field.Invalid(
		field.NewPath("spec", "selector"), s, "`selector` not auto-generated")}
}

func cronJobSpec(s *batchv1.CronJobSpec, path *field.Path) field.ErrorList {
	errs := schedule(s.Schedule, path.Child("schedule"))
	if s.TimeZone == nil {
		return errs
	}
	path = path.Child("timeZone")
	if *s.TimeZone == "" {
		return append(errs, field.Invalid(path, s.TimeZone, "timeZone must be nil or non-empty string"))
	}
	if strings.EqualFold(*s.TimeZone, "local") {
		return append(errs, field.Invalid(path, s.TimeZone, "timeZone must be an "+
			"explicit time zone as defined in https://www.iana.org/time-zones"))
	}
	if _, err := time.LoadLocation(*s.TimeZone); err != nil {
		return append(errs, field.Invalid(path, s.TimeZone, err.Error()))
	}
	return errs
}

func scalingRules() []rule {
	return []rule{
		require[autoscalingv2.CrossVersionObjectReference]("kind", "name"),
		format[autoscalingv2.CrossVersionObjectReference](content.IsPathSegmentName, "kind", "name"),
		on(autoscalerSpec),
		require[autoscalingv2.MetricSpec]("type"),
		on(metricSource),
		require[autoscalingv2.ResourceMetricSource]("name"),
		require[autoscalingv2.ContainerResourceMetricSource]("name", "container"),
		require[autoscalingv2.MetricIdentifier]("name"),
		atLeast[autoscalingv2.MetricTarget](1, "averageUtilization"),
		require[autoscalingv2.HPAScalingPolicy]("type"),
		atLeast[autoscalingv2.HPAScalingPolicy](1, "value", "periodSeconds"),
		atMost[autoscalingv2.HPAScalingPolicy](1800, "periodSeconds"),
		atLeast[autoscalingv2.HPAScalingRules](0, "stabilizationWindowSeconds"),
		atMost[autoscalingv2.HPAScalingRules](3600, "stabilizationWindowSeconds"),
		on(metricTarget),
		on(budgetSpec),
	}
}

func autoscalerSpec(
	s *autoscalingv2.HorizontalPodAutoscalerSpec, path *field.Path,
) field.ErrorList {
	if s.MinReplicas == nil || s.MaxReplicas < 1 || s.MaxReplicas >= *s.MinReplicas {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("maxReplicas"), s.MaxReplicas,
		"must be greater than or equal to `minReplicas`")}
}

// metricSource requires the source that the type names.
func metricSource(m *autoscalingv2.MetricSpec, path *field.Path) field.ErrorList {
	sources := map[autoscalingv2.MetricSourceType]member{
		autoscalingv2.ObjectMetricSourceType:            set(m.Object, "object"),
		autoscalingv2.PodsMetricSourceType:              set(m.Pods, "pods"),
		autoscalingv2.ResourceMetricSourceType:          set(m.Resource, "resource"),
		autoscalingv2.ExternalMetricSourceType:          set(m.External, "external"),
		autoscalingv2.ContainerResourceMetricSourceType: set(m.ContainerResource, "containerResource"),
	}
	source, ok := sources[m.Type]
	if !ok || source.set {
		return nil
	}
	return field.ErrorList{field.Required(path.Child(source.name),
		"must populate information for the given metric source")}
}

// metricTarget requires the value that the type names.
func metricTarget(m *autoscalingv2.MetricTarget, path *field.Path) field.ErrorList {
	values := map[autoscalingv2.MetricTargetType]member{
		autoscalingv2.UtilizationMetricType:  set(m.AverageUtilization, "averageUtilization"),
		autoscalingv2.ValueMetricType:        set(m.Value, "value"),
		autoscalingv2.AverageValueMetricType: set(m.AverageValue, "averageValue"),
	}
	value, ok := values[m.Type]
	if m.Type == "" {
		return field.ErrorList{field.Required(path.Child("type"), "must specify a metric target type")}
	}
	if !ok || m.AverageUtilization != nil || m.Value != nil || m.AverageValue != nil {
		return nil
	}
	return field.ErrorList{field.Required(
		path.Child(value.name), "must set the value of the target type")}
}

func budgetSpec(s *policyv1.PodDisruptionBudgetSpec, path *field.Path) field.ErrorList {
	errs := atMostAll(s.MinAvailable, path.Child("minAvailable"))
	errs = append(errs, atMostAll(s.MaxUnavailable, path.Child("maxUnavailable"))...)
	if s.MinAvailable != nil && s.MaxUnavailable != nil {
		errs = append(errs, field.Invalid(path, s, "minAvailable and maxUnavailable cannot be both set"))
	}
	return errs
}
