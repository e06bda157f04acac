package apiserver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"example.com/gatehouse/internal/testutil/testtable"
)

// enforcing starts a server that enforces roles. It returns clients of the
// administrator and of the service account default in the namespace default.
func enforcing(t *testing.T) (admin, robot kubernetes.Interface) {
	t.Helper()
	server := start(t, Config{RBAC: true, DefaultServiceAccounts: true})
	admin = typed(t, server)
	return admin, withToken(t, server, tokenFor(t, admin, "default", "default", authenticationv1.TokenRequestSpec{}).Status.Token)
}

// grant binds a ClusterRole to the service account, in its namespace.
func grant(t *testing.T, admin kubernetes.Interface, role string) {
	t.Helper()
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "binding-"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "default", Name: "default"}},
	}
	must[*rbacv1.RoleBinding](t)(admin.RbacV1().RoleBindings("default").Create(t.Context(), binding, metav1.CreateOptions{}))
}

func pods(t *testing.T, client kubernetes.Interface) error {
	t.Helper()
	_, err := client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
	return err
}

// TestRolesAreInForce: the request after each change is decided by it.
func TestRolesAreInForce(t *testing.T) {
	t.Parallel()
	admin, robot := enforcing(t)
	const denied = `pods is forbidden: User "system:serviceaccount:default:default" cannot list resource "pods" in API group "" in the namespace "default"`
	check := func(want string) {
		t.Helper()
		if got := testtable.Text(pods(t, robot)); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	check(denied)
	grant(t, admin, "custom")
	check(denied + `: rbac: RBAC: clusterrole.rbac.authorization.k8s.io "custom" not found`)
	roles := admin.RbacV1().ClusterRoles()
	rules := []rbacv1.PolicyRule{{Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"pods"}}}
	for range 10 {
		role := must[*rbacv1.ClusterRole](t)(roles.Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "custom"}}, metav1.CreateOptions{}))
		check(denied)
		role.Rules = rules
		must[*rbacv1.ClusterRole](t)(roles.Update(t.Context(), role, metav1.UpdateOptions{}))
		check("")
		must[*rbacv1.ClusterRole](t)(roles.Patch(t.Context(), "custom", types.MergePatchType, []byte(`{"rules":[]}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}}))
		check("")
		if err := roles.Delete(t.Context(), "custom", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		check(denied + `: rbac: RBAC: clusterrole.rbac.authorization.k8s.io "custom" not found`)
	}
	if err := admin.RbacV1().ClusterRoleBindings().DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := pods(t, admin); err != nil {
		t.Errorf("the administrator is denied: %v", err)
	}
}

// TestAccessReviews: reviews answer like requests.
func TestAccessReviews(t *testing.T) {
	t.Parallel()
	admin, robot := enforcing(t)
	grant(t, admin, "view")
	self := func(a authorizationv1.ResourceAttributes) authorizationv1.SubjectAccessReviewStatus {
		t.Helper()
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &a}}
		return must[*authorizationv1.SelfSubjectAccessReview](t)(robot.AuthorizationV1().SelfSubjectAccessReviews().Create(t.Context(), review, metav1.CreateOptions{})).Status
	}
	list := authorizationv1.ResourceAttributes{Namespace: "default", Verb: "list", Resource: "pods"}
	if got := self(list); !got.Allowed || !strings.HasPrefix(got.Reason, `RBAC: allowed by RoleBinding "binding-`) {
		t.Errorf("got %+v", got)
	}
	remove := list
	remove.Verb = "delete"
	if diff := cmp.Diff(authorizationv1.SubjectAccessReviewStatus{}, self(remove)); diff != "" {
		t.Errorf("status (-want, +got):\n%s", diff)
	}
	local := &authorizationv1.LocalSubjectAccessReview{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default"},
		Spec:       authorizationv1.SubjectAccessReviewSpec{ResourceAttributes: &list, User: "ann"},
	}
	_, err := robot.AuthorizationV1().LocalSubjectAccessReviews("default").Create(t.Context(), local, metav1.CreateOptions{})
	wantReason(t, err, metav1.StatusReasonForbidden)
	if got := must[*authorizationv1.LocalSubjectAccessReview](t)(admin.AuthorizationV1().LocalSubjectAccessReviews("default").Create(t.Context(), local, metav1.CreateOptions{})); got.Status.Allowed {
		t.Errorf("ann may list pods: %+v", got.Status)
	}
	asked := &authorizationv1.SelfSubjectRulesReview{Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: "default"}}
	rules := must[*authorizationv1.SelfSubjectRulesReview](t)(robot.AuthorizationV1().SelfSubjectRulesReviews().Create(t.Context(), asked, metav1.CreateOptions{})).Status
	if len(rules.ResourceRules) < 10 || len(rules.NonResourceRules) < 3 || rules.Incomplete || rules.EvaluationError != "" {
		t.Errorf("got %+v, want the rules of view and of discovery", rules)
	}
}

// TestEscalation: who may write roles and bindings grants nothing with them that
// they do not have.
func TestEscalation(t *testing.T) {
	t.Parallel()
	admin, robot := enforcing(t)
	grant(t, admin, "admin")
	secrets := []rbacv1.PolicyRule{{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"secrets", "nodes"}}}
	roles, bindings := robot.RbacV1().Roles("default"), robot.RbacV1().RoleBindings("default")
	const granting = `user "system:serviceaccount:default:default" (groups=["system:serviceaccounts" "system:serviceaccounts:default" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:` + "\n"
	const nodes = granting + `{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}`

	_, err := roles.Create(t.Context(), &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Rules: secrets}, metav1.CreateOptions{})
	if want := `roles.rbac.authorization.k8s.io "a" is forbidden: ` + nodes; testtable.Text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	secrets[0].Resources = []string{"secrets"}
	role := must[*rbacv1.Role](t)(roles.Create(t.Context(), &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Rules: secrets}, metav1.CreateOptions{}))
	role.Finalizers = []string{"example.com/wait"}
	role = must[*rbacv1.Role](t)(roles.Update(t.Context(), role, metav1.UpdateOptions{}))
	role.Rules[0].Resources = []string{"nodes"}
	_, err = roles.Update(t.Context(), role, metav1.UpdateOptions{})
	if want := `roles.rbac.authorization.k8s.io "a" is forbidden: ` + nodes; testtable.Text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	bind := func(name string) *rbacv1.RoleBinding {
		ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name}
		return &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "b"}, RoleRef: ref}
	}
	_, err = bindings.Create(t.Context(), bind("system:monitoring"), metav1.CreateOptions{})
	if got, want := testtable.Text(err), `rolebindings.rbac.authorization.k8s.io "b" is forbidden: `+granting+`{NonResourceURLs:["/healthz/*"], Verbs:["get"]}`; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	_, err = bindings.Create(t.Context(), bind("missing"), metav1.CreateOptions{})
	wantReason(t, err, metav1.StatusReasonNotFound)
	must[*rbacv1.RoleBinding](t)(bindings.Create(t.Context(), bind("edit"), metav1.CreateOptions{}))
}

// TestAggregationNeedsEverything: an aggregationRule may select any role.
func TestAggregationNeedsEverything(t *testing.T) {
	t.Parallel()
	admin, robot := enforcing(t)
	writer := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "writer"}, Rules: []rbacv1.PolicyRule{{Verbs: []string{"create"}, APIGroups: []string{rbacv1.GroupName}, Resources: []string{"clusterroles"}}}}
	must[*rbacv1.ClusterRole](t)(admin.RbacV1().ClusterRoles().Create(t.Context(), writer, metav1.CreateOptions{}))
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "writer"}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "writer"},
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "default", Name: "default"}},
	}
	must[*rbacv1.ClusterRoleBinding](t)(admin.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}))
	all := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "all"}, AggregationRule: &rbacv1.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{{}}}}
	_, err := robot.RbacV1().ClusterRoles().Create(t.Context(), all, metav1.CreateOptions{})
	if want := `clusterroles.rbac.authorization.k8s.io "all" is forbidden: must have cluster-admin privileges to use an aggregationRule`; testtable.Text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	must[*rbacv1.ClusterRole](t)(robot.RbacV1().ClusterRoles().Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "none"}}, metav1.CreateOptions{}))
}

// TestImpersonation is a matter of roles, too.
func TestImpersonation(t *testing.T) {
	t.Parallel()
	server := start(t, Config{RBAC: true, DefaultServiceAccounts: true})
	admin := typed(t, server)
	config := server.ClientConfig()
	config.Impersonate.UserName = "system:serviceaccount:default:default"
	_, err := typedFor(t, config).CoreV1().Secrets("default").List(t.Context(), metav1.ListOptions{})
	if want := `secrets is forbidden: User "system:serviceaccount:default:default" cannot list resource "secrets" in API group "" in the namespace "default"`; testtable.Text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	grant(t, admin, "edit")
	must[*corev1.SecretList](t)(typedFor(t, config).CoreV1().Secrets("default").List(t.Context(), metav1.ListOptions{}))
	config.BearerToken = tokenFor(t, admin, "default", "default", authenticationv1.TokenRequestSpec{}).Status.Token
	config.Impersonate.UserName = "ann"
	_, err = typedFor(t, config).CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
	wantReason(t, err, metav1.StatusReasonForbidden)
}

// TestControllersHaveRoles: the controllers of the server do their work as service
// accounts, whose roles exist.
func TestControllersHaveRoles(t *testing.T) {
	t.Parallel()
	server := start(t, Config{RBAC: true, CollectGarbage: true})
	client := typed(t, server).CoreV1()
	must[*corev1.Namespace](t)(client.Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "full"}}, metav1.CreateOptions{}))
	configMap := func(name string, owners ...metav1.OwnerReference) *corev1.ConfigMap {
		o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, OwnerReferences: owners}}
		return must[*corev1.ConfigMap](t)(client.ConfigMaps("full").Create(t.Context(), o, metav1.CreateOptions{}))
	}
	owner := configMap("owner")
	configMap("dependent", metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID})
	if err := client.ConfigMaps("full").Delete(t.Context(), owner.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the dependent is still there", func() bool {
		_, err := client.ConfigMaps("full").Get(t.Context(), "dependent", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	configMap("content")
	if err := client.Namespaces().Delete(t.Context(), "full", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace is still there", func() bool {
		_, err := client.Namespaces().Get(t.Context(), "full", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}
