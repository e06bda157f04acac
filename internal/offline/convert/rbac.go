package convert

import (
	rbacv1 "k8s.io/api/rbac/v1"
	rbacv1alpha1 "k8s.io/api/rbac/v1alpha1"
	rbacv1beta1 "k8s.io/api/rbac/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// roles are the kinds of the group rbac.authorization.k8s.io.
func roles() []family {
	return []family{
		{kind: "Role", resource: "roles", versions: []version{
			same(rbacv1.SchemeGroupVersion, (*rbacv1.Role)(nil)),
			same(rbacv1beta1.SchemeGroupVersion, (*rbacv1beta1.Role)(nil)),
			same(rbacv1alpha1.SchemeGroupVersion, (*rbacv1alpha1.Role)(nil)),
		}, hub: func() runtime.Object { return &rbacv1.Role{} }},
		{kind: "ClusterRole", resource: "clusterroles", versions: []version{
			same(rbacv1.SchemeGroupVersion, (*rbacv1.ClusterRole)(nil)),
			same(rbacv1beta1.SchemeGroupVersion, (*rbacv1beta1.ClusterRole)(nil)),
			same(rbacv1alpha1.SchemeGroupVersion, (*rbacv1alpha1.ClusterRole)(nil)),
		}, hub: func() runtime.Object { return &rbacv1.ClusterRole{} }},
		roleBindings(), clusterRoleBindings(),
	}
}

func roleBindings() family {
	settle := func(hub *rbacv1.RoleBinding) { groupSubjects(hub.Subjects) }
	return family{kind: "RoleBinding", resource: "rolebindings", versions: []version{
		settled(same(rbacv1.SchemeGroupVersion, (*rbacv1.RoleBinding)(nil)), settle),
		settled(same(rbacv1beta1.SchemeGroupVersion, (*rbacv1beta1.RoleBinding)(nil)), settle),
		special(rbacv1alpha1.SchemeGroupVersion,
			func(from *rbacv1alpha1.RoleBinding, hub *rbacv1.RoleBinding) error {
				subjectsFromAlpha(from.Subjects, hub.Subjects)
				return nil
			},
			func(hub *rbacv1.RoleBinding, to *rbacv1alpha1.RoleBinding) error {
				subjectsToAlpha(hub.Subjects, to.Subjects)
				return nil
			}).but(".subjects.apiGroup", ".subjects.apiVersion"),
	}, hub: func() runtime.Object { return &rbacv1.RoleBinding{} }}
}

func clusterRoleBindings() family {
	settle := func(hub *rbacv1.ClusterRoleBinding) { groupSubjects(hub.Subjects) }
	return family{kind: "ClusterRoleBinding", resource: "clusterrolebindings", versions: []version{
		settled(same(rbacv1.SchemeGroupVersion, (*rbacv1.ClusterRoleBinding)(nil)), settle),
		settled(same(rbacv1beta1.SchemeGroupVersion, (*rbacv1beta1.ClusterRoleBinding)(nil)), settle),
		special(rbacv1alpha1.SchemeGroupVersion,
			func(from *rbacv1alpha1.ClusterRoleBinding, hub *rbacv1.ClusterRoleBinding) error {
				subjectsFromAlpha(from.Subjects, hub.Subjects)
				return nil
			},
			func(hub *rbacv1.ClusterRoleBinding, to *rbacv1alpha1.ClusterRoleBinding) error {
				subjectsToAlpha(hub.Subjects, to.Subjects)
				return nil
			}).but(".subjects.apiGroup", ".subjects.apiVersion"),
	}, hub: func() runtime.Object { return &rbacv1.ClusterRoleBinding{} }}
}

// groupSubjects gives users and groups the group that they are in if none is
// named. Without it they would be of no group in v1alpha1, which has no word
// for the group alone.
func groupSubjects(subjects []rbacv1.Subject) {
	for i := range subjects {
		if subjects[i].Kind == rbacv1.UserKind || subjects[i].Kind == rbacv1.GroupKind {
			fill(&subjects[i].APIGroup, rbacv1.GroupName)
		}
	}
}

// subjectsFromAlpha sets the groups of subjects, and what v1alpha1 alone knows:
// the user * is everybody who has logged in.
func subjectsFromAlpha(from []rbacv1alpha1.Subject, hub []rbacv1.Subject) {
	for i := range from {
		hub[i].APIGroup = alphaGroup(from[i])
		if hub[i].Kind == rbacv1.UserKind && hub[i].Name == "*" {
			hub[i].Kind, hub[i].Name = rbacv1.GroupKind, "system:authenticated"
		}
	}
}

// alphaGroup believes the version only of the kinds that are not known.
func alphaGroup(s rbacv1alpha1.Subject) string {
	switch s.Kind {
	case rbacv1.ServiceAccountKind:
		return ""
	case rbacv1.UserKind, rbacv1.GroupKind:
		return rbacv1.GroupName
	}
	gv, err := schema.ParseGroupVersion(s.APIVersion)
	if err != nil {
		return ""
	}
	return gv.Group
}

func subjectsToAlpha(hub []rbacv1.Subject, to []rbacv1alpha1.Subject) {
	for i := range hub {
		to[i].APIVersion = alphaVersion(hub[i])
	}
}

// alphaVersion leaves out the version of groups that it does not know.
func alphaVersion(s rbacv1.Subject) string {
	switch {
	case s.Kind == rbacv1.ServiceAccountKind && s.APIGroup == "":
		return "v1"
	case (s.Kind == rbacv1.UserKind || s.Kind == rbacv1.GroupKind) && s.APIGroup == rbacv1.GroupName:
		return rbacv1alpha1.SchemeGroupVersion.String()
	}
	return schema.GroupVersion{Group: s.APIGroup}.String()
}
