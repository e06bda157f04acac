package rules

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/offline/rbac"
)

const editAccess = goodPractices + "#limit-edit-access"

// roleBindings are the kinds that give permissions.
var roleBindings = []string{"ClusterRoleBinding", "RoleBinding"}

// accessRules are rules about who may change admission itself.
var accessRules = []*lint.Rule{
	{
		ID: "everyone-edits-admission", Level: lint.Error, Needs: roleBindings,
		Title:   "All users have permission to change webhook configurations or policies.",
		Why:     "A user who may change them can read and change every object that is written, and disable every check.",
		Fix:     "Bind the role to the users and service accounts that need it, and limit it by resourceNames.",
		Sources: []string{editAccess},
		Check: func(c *lint.Cluster, report func(lint.Finding)) {
			grants(c, changes("", configurationKinds...), isEveryone, report)
		},
	},
	{
		ID: "edits-every-configuration", Level: lint.Info, Needs: roleBindings,
		Title:   "A service account may change every webhook configuration or policy.",
		Why:     "Most controllers write only the CA of their own configuration. A service account with more permissions can disable other webhooks, and every pod with its token can do so.",
		Fix:     "Limit the rule of the role by resourceNames to the configurations of the controller.",
		Sources: []string{editAccess},
		Check: func(c *lint.Cluster, report func(lint.Finding)) {
			grants(c, changes("", configurationKinds...), isController, report)
		},
	},
	{
		ID: "everyone-edits-backend", Level: lint.Error, Needs: roleBindings,
		Title:   "All users have permission to change the workloads in the namespace of a webhook.",
		Why:     "A user who may create pods or change Secrets in the namespace of the webhook can answer reviews in its place.",
		Fix:     "Bind the role to the users and service accounts that need it.",
		Sources: []string{editAccess},
		Check:   checkBackendAccess,
	},
}

// configurationKinds are the resources that configure admission.
var configurationKinds = []string{
	"mutatingwebhookconfigurations", "validatingwebhookconfigurations", "mutatingadmissionpolicies",
	"mutatingadmissionpolicybindings", "validatingadmissionpolicies", "validatingadmissionpolicybindings",
}

// changes returns requests that change all objects of resources.
func changes(namespace string, resources ...string) []authorizer.Attributes {
	var all []authorizer.Attributes
	for _, resource := range resources {
		for _, verb := range []string{"create", "update", "patch", "delete", "deletecollection"} {
			a := authorizer.AttributesRecord{
				Verb: verb, Resource: resource, Namespace: namespace, ResourceRequest: true,
			}
			if slices.Contains(configurationKinds, resource) {
				a.APIGroup = registrationv1.GroupName
			}
			all = append(all, a)
		}
	}
	return all
}

// grants reports the bindings that allow one of the requests to a chosen subject, each
// once.
func grants(
	c *lint.Cluster, requests []authorizer.Attributes, chosen func(rbac.Grant, rbacv1.Subject) bool,
	report func(lint.Finding),
) {
	var seen []string
	for _, a := range requests {
		for _, g := range c.Cluster.Policy.Grants(a) {
			i := slices.IndexFunc(g.Subjects, func(s rbacv1.Subject) bool { return chosen(g, s) })
			name := g.Kind + " " + strings.TrimPrefix(g.Namespace+"/"+g.Name, "/")
			if i < 0 || slices.Contains(seen, name) {
				continue
			}
			seen = append(seen, name)
			where := ""
			if a.GetNamespace() != "" {
				where = " in namespace " + a.GetNamespace()
			}
			report(lint.Finding{
				Subject: name, Part: a.GetNamespace(), Cause: lint.Cause{What: fmt.Sprintf("subjects[%d]", i), Of: name},
				Document: c.Cluster.DocumentOf(g.Kind, g.Namespace, g.Name), Field: fmt.Sprintf("subjects[%d]", i),
				Message: fmt.Sprintf("%s may %s %s%s by %s %s.", describe(g, g.Subjects[i]), a.GetVerb(),
					a.GetResource(), where, g.Role.Kind, g.Role.Name),
			})
		}
	}
}

func describe(g rbac.Grant, s rbacv1.Subject) string {
	if s.Kind == rbacv1.ServiceAccountKind {
		return fmt.Sprintf("The service account %s/%s", namespaceOf(g, s), s.Name)
	}
	return fmt.Sprintf("The %s %s", strings.ToLower(s.Kind), s.Name)
}

// namespaceOf returns the namespace of a service account: by default that of the binding.
func namespaceOf(g rbac.Grant, s rbacv1.Subject) string {
	if s.Namespace != "" {
		return s.Namespace
	}
	return g.Namespace
}

// isEveryone reports whether a subject is a group that every user, or every pod of a
// namespace or of the cluster, is in. A pod without an account of its own has the account
// default.
func isEveryone(g rbac.Grant, s rbacv1.Subject) bool {
	switch s.Kind {
	case rbacv1.GroupKind:
		return s.Name == user.AllAuthenticated || s.Name == user.AllUnauthenticated ||
			strings.HasPrefix(s.Name, serviceaccount.AllServiceAccountsGroup) && !isOfSystem(s.Name)
	case rbacv1.ServiceAccountKind:
		return s.Name == "default" && namespaceOf(g, s) != "kube-system"
	}
	return false
}

func isOfSystem(group string) bool {
	return group == serviceaccount.MakeNamespaceGroupName("kube-system")
}

// isController reports whether a subject is a service account of an add-on.
func isController(g rbac.Grant, s rbacv1.Subject) bool {
	return s.Kind == rbacv1.ServiceAccountKind && namespaceOf(g, s) != "kube-system" && !isEveryone(g, s)
}

// checkBackendAccess reports bindings once, whatever the number of webhooks in a
// namespace.
func checkBackendAccess(c *lint.Cluster, report func(lint.Finding)) {
	var namespaces []string
	for _, w := range c.Webhooks {
		if ns := w.Backend.Namespace; ns != "" && !slices.Contains(namespaces, ns) {
			namespaces = append(namespaces, ns)
			grants(c, changes(ns, "pods", "secrets", "services"), isEveryone, report)
		}
	}
}
