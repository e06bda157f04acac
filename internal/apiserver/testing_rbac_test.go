package apiserver_test

import (
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/apiserver"
)

// manager is a project's service account with its role, which lacks a rule for
// Secrets, and a policy that asks what the user may do.
const manager = `
{apiVersion: v1, kind: Namespace, metadata: {name: system}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {namespace: system, name: manager}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: manager-role}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [create, get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: manager-rolebinding}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: manager-role}
subjects: [{kind: ServiceAccount, namespace: system, name: manager}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: trusted}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]
  matchConditions: [{name: marked, expression: "'marked' in object.metadata.labels"}]
  validations:
  - expression: authorizer.group('').resource('nodes').check('list').allowed()
    message: only who may list nodes
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: trusted}
spec: {policyName: trusted, validationActions: [Deny]}
`

func clientFor(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// TestMissingRule: a manager that has the token of its service account learns
// which rule its role lacks, and policies see the same permissions.
func TestMissingRule(t *testing.T) {
	t.Parallel()
	config := apiserver.Start(t, apiserver.Options{RBAC: true})
	apiserver.Install(t, config, write(t, manager))
	admin := clientFor(t, config)
	issued, err := admin.CoreV1().ServiceAccounts("system").CreateToken(t.Context(), "manager", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	asManager := rest.AnonymousClientConfig(config)
	asManager.BearerToken = issued.Status.Token
	client := clientFor(t, asManager)
	_, err = client.CoreV1().Secrets("system").Get(t.Context(), "a", metav1.GetOptions{})
	if want := `secrets "a" is forbidden: User "system:serviceaccount:system:manager" cannot get resource "secrets" in API group "" in the namespace "system"`; testtable.Text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	create := func(client kubernetes.Interface, name, label string) error {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{label: ""}}}
		_, err := client.CoreV1().ConfigMaps("system").Create(t.Context(), object, metav1.CreateOptions{})
		return err
	}
	if err := create(client, "a", "other"); err != nil {
		t.Error(err)
	}
	if err := create(admin, "b", "marked"); err != nil {
		t.Error(err)
	}
	err = create(client, "c", "marked")
	if want := `configmaps "c" is forbidden: ValidatingAdmissionPolicy 'trusted' with binding 'trusted' denied request: only who may list nodes`; testtable.Text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
