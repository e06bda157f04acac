package rbac

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/user"
)

// The objects below are those of kube-apiserver, except the roles of
// controllers that this server does not have. The caller owns the results.

// ClusterRoles returns the initial ClusterRoles.
func ClusterRoles() []runtime.Object {
	var all []runtime.Object
	for _, r := range slices.Concat(userRoles(), componentRoles(), controllerRoles()) {
		role := &rbacv1.ClusterRole{ObjectMeta: bootstrapMeta("", r.name), Rules: r.rules()}
		if r.label != "" {
			role.Labels[r.label] = "true"
		}
		if r.selects != "" {
			role.AggregationRule = &rbacv1.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{
				{MatchLabels: map[string]string{r.selects: "true"}},
			}}
		}
		all = append(all, role)
	}
	return all
}

// ClusterRoleBindings returns the initial ClusterRoleBindings.
func ClusterRoleBindings() []runtime.Object {
	var all []runtime.Object
	bind := func(role string, subjects ...rbacv1.Subject) {
		all = append(all, &rbacv1.ClusterRoleBinding{
			ObjectMeta: bootstrapMeta("", role), RoleRef: roleRef("ClusterRole", role), Subjects: subjects,
		})
	}
	bind("cluster-admin", group(user.SystemPrivilegedGroup))
	bind("system:discovery", group(user.AllAuthenticated))
	bind("system:basic-user", group(user.AllAuthenticated))
	bind("system:public-info-viewer", group(user.AllAuthenticated), group(user.AllUnauthenticated))
	bind("system:service-account-issuer-discovery", group("system:serviceaccounts"))
	bind("system:monitoring", group(user.MonitoringGroup))
	bind("system:kube-controller-manager", named(user.KubeControllerManager))
	bind("system:kube-scheduler", named(user.KubeScheduler))
	bind("system:volume-scheduler", named(user.KubeScheduler))
	bind("system:kube-dns", account("kube-dns"))
	bind("system:node-proxier", named(user.KubeProxy))
	bind("system:node") // the Node authorizer allows what nodes do
	for _, controller := range []string{"generic-garbage-collector", "namespace-controller"} {
		bind(controllerRole(controller), account(controller))
	}
	return all
}

// Roles returns the initial Roles.
func Roles() []runtime.Object {
	role := func(name string, grants ...grant) runtime.Object {
		meta := bootstrapMeta(metav1.NamespaceSystem, name)
		return &rbacv1.Role{ObjectMeta: meta, Rules: bootstrapRole{grants: grants}.rules()}
	}
	lock := func(component string) []grant {
		return []grant{
			{verbs: "watch", groups: core, resources: "configmaps"},
			{verbs: "get update", groups: core, resources: "configmaps", names: component},
			{verbs: read + " create update", groups: "coordination.k8s.io", resources: "leases"},
			{verbs: read + " create update", groups: "coordination.k8s.io", resources: "leasecandidates"},
		}
	}
	return []runtime.Object{
		role("extension-apiserver-authentication-reader", grant{
			verbs: read, groups: core, resources: "configmaps", names: "extension-apiserver-authentication",
		}),
		role("system::leader-locking-kube-controller-manager", lock("kube-controller-manager")...),
		role("system::leader-locking-kube-scheduler", lock("kube-scheduler")...),
	}
}

// RoleBindings returns the initial RoleBindings.
func RoleBindings() []runtime.Object {
	bind := func(name, role string, subjects ...rbacv1.Subject) runtime.Object {
		return &rbacv1.RoleBinding{
			ObjectMeta: bootstrapMeta(metav1.NamespaceSystem, name),
			RoleRef:    roleRef("Role", role), Subjects: subjects,
		}
	}
	lock := func(component, name string) runtime.Object {
		role := "system::leader-locking-" + component
		return bind(role, role, named(name), account(component))
	}
	return []runtime.Object{
		bind("system::extension-apiserver-authentication-reader",
			"extension-apiserver-authentication-reader",
			named(user.KubeControllerManager), named(user.KubeScheduler)),
		lock("kube-controller-manager", user.KubeControllerManager),
		lock("kube-scheduler", user.KubeScheduler),
	}
}

func bootstrapMeta(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: namespace, Name: name,
		Labels:      map[string]string{"kubernetes.io/bootstrapping": "rbac-defaults"},
		Annotations: map[string]string{rbacv1.AutoUpdateAnnotationKey: "true"},
	}
}

func roleRef(kind, name string) rbacv1.RoleRef {
	return rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: kind, Name: name}
}

func group(name string) rbacv1.Subject {
	return rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: name}
}

// named returns a user.
func named(name string) rbacv1.Subject {
	return rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: name}
}

// account returns a service account of the system.
func account(name string) rbacv1.Subject {
	return rbacv1.Subject{
		Kind: rbacv1.ServiceAccountKind, Namespace: metav1.NamespaceSystem, Name: name,
	}
}

// bootstrapRole is a ClusterRole in short form.
type bootstrapRole struct {
	name string
	// label is the role's own label, and selects the label of the roles that it
	// aggregates.
	label, selects string
	grants         []grant
}

// grant is a rule. Its fields are lists, separated by spaces.
type grant struct{ verbs, groups, resources, names, urls string }

// core is the name of the core group in a grant.
const core = "core"

// Verbs that rules often have together.
const (
	read  = "get list watch"
	write = "create delete deletecollection patch update"

	readWrite = read + " " + write
)

func (r bootstrapRole) rules() []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for _, g := range r.grants {
		groups := sorted(g.groups)
		for i, name := range groups {
			if name == core {
				groups[i] = ""
			}
		}
		rules = append(rules, rbacv1.PolicyRule{
			Verbs: sorted(g.verbs), APIGroups: groups, Resources: sorted(g.resources),
			ResourceNames: sorted(g.names), NonResourceURLs: sorted(g.urls),
		})
	}
	return rules
}

// sorted returns the parts of a list in order, as kube-apiserver writes them;
// nil if there are none.
func sorted(list string) []string { return slices.Sorted(slices.Values(strings.Fields(list))) }
