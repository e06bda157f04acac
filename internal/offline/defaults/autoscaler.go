package defaults

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

// autoscalerV1 leaves out the metric, which may be in an annotation.
// kube-apiserver adds it when it converts the object, as
// internal/offline/internalversion does.
func autoscalerV1(a *autoscalingv1.HorizontalPodAutoscaler) {
	setOnce(&a.Spec.MinReplicas, 1)
}

func autoscaler(a *autoscalingv2.HorizontalPodAutoscaler) {
	setOnce(&a.Spec.MinReplicas, 1)
	if len(a.Spec.Metrics) == 0 {
		a.Spec.Metrics = []autoscalingv2.MetricSpec{cpu(80)}
	}
	some(a.Spec.Behavior, func(b *autoscalingv2.HorizontalPodAutoscalerBehavior) {
		setOnce(&b.ScaleUp, autoscalingv2.HPAScalingRules{})
		setOnce(&b.ScaleDown, autoscalingv2.HPAScalingRules{})
		scaleUp(b.ScaleUp)
		scaleDown(b.ScaleDown)
	})
}

func cpu(utilization int32) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{
		Type: autoscalingv2.ResourceMetricSourceType,
		Resource: &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceCPU,
			Target: autoscalingv2.MetricTarget{
				Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &utilization,
			}},
	}
}

// period is how often the size may change, in seconds.
const period = 15

// scaleUp doubles the pods or adds four of them, whichever is more, at once.
func scaleUp(r *autoscalingv2.HPAScalingRules) {
	setOnce(&r.StabilizationWindowSeconds, 0)
	setOnce(&r.SelectPolicy, autoscalingv2.MaxChangePolicySelect)
	if r.Policies == nil {
		r.Policies = []autoscalingv2.HPAScalingPolicy{
			{Type: autoscalingv2.PodsScalingPolicy, Value: 4, PeriodSeconds: period},
			{Type: autoscalingv2.PercentScalingPolicy, Value: 100, PeriodSeconds: period},
		}
	}
}

// scaleDown may remove all pods. The controller waits before that; its command line
// sets the time.
func scaleDown(r *autoscalingv2.HPAScalingRules) {
	setOnce(&r.SelectPolicy, autoscalingv2.MaxChangePolicySelect)
	if r.Policies == nil {
		r.Policies = []autoscalingv2.HPAScalingPolicy{{Type: autoscalingv2.PercentScalingPolicy,
			Value: 100, PeriodSeconds: period}}
	}
}
