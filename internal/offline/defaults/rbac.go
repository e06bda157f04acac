package defaults

import (
	rbacv1 "k8s.io/api/rbac/v1"
	rbacv1alpha1 "k8s.io/api/rbac/v1alpha1"
	rbacv1beta1 "k8s.io/api/rbac/v1beta1"
)

func roleBinding(b *rbacv1.RoleBinding) {
	fill(&b.RoleRef.APIGroup, rbacv1.GroupName)
	each(b.Subjects, subject)
}

func clusterRoleBinding(b *rbacv1.ClusterRoleBinding) {
	fill(&b.RoleRef.APIGroup, rbacv1.GroupName)
	each(b.Subjects, subject)
}

func subject(s *rbacv1.Subject) {
	subjectGroup(s.Kind, &s.APIGroup)
}

func roleBindingBeta(b *rbacv1beta1.RoleBinding) {
	fill(&b.RoleRef.APIGroup, rbacv1.GroupName)
	each(b.Subjects, subjectBeta)
}

func clusterRoleBindingBeta(b *rbacv1beta1.ClusterRoleBinding) {
	fill(&b.RoleRef.APIGroup, rbacv1.GroupName)
	each(b.Subjects, subjectBeta)
}

func subjectBeta(s *rbacv1beta1.Subject) {
	subjectGroup(s.Kind, &s.APIGroup)
}

func roleBindingAlpha(b *rbacv1alpha1.RoleBinding) {
	fill(&b.RoleRef.APIGroup, rbacv1.GroupName)
}

func clusterRoleBindingAlpha(b *rbacv1alpha1.ClusterRoleBinding) {
	fill(&b.RoleRef.APIGroup, rbacv1.GroupName)
}

// subjectGroup is the group that users and groups are in. A service account is
// in the group without a name.
func subjectGroup(kind string, group *string) {
	if kind == rbacv1.UserKind || kind == rbacv1.GroupKind {
		fill(group, rbacv1.GroupName)
	}
}
