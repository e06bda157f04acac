package convert

import (
	"encoding/json"
	"errors"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The annotations in which v1 keeps what it has no fields for.
const (
	metricsKey    = "autoscaling.alpha.kubernetes.io/metrics"
	currentKey    = "autoscaling.alpha.kubernetes.io/current-metrics"
	conditionsKey = "autoscaling.alpha.kubernetes.io/conditions"
	behaviorKey   = "autoscaling.alpha.kubernetes.io/behavior"
)

type (
	hpaV1 = autoscalingv1.HorizontalPodAutoscaler
	hpaV2 = autoscalingv2.HorizontalPodAutoscaler
)

// normalizeAutoscaler writes out the default metric, which the two versions
// keep in different fields, and removes the annotations of v1, which mean
// nothing in v2.
func normalizeAutoscaler(hub *hpaV2) {
	for _, key := range []string{
		metricsKey, currentKey, conditionsKey, behaviorKey,
		"autoscaling.alpha.kubernetes.io/scale-down-tolerance",
		"autoscaling.alpha.kubernetes.io/scale-up-tolerance",
	} {
		delete(hub.Annotations, key)
	}
	if len(hub.Spec.Metrics) == 0 {
		hub.Spec.Metrics = []autoscalingv2.MetricSpec{cpu(80)}
	}
}

func cpu(utilization int32) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{
		Type: autoscalingv2.ResourceMetricSourceType,
		Resource: &autoscalingv2.ResourceMetricSource{
			Name: corev1.ResourceCPU, Target: usageTarget(&utilization, nil),
		},
	}
}

// autoscalerToV2 reads the fields, and the annotations that can be read.
//
// Compat: an annotation that cannot be read is dropped without an error.
func autoscalerToV2(from *hpaV1) *hpaV2 {
	to := &hpaV2{
		ObjectMeta: from.ObjectMeta,
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference(from.Spec.ScaleTargetRef),
			MinReplicas:    from.Spec.MinReplicas,
			MaxReplicas:    from.Spec.MaxReplicas,
		},
		Status: autoscalingv2.HorizontalPodAutoscalerStatus{
			ObservedGeneration: from.Status.ObservedGeneration,
			LastScaleTime:      from.Status.LastScaleTime,
			CurrentReplicas:    from.Status.CurrentReplicas,
			DesiredReplicas:    from.Status.DesiredReplicas,
		},
	}
	type conditions = []autoscalingv2.HorizontalPodAutoscalerCondition
	to.Status.Conditions = fromAnnotation[conditions](from, conditionsKey)
	metricsToV2(from, to)
	b := fromAnnotation[behavior](from, behaviorKey)
	if b != (behavior{}) {
		to.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{
			ScaleUp: b.ScaleUp.rules(), ScaleDown: b.ScaleDown.rules(),
		}
	}
	normalizeAutoscaler(to)
	return to
}

// metricsToV2 sets the target metrics and the measured ones: those of the
// annotations, and the CPU utilization, which v1 has in fields. A measured CPU
// utilization in an annotation wins over the one in the field.
func metricsToV2(from *hpaV1, to *hpaV2) {
	for _, m := range fromAnnotation[[]autoscalingv1.MetricSpec](from, metricsKey) {
		to.Spec.Metrics = append(to.Spec.Metrics, metricFromV1(m))
	}
	if target := from.Spec.TargetCPUUtilizationPercentage; target != nil {
		to.Spec.Metrics = append(to.Spec.Metrics, cpu(*target))
	}
	for _, m := range fromAnnotation[[]autoscalingv1.MetricStatus](from, currentKey) {
		to.Status.CurrentMetrics = append(to.Status.CurrentMetrics, currentFromV1(m))
	}
	current := from.Status.CurrentCPUUtilizationPercentage
	if current != nil && len(to.Status.CurrentMetrics) == 0 {
		to.Status.CurrentMetrics = []autoscalingv2.MetricStatus{{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricStatus{
				Name: corev1.ResourceCPU, Current: measured(nil, nil, current),
			},
		}}
	}
}

// autoscalerToV1 writes fields and, for what v1 has no fields for, annotations.
func autoscalerToV1(from *hpaV2) (*hpaV1, error) {
	normalizeAutoscaler(from)
	to := &hpaV1{
		ObjectMeta: from.ObjectMeta,
		Spec: autoscalingv1.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv1.CrossVersionObjectReference(from.Spec.ScaleTargetRef),
			MinReplicas:    from.Spec.MinReplicas,
			MaxReplicas:    from.Spec.MaxReplicas,
		},
		Status: autoscalingv1.HorizontalPodAutoscalerStatus{
			ObservedGeneration: from.Status.ObservedGeneration,
			LastScaleTime:      from.Status.LastScaleTime,
			CurrentReplicas:    from.Status.CurrentReplicas,
			DesiredReplicas:    from.Status.DesiredReplicas,
		},
	}
	if err := metricsToV1(from, to); err != nil {
		return nil, err
	}
	var b *behavior
	if from.Spec.Behavior != nil {
		b = &behavior{rulesOf(from.Spec.Behavior.ScaleUp), rulesOf(from.Spec.Behavior.ScaleDown)}
	}
	return to, errors.Join(
		toAnnotation(to, conditionsKey, from.Status.Conditions, len(from.Status.Conditions) > 0),
		toAnnotation(to, behaviorKey, b, b != nil),
	)
}

// metricsToV1 returns an error for a second CPU utilization metric, because v1
// has one field for it.
func metricsToV1(from *hpaV2, to *hpaV1) error {
	var others []autoscalingv1.MetricSpec
	for _, m := range from.Spec.Metrics {
		switch {
		case !isCPU(m):
			others = append(others, metricToV1(m))
		case to.Spec.TargetCPUUtilizationPercentage != nil:
			return errors.New("spec.metrics has the utilization of the CPU twice")
		default:
			to.Spec.TargetCPUUtilizationPercentage = m.Resource.Target.AverageUtilization
		}
	}
	var current []autoscalingv1.MetricStatus
	for _, m := range from.Status.CurrentMetrics {
		current = append(current, currentToV1(m))
		if isCurrentCPU(m) {
			to.Status.CurrentCPUUtilizationPercentage = m.Resource.Current.AverageUtilization
		}
	}
	return errors.Join(
		toAnnotation(to, metricsKey, others, len(others) > 0),
		toAnnotation(to, currentKey, current, len(current) > 0),
	)
}

func isCPU(m autoscalingv2.MetricSpec) bool {
	return m.Type == autoscalingv2.ResourceMetricSourceType && m.Resource != nil &&
		m.Resource.Name == corev1.ResourceCPU && m.Resource.Target.AverageUtilization != nil
}

func isCurrentCPU(m autoscalingv2.MetricStatus) bool {
	return m.Type == autoscalingv2.ResourceMetricSourceType && m.Resource != nil &&
		m.Resource.Name == corev1.ResourceCPU && m.Resource.Current.AverageUtilization != nil
}

// fromAnnotation returns the value in an annotation, or zero if there is none
// that can be read.
func fromAnnotation[T any](object *hpaV1, key string) T {
	var value, none T
	if err := json.Unmarshal([]byte(object.Annotations[key]), &value); err != nil {
		return none
	}
	return value
}

// toAnnotation sets an annotation to a value if it is present.
func toAnnotation(object *hpaV1, key string, value any, present bool) error {
	if !present {
		return nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	metav1.SetMetaDataAnnotation(&object.ObjectMeta, key, string(text))
	return nil
}
