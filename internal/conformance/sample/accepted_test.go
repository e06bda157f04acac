package sample_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"

	"example.com/gatehouse/internal/testutil/testtable"
)

type acceptedCase struct {
	row
	rule string
	// wrong says what kube-apiserver would find wrong with the object; a few of
	// its rules, written down here.
	wrong func(object any) string
}

// TestAccepted holds the common kinds against the rules that objects without
// hints break.
func TestAccepted(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []acceptedCase{
		{row{"pod", "containers have images"}, "CREATE core/v1 pods", func(o any) string {
			return podSpec(o.(*corev1.Pod).Spec, corev1.RestartPolicyAlways)
		}},
		{row{"deployment", "its selector selects its pods"}, "CREATE apps/v1 deployments", func(o any) string {
			d := o.(*appsv1.Deployment)
			return template(d.Spec.Selector, &d.Spec.Template)
		}},
		{row{"replica set", "its template is optional in JSON alone"}, "CREATE apps/v1 replicasets", func(o any) string {
			d := o.(*appsv1.ReplicaSet)
			return template(d.Spec.Selector, &d.Spec.Template)
		}},
		{row{"stateful set", "as a deployment"}, "CREATE apps/v1 statefulsets", func(o any) string {
			d := o.(*appsv1.StatefulSet)
			return template(d.Spec.Selector, &d.Spec.Template)
		}},
		{row{"daemon set", "as a deployment"}, "CREATE apps/v1 daemonsets", func(o any) string {
			d := o.(*appsv1.DaemonSet)
			return template(d.Spec.Selector, &d.Spec.Template)
		}},
		{row{"replication controller", "its selector is a map"}, "CREATE core/v1 replicationcontrollers", func(o any) string {
			d := o.(*corev1.ReplicationController)
			return template(&metav1.LabelSelector{MatchLabels: d.Spec.Selector}, d.Spec.Template)
		}},
		{row{"job", "its pods end, and servers select them"}, "CREATE batch/v1 jobs", func(o any) string {
			j := o.(*batchv1.Job)
			if j.Spec.Selector != nil {
				return "only a manualSelector allows for one"
			}
			return podSpec(j.Spec.Template.Spec, corev1.RestartPolicyNever)
		}},
		{row{"cron job", "it has a schedule"}, "CREATE batch/v1 cronjobs", func(o any) string {
			c := o.(*batchv1.CronJob)
			if c.Spec.Schedule == "sample" {
				return "that is no schedule"
			}
			return podSpec(c.Spec.JobTemplate.Spec.Template.Spec, corev1.RestartPolicyNever)
		}},
		{row{"service", "it has ports, with a protocol"}, "CREATE core/v1 services", func(o any) string {
			s := o.(*corev1.Service).Spec
			if len(s.Ports) != 1 || s.Ports[0].Port < 1 || s.Ports[0].Protocol != corev1.ProtocolTCP || s.Type != corev1.ServiceTypeClusterIP {
				return fmt.Sprint(s)
			}
			return ""
		}},
		{row{"ingress", "it leads somewhere"}, "CREATE networking.k8s.io/v1 ingresses", func(o any) string {
			s := o.(*networkingv1.Ingress).Spec
			if s.DefaultBackend == nil && len(s.Rules) == 0 {
				return "neither a default backend nor rules"
			}
			return ""
		}},
		{row{"endpoint slice", "addresses are of its type"}, "CREATE discovery.k8s.io/v1 endpointslices", func(o any) string {
			s := o.(*discoveryv1.EndpointSlice)
			if ip, err := netip.ParseAddr(s.Endpoints[0].Addresses[0]); s.AddressType != discoveryv1.AddressTypeIPv4 || err != nil || !ip.Is4() {
				return fmt.Sprint(s.AddressType, s.Endpoints)
			}
			return ""
		}},
		{row{"claim", "it wants some space"}, "CREATE core/v1 persistentvolumeclaims", func(o any) string {
			s := o.(*corev1.PersistentVolumeClaim).Spec
			if len(s.AccessModes) != 1 || s.Resources.Requests.Storage().IsZero() || s.Selector != nil {
				return fmt.Sprint(s)
			}
			return ""
		}},
		{row{"volume", "it is of one type"}, "CREATE core/v1 persistentvolumes", func(o any) string {
			s := o.(*corev1.PersistentVolume).Spec
			if len(s.AccessModes) != 1 || s.Capacity.Storage().IsZero() || s.HostPath == nil {
				return fmt.Sprint(s)
			}
			return ""
		}},
		{row{"autoscaler", "it knows what to scale"}, "CREATE autoscaling/v2 horizontalpodautoscalers", func(o any) string {
			s := o.(*autoscalingv2.HorizontalPodAutoscaler).Spec
			if s.MaxReplicas < *s.MinReplicas || s.ScaleTargetRef.Kind != "Deployment" || s.ScaleTargetRef.Name == "" {
				return fmt.Sprint(s)
			}
			return ""
		}},
		{row{"budget", "one limit, not both"}, "CREATE policy/v1 poddisruptionbudgets", func(o any) string {
			s := o.(*policyv1.PodDisruptionBudget).Spec
			if s.MinAvailable == nil || s.MaxUnavailable != nil {
				return fmt.Sprint(s)
			}
			return ""
		}},
		{row{"role", "verbs on resources of groups"}, "CREATE rbac.authorization.k8s.io/v1 roles", func(o any) string {
			return policyRule(o.(*rbacv1.Role).Rules)
		}},
		{row{"cluster role", "as a role"}, "CREATE rbac.authorization.k8s.io/v1 clusterroles", func(o any) string {
			return policyRule(o.(*rbacv1.ClusterRole).Rules)
		}},
		{row{"role binding", "the group and the kind are two of a few"}, "CREATE rbac.authorization.k8s.io/v1 rolebindings", func(o any) string {
			return roleRef(o.(*rbacv1.RoleBinding).RoleRef)
		}},
		{row{"cluster role binding", "only a ClusterRole will do"}, "CREATE rbac.authorization.k8s.io/v1 clusterrolebindings", func(o any) string {
			return roleRef(o.(*rbacv1.ClusterRoleBinding).RoleRef)
		}},
		{row{"secret", "keys are names of files"}, "CREATE core/v1 secrets", func(o any) string {
			s := o.(*corev1.Secret)
			if s.Type != corev1.SecretTypeOpaque || len(s.Data) != 1 {
				return fmt.Sprint(s)
			}
			return ""
		}},
		{row{"event", "it is where its object is"}, "CREATE core/v1 events", func(o any) string {
			e := o.(*corev1.Event)
			if e.InvolvedObject.Namespace != e.Namespace || e.Type != corev1.EventTypeNormal {
				return fmt.Sprint(e)
			}
			return ""
		}},
	}, func(t *testing.T, tc acceptedCase) {
		set := made(t, []hook{{rules: tc.rule}})
		if len(set.Requests) == 0 {
			t.Fatalf("no requests, skipped %v", set.Skipped)
		}
		for _, r := range set.Requests {
			if wrong := tc.wrong(r.Object); wrong != "" {
				t.Error(wrong)
			}
		}
	})
}

func podSpec(s corev1.PodSpec, policy corev1.RestartPolicy) string {
	switch {
	case s.RestartPolicy != policy:
		return fmt.Sprintf("restartPolicy is %q", s.RestartPolicy)
	case len(s.Containers) != 1:
		return fmt.Sprintf("%d containers", len(s.Containers))
	}
	c := s.Containers[0]
	if len(validation.IsDNS1123Label(c.Name)) > 0 || c.Image == "" || c.ImagePullPolicy == "" || c.TerminationMessagePolicy == "" {
		return fmt.Sprint(c)
	}
	return ""
}

func template(s *metav1.LabelSelector, template *corev1.PodTemplateSpec) string {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil || selector.Empty() || !selector.Matches(labels.Set(template.Labels)) {
		return fmt.Sprintf("%v does not select %v: %v", s, template.Labels, err)
	}
	return podSpec(template.Spec, corev1.RestartPolicyAlways)
}

func policyRule(rules []rbacv1.PolicyRule) string {
	if len(rules) != 1 || !slices.Equal(rules[0].Verbs, []string{"get"}) || len(rules[0].APIGroups) == 0 || len(rules[0].Resources) == 0 {
		return fmt.Sprint(rules)
	}
	return ""
}

func roleRef(r rbacv1.RoleRef) string {
	if r.APIGroup != rbacv1.GroupName || r.Kind != "ClusterRole" || r.Name == "" {
		return fmt.Sprint(r)
	}
	return ""
}
