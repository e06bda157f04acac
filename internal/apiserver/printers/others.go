package printers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	coordinationv1 "k8s.io/api/coordination/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

// otherTables returns the tables of other groups, by RESOURCE.GROUP.
func otherTables() map[string]table {
	return map[string]table{
		"leases.coordination.k8s.io": newTable("Name, Holder, Age", func(l *coordinationv1.Lease) []any {
			return []any{l.Name, ptr.Deref(l.Spec.HolderIdentity, ""), since(l.CreationTimestamp)}
		}),
		"ingresses.networking.k8s.io": newTable("Name, Class, Hosts, Address, Ports, Age",
			func(i *networkingv1.Ingress) []any {
				return []any{
					i.Name, ptr.Deref(i.Spec.IngressClassName, none), ingressHosts(i), ingressAddress(i),
					ingressPorts(i), since(i.CreationTimestamp),
				}
			}),
		"networkpolicies.networking.k8s.io": newTable("Name, Pod-Selector, Age",
			func(p *networkingv1.NetworkPolicy) []any {
				selector := metav1.FormatLabelSelector(&p.Spec.PodSelector)
				return []any{p.Name, selector, since(p.CreationTimestamp)}
			}),
		"poddisruptionbudgets.policy": newTable(
			"Name, Min Available, Max Unavailable, Allowed Disruptions, Age",
			func(b *policyv1.PodDisruptionBudget) []any {
				notSet := intstr.FromString("N/A")
				return []any{
					b.Name, cmp.Or(b.Spec.MinAvailable, &notSet).String(),
					cmp.Or(b.Spec.MaxUnavailable, &notSet).String(), b.Status.DisruptionsAllowed,
					since(b.CreationTimestamp),
				}
			}),
		"horizontalpodautoscalers.autoscaling": newTable(
			"Name, Reference, Targets, MinPods, MaxPods, Replicas, Age",
			func(a *autoscalingv2.HorizontalPodAutoscaler) []any {
				reference, minimum := a.Spec.ScaleTargetRef, unset
				if a.Spec.MinReplicas != nil {
					minimum = fmt.Sprint(*a.Spec.MinReplicas)
				}
				return []any{
					a.Name, reference.Kind + "/" + reference.Name, autoscalerTargets(a), minimum,
					a.Spec.MaxReplicas, a.Status.CurrentReplicas, since(a.CreationTimestamp),
				}
			}),
	}
}

func ingressAddress(i *networkingv1.Ingress) string {
	var addresses []string
	for _, ingress := range i.Status.LoadBalancer.Ingress {
		addresses = append(addresses, cmp.Or(ingress.IP, ingress.Hostname))
	}
	return strings.Join(addresses, ",")
}

func ingressPorts(i *networkingv1.Ingress) string {
	if len(i.Spec.TLS) > 0 {
		return "80, 443"
	}
	return "80"
}

func ingressHosts(i *networkingv1.Ingress) string {
	var hosts []string
	for _, rule := range i.Spec.Rules {
		if rule.Host != "" {
			hosts = append(hosts, rule.Host)
		}
	}
	if more := len(hosts) - 3; more > 0 {
		return fmt.Sprintf("%s + %d more...", strings.Join(hosts[:3], ","), more)
	}
	return cmp.Or(strings.Join(hosts, ","), "*")
}

// autoscalerTargets returns CURRENT/TARGET of each metric. Only the utilization
// of resources is shown in numbers.
func autoscalerTargets(a *autoscalingv2.HorizontalPodAutoscaler) string {
	var targets []string
	for _, metric := range a.Spec.Metrics {
		r := metric.Resource
		if r == nil || r.Target.AverageUtilization == nil {
			targets = append(targets, unknown+"/"+strings.ToLower(string(metric.Type)))
			continue
		}
		current := unknown
		i := slices.IndexFunc(a.Status.CurrentMetrics, func(s autoscalingv2.MetricStatus) bool {
			return s.Resource != nil && s.Resource.Name == r.Name &&
				s.Resource.Current.AverageUtilization != nil
		})
		if i >= 0 {
			current = fmt.Sprintf("%d%%", *a.Status.CurrentMetrics[i].Resource.Current.AverageUtilization)
		}
		target := *r.Target.AverageUtilization
		targets = append(targets, fmt.Sprintf("%s: %s/%d%%", r.Name, current, target))
	}
	return cmp.Or(strings.Join(targets, ", "), none)
}

// registrationTables returns the tables of what decides about requests.
func registrationTables() map[string]table {
	return map[string]table{
		"mutatingwebhookconfigurations.admissionregistration.k8s.io": newTable("Name, Webhooks, Age",
			func(c *registrationv1.MutatingWebhookConfiguration) []any {
				return []any{c.Name, len(c.Webhooks), since(c.CreationTimestamp)}
			}),
		"validatingwebhookconfigurations.admissionregistration.k8s.io": newTable("Name, Webhooks, Age",
			func(c *registrationv1.ValidatingWebhookConfiguration) []any {
				return []any{c.Name, len(c.Webhooks), since(c.CreationTimestamp)}
			}),
		"validatingadmissionpolicies.admissionregistration.k8s.io": newTable(
			"Name, Validations, ParamKind, Age", func(p *registrationv1.ValidatingAdmissionPolicy) []any {
				return []any{
					p.Name, len(p.Spec.Validations), paramKind(p.Spec.ParamKind), since(p.CreationTimestamp),
				}
			}),
		"validatingadmissionpolicybindings.admissionregistration.k8s.io": newTable(
			"Name, PolicyName, ParamRef, Age", func(b *registrationv1.ValidatingAdmissionPolicyBinding) []any {
				return []any{b.Name, b.Spec.PolicyName, paramRef(b.Spec.ParamRef), since(b.CreationTimestamp)}
			}),
		"mutatingadmissionpolicies.admissionregistration.k8s.io": newTable(
			"Name, Mutations, ParamKind, Age", func(p *registrationv1.MutatingAdmissionPolicy) []any {
				return []any{
					p.Name, len(p.Spec.Mutations), paramKind(p.Spec.ParamKind), since(p.CreationTimestamp),
				}
			}),
		"mutatingadmissionpolicybindings.admissionregistration.k8s.io": newTable(
			"Name, PolicyName, ParamRef, Age", func(b *registrationv1.MutatingAdmissionPolicyBinding) []any {
				return []any{b.Name, b.Spec.PolicyName, paramRef(b.Spec.ParamRef), since(b.CreationTimestamp)}
			}),
	}
}

func paramKind(k *registrationv1.ParamKind) string {
	if k == nil {
		return unset
	}
	return k.APIVersion + "/" + k.Kind
}

// paramRef prints a selector as kube-apiserver does: as the Go type.
func paramRef(r *registrationv1.ParamRef) string {
	switch {
	case r == nil || r.Name == "" && r.Selector == nil:
		return unset
	case r.Name == "":
		return r.Selector.String()
	}
	return cmp.Or(r.Namespace, "*") + "/" + r.Name
}
