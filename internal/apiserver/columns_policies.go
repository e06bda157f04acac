package apiserver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func mutatingColumns() []column {
	return aged(number("Webhooks", func(c *registrationv1.MutatingWebhookConfiguration) int { return len(c.Webhooks) }))
}

func validatingColumns() []column {
	return aged(number("Webhooks", func(c *registrationv1.ValidatingWebhookConfiguration) int { return len(c.Webhooks) }))
}

func priorityClassColumns() []column {
	return append(aged(
		number("Value", func(c *schedulingv1.PriorityClass) int32 { return c.Value }),
		truth("Global-Default", func(c *schedulingv1.PriorityClass) bool { return c.GlobalDefault }),
	), text("PreemptionPolicy", func(c *schedulingv1.PriorityClass) string { return string(orZero(c.PreemptionPolicy)) }))
}

func budgetColumns() []column {
	bound := func(n *intstr.IntOrString) string {
		if n == nil {
			return "N/A"
		}
		return n.String()
	}
	return aged(
		text("Min Available", func(b *policyv1.PodDisruptionBudget) string { return bound(b.Spec.MinAvailable) }),
		text("Max Unavailable", func(b *policyv1.PodDisruptionBudget) string { return bound(b.Spec.MaxUnavailable) }),
		number("Allowed Disruptions", func(b *policyv1.PodDisruptionBudget) int32 { return b.Status.DisruptionsAllowed }),
	)
}

func roleBindingColumns() []column {
	return bindingColumns(
		func(b *rbacv1.RoleBinding) rbacv1.RoleRef { return b.RoleRef },
		func(b *rbacv1.RoleBinding) []rbacv1.Subject { return b.Subjects },
	)
}

func clusterRoleBindingColumns() []column {
	return bindingColumns(
		func(b *rbacv1.ClusterRoleBinding) rbacv1.RoleRef { return b.RoleRef },
		func(b *rbacv1.ClusterRoleBinding) []rbacv1.Subject { return b.Subjects },
	)
}

func bindingColumns[T runtime.Object](role func(T) rbacv1.RoleRef, subjects func(T) []rbacv1.Subject) []column {
	who := func(kind string, name func(rbacv1.Subject) string) func(T) string {
		return func(b T) string {
			var names []string
			for _, s := range subjects(b) {
				if s.Kind == kind {
					names = append(names, name(s))
				}
			}
			return strings.Join(names, ", ")
		}
	}
	name := func(s rbacv1.Subject) string { return s.Name }
	return append(
		aged(text("Role", func(b T) string { return role(b).Kind + "/" + role(b).Name })),
		wide(
			text("Users", who(rbacv1.UserKind, name)),
			text("Groups", who(rbacv1.GroupKind, name)),
			text("ServiceAccounts", who(rbacv1.ServiceAccountKind, func(s rbacv1.Subject) string { return s.Namespace + "/" + s.Name })),
		)...)
}

func autoscalerColumns() []column {
	return aged(
		text("Reference", func(a *autoscalingv2.HorizontalPodAutoscaler) string {
			return a.Spec.ScaleTargetRef.Kind + "/" + a.Spec.ScaleTargetRef.Name
		}),
		text("Targets", targets),
		text("MinPods", func(a *autoscalingv2.HorizontalPodAutoscaler) string {
			if a.Spec.MinReplicas == nil {
				return "<unset>"
			}
			return fmt.Sprint(*a.Spec.MinReplicas)
		}),
		number("MaxPods", func(a *autoscalingv2.HorizontalPodAutoscaler) int32 { return a.Spec.MaxReplicas }),
		number("Replicas", func(a *autoscalingv2.HorizontalPodAutoscaler) int32 { return a.Status.CurrentReplicas }),
	)
}

// targets are what an autoscaler wants of each metric, and what it is. As nothing
// measures here, only the plainest metrics are told apart.
func targets(a *autoscalingv2.HorizontalPodAutoscaler) string {
	var all []string
	for _, metric := range a.Spec.Metrics {
		r := metric.Resource
		if r == nil || r.Target.AverageUtilization == nil {
			all = append(all, unknown+"/"+strings.ToLower(string(metric.Type)))
			continue
		}
		now := unknown
		at := slices.IndexFunc(a.Status.CurrentMetrics, func(s autoscalingv2.MetricStatus) bool {
			return s.Resource != nil && s.Resource.Name == r.Name && s.Resource.Current.AverageUtilization != nil
		})
		if at >= 0 {
			now = fmt.Sprintf("%d%%", *a.Status.CurrentMetrics[at].Resource.Current.AverageUtilization)
		}
		all = append(all, fmt.Sprintf("%s: %s/%d%%", r.Name, now, *r.Target.AverageUtilization))
	}
	return cmp.Or(strings.Join(all, ", "), none)
}
