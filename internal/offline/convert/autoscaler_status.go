package convert

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"
)

// currentFromV1 converts a measured metric of the annotation.
//
// Compat: a value that is no pointer in the annotation is always set.
func currentFromV1(m autoscalingv1.MetricStatus) autoscalingv2.MetricStatus {
	out := autoscalingv2.MetricStatus{Type: autoscalingv2.MetricSourceType(m.Type)}
	if o := m.Object; o != nil {
		out.Object = &autoscalingv2.ObjectMetricStatus{
			DescribedObject: autoscalingv2.CrossVersionObjectReference(o.Target),
			Metric:          autoscalingv2.MetricIdentifier{Name: o.MetricName, Selector: o.Selector},
			Current:         measured(&o.CurrentValue, o.AverageValue, nil),
		}
	}
	if p := m.Pods; p != nil {
		out.Pods = &autoscalingv2.PodsMetricStatus{
			Metric:  autoscalingv2.MetricIdentifier{Name: p.MetricName, Selector: p.Selector},
			Current: measured(nil, &p.CurrentAverageValue, nil),
		}
	}
	if r := m.Resource; r != nil {
		out.Resource = &autoscalingv2.ResourceMetricStatus{
			Name: r.Name, Current: measured(nil, &r.CurrentAverageValue, r.CurrentAverageUtilization),
		}
	}
	if r := m.ContainerResource; r != nil {
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricStatus{
			Name: r.Name, Container: r.Container,
			Current: measured(nil, &r.CurrentAverageValue, r.CurrentAverageUtilization),
		}
	}
	if e := m.External; e != nil {
		out.External = &autoscalingv2.ExternalMetricStatus{
			Metric:  autoscalingv2.MetricIdentifier{Name: e.MetricName, Selector: e.MetricSelector},
			Current: measured(&e.CurrentValue, e.CurrentAverageValue, nil),
		}
	}
	return out
}

func measured(
	value, average *resource.Quantity, utilization *int32,
) autoscalingv2.MetricValueStatus {
	return autoscalingv2.MetricValueStatus{
		Value: value, AverageValue: average, AverageUtilization: utilization,
	}
}

// currentToV1 converts a measured metric for the annotation.
func currentToV1(m autoscalingv2.MetricStatus) autoscalingv1.MetricStatus {
	out := autoscalingv1.MetricStatus{Type: autoscalingv1.MetricSourceType(m.Type)}
	if o := m.Object; o != nil {
		out.Object = &autoscalingv1.ObjectMetricStatus{
			Target:       autoscalingv1.CrossVersionObjectReference(o.DescribedObject),
			MetricName:   o.Metric.Name,
			Selector:     o.Metric.Selector,
			CurrentValue: ptr.Deref(o.Current.Value, resource.Quantity{}),
			AverageValue: o.Current.AverageValue,
		}
	}
	if p := m.Pods; p != nil {
		out.Pods = &autoscalingv1.PodsMetricStatus{
			MetricName: p.Metric.Name, Selector: p.Metric.Selector,
			CurrentAverageValue: ptr.Deref(p.Current.AverageValue, resource.Quantity{}),
		}
	}
	if r := m.Resource; r != nil {
		out.Resource = &autoscalingv1.ResourceMetricStatus{
			Name: r.Name, CurrentAverageUtilization: r.Current.AverageUtilization,
			CurrentAverageValue: ptr.Deref(r.Current.AverageValue, resource.Quantity{}),
		}
	}
	if r := m.ContainerResource; r != nil {
		out.ContainerResource = &autoscalingv1.ContainerResourceMetricStatus{
			Name: r.Name, Container: r.Container,
			CurrentAverageUtilization: r.Current.AverageUtilization,
			CurrentAverageValue:       ptr.Deref(r.Current.AverageValue, resource.Quantity{}),
		}
	}
	if e := m.External; e != nil {
		out.External = &autoscalingv1.ExternalMetricStatus{
			MetricName: e.Metric.Name, MetricSelector: e.Metric.Selector,
			CurrentValue:        ptr.Deref(e.Current.Value, resource.Quantity{}),
			CurrentAverageValue: e.Current.AverageValue,
		}
	}
	return out
}
