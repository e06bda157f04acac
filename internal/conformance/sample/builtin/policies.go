package builtin

import (
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// hintPolicies sets RBAC objects, quotas and limits.
func hintPolicies(part any) {
	switch p := part.(type) {
	case *rbacv1.PolicyRule:
		*p = rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{""},
			Resources: []string{"pods"}}
	case *rbacv1.RoleRef:
		// A RoleBinding may refer to a ClusterRole, too.
		p.APIGroup, p.Kind = rbacv1.GroupName, "ClusterRole"
	case *rbacv1.RoleBinding:
		p.Subjects = subjects()
	case *rbacv1.ClusterRoleBinding:
		p.Subjects = subjects()
	case *corev1.LimitRangeItem:
		p.Type = corev1.LimitTypeContainer
		p.Max = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}
	case *corev1.ResourceQuotaSpec:
		p.Hard = corev1.ResourceList{corev1.ResourcePods: resource.MustParse("10")}
	case *flowcontrolv1.PriorityLevelConfigurationSpec:
		p.Type, p.Exempt = flowcontrolv1.PriorityLevelEnablementLimited, nil
		p.Limited = &flowcontrolv1.LimitedPriorityLevelConfiguration{
			NominalConcurrencyShares: new(int32(1)),
			LimitResponse: flowcontrolv1.LimitResponse{
				Type: flowcontrolv1.LimitResponseTypeReject,
			},
		}
	}
}

func subjects() []rbacv1.Subject {
	return []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: word}}
}
