package convert

import (
	"encoding/json"
	"errors"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// The annotations in which v1 keeps what it has no fields for.
const (
	metricsKey    = "autoscaling.alpha.kubernetes.io/metrics"
	currentKey    = "autoscaling.alpha.kubernetes.io/current-metrics"
	conditionsKey = "autoscaling.alpha.kubernetes.io/conditions"
	behaviorKey   = "autoscaling.alpha.kubernetes.io/behavior"
)

// autoscalers: v1 has a field for one metric, the utilization of the CPU, and
// annotations for everything else.
func autoscalers() []family {
	return []family{{
		kind: "HorizontalPodAutoscaler", resource: "horizontalpodautoscalers",
		hub: func() runtime.Object { return &autoscalingv2.HorizontalPodAutoscaler{} },
		versions: []version{
			settled(same(autoscalingv2.SchemeGroupVersion, (*autoscalingv2.HorizontalPodAutoscaler)(nil)), settleAutoscaler),
			settled(special(autoscalingv1.SchemeGroupVersion, autoscalerFromV1, autoscalerToV1), settleAutoscaler).but(
				".spec.behavior", ".spec.metrics", ".spec.targetCPUUtilizationPercentage",
				".status.conditions", ".status.currentCPUUtilizationPercentage", ".status.currentMetrics",
			),
		},
	}}
}

// settleAutoscaler writes out the metric of those that name none, which one
// version has in a field that the other does not have. The annotations are v1's
// own and mean nothing elsewhere.
func settleAutoscaler(hub *autoscalingv2.HorizontalPodAutoscaler) {
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
		Resource: &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{
			Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &utilization,
		}},
	}
}

// autoscalerFromV1 reads the fields, and the annotations that can be read.
//
// Compat: an annotation that cannot be read is dropped without an error.
func autoscalerFromV1(from *autoscalingv1.HorizontalPodAutoscaler, hub *autoscalingv2.HorizontalPodAutoscaler) error {
	for _, m := range fromAnnotation[[]autoscalingv1.MetricSpec](from, metricsKey) {
		hub.Spec.Metrics = append(hub.Spec.Metrics, metricFromV1(m))
	}
	if target := from.Spec.TargetCPUUtilizationPercentage; target != nil {
		hub.Spec.Metrics = append(hub.Spec.Metrics, cpu(*target))
	}
	for _, m := range fromAnnotation[[]autoscalingv1.MetricStatus](from, currentKey) {
		hub.Status.CurrentMetrics = append(hub.Status.CurrentMetrics, currentFromV1(m))
	}
	if current := from.Status.CurrentCPUUtilizationPercentage; current != nil && len(hub.Status.CurrentMetrics) == 0 {
		hub.Status.CurrentMetrics = []autoscalingv2.MetricStatus{{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricStatus{
				Name: corev1.ResourceCPU, Current: autoscalingv2.MetricValueStatus{AverageUtilization: current},
			},
		}}
	}
	hub.Status.Conditions = fromAnnotation[[]autoscalingv2.HorizontalPodAutoscalerCondition](from, conditionsKey)
	b := fromAnnotation[behavior](from, behaviorKey)
	if b != (behavior{}) {
		hub.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: b.ScaleUp.rules(), ScaleDown: b.ScaleDown.rules()}
	}
	return nil
}

// autoscalerToV1 writes what fits into fields, and annotations for the rest. It
// refuses a second metric for the one field, of which one would be lost.
func autoscalerToV1(hub *autoscalingv2.HorizontalPodAutoscaler, to *autoscalingv1.HorizontalPodAutoscaler) error {
	var others []autoscalingv1.MetricSpec
	for _, m := range hub.Spec.Metrics {
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
	for _, m := range hub.Status.CurrentMetrics {
		current = append(current, currentToV1(m))
		if r := m.Resource; m.Type == autoscalingv2.ResourceMetricSourceType && r != nil && r.Name == corev1.ResourceCPU && r.Current.AverageUtilization != nil {
			to.Status.CurrentCPUUtilizationPercentage = r.Current.AverageUtilization
		}
	}
	var b *behavior
	if hub.Spec.Behavior != nil {
		b = &behavior{rulesOf(hub.Spec.Behavior.ScaleUp), rulesOf(hub.Spec.Behavior.ScaleDown)}
	}
	return errors.Join(
		toAnnotation(to, metricsKey, others, len(others) > 0),
		toAnnotation(to, currentKey, current, len(current) > 0),
		toAnnotation(to, conditionsKey, hub.Status.Conditions, len(hub.Status.Conditions) > 0),
		toAnnotation(to, behaviorKey, b, b != nil),
	)
}

func isCPU(m autoscalingv2.MetricSpec) bool {
	return m.Type == autoscalingv2.ResourceMetricSourceType && m.Resource != nil &&
		m.Resource.Name == corev1.ResourceCPU && m.Resource.Target.AverageUtilization != nil
}

// fromAnnotation returns what an annotation holds, or nothing.
func fromAnnotation[T any](object metav1.Object, key string) T {
	var value, none T
	if err := json.Unmarshal([]byte(object.GetAnnotations()[key]), &value); err != nil {
		return none
	}
	return value
}

// toAnnotation sets an annotation to a value if there is one.
func toAnnotation(object metav1.Object, key string, value any, there bool) error {
	if !there {
		return nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	annotate(object, key, string(text))
	return nil
}
