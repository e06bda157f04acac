package defaults

import rbacv1 "k8s.io/api/rbac/v1"

func roleBinding(b *rbacv1.RoleBinding) {
	fill(&b.RoleRef.APIGroup, rbacv1.GroupName)
	each(b.Subjects, subject)
}

func clusterRoleBinding(b *rbacv1.ClusterRoleBinding) {
	fill(&b.RoleRef.APIGroup, rbacv1.GroupName)
	each(b.Subjects, subject)
}

// subject sets the group of users and groups. A service account is in the core
// group.
func subject(s *rbacv1.Subject) {
	if s.Kind == rbacv1.UserKind || s.Kind == rbacv1.GroupKind {
		fill(&s.APIGroup, rbacv1.GroupName)
	}
}
