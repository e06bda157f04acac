package apiserver_test

import (
	"fmt"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/apiserver"
)

// policies are a policy of each kind, with the param %d of a kind of their own.
const policies = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Limit, plural: limits}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
{apiVersion: example.com/v1, kind: Limit, metadata: {name: most-%[1]d}, keys: %[1]d}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few-keys}
spec:
  paramKind: {apiVersion: example.com/v1, kind: Limit}
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations:
  - {expression: size(object.data) <= params.keys, messageExpression: "'at most ' + string(params.keys) + ' keys'"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few-keys}
spec: {policyName: few-keys, validationActions: [Deny], paramRef: {name: most-%[1]d, parameterNotFoundAction: Deny}}
---
apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicy
metadata: {name: label}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: ["", example.com], apiVersions: [v1], operations: [CREATE], resources: [configmaps, limits]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: Object.metadata.labels{most: '%[1]d'}}}"}
---
apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicyBinding
metadata: {name: label}
spec: {policyName: label}
`

// TestPoliciesAreInForce installs policies and their params again and again. The
// next request meets those that were installed last, whether or not its kind has
// been served for long.
func TestPoliciesAreInForce(t *testing.T) {
	t.Parallel()
	config := apiserver.Start(t, apiserver.Options{})
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < 10; n++ {
		apiserver.Install(t, config, write(t, fmt.Sprintf(policies, n)))
		full, fits := configMap(fmt.Sprint("full-", n), n+1), configMap(fmt.Sprint("fits-", n), n)
		_, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), full, metav1.CreateOptions{})
		want := fmt.Sprintf("configmaps \"full-%d\" is forbidden: ValidatingAdmissionPolicy 'few-keys' "+
			"with binding 'few-keys' denied request: at most %[1]d keys", n)
		if got := testtable.Text(err); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
		created, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), fits, metav1.CreateOptions{})
		if err != nil || created.Labels["most"] != fmt.Sprint(n) {
			t.Fatalf("got labels %v, %v", created.Labels, err)
		}
	}
	limits := dynamic.NewForConfigOrDie(config).Resource(schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "limits"})
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Limit", "metadata": map[string]any{"name": "other"}}}
	created, err := limits.Create(t.Context(), o, metav1.CreateOptions{})
	if err != nil || created.GetLabels()["most"] != "9" {
		t.Errorf("custom resource: got labels %v, %v", created.GetLabels(), err)
	}
}

func configMap(name string, keys int) *corev1.ConfigMap {
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{}}
	for k := range keys {
		m.Data[fmt.Sprint(k)] = ""
	}
	return m
}

// TestPoliciesAreValidated is about that the rules are asked at all; package
// registration/policy knows all of them.
func TestPoliciesAreValidated(t *testing.T) {
	t.Parallel()
	config := apiserver.Start(t, apiserver.Options{})
	broken := strings.NewReplacer("size(object.data)", "size(", "%[1]d", "1").Replace(policies)
	said := ended(t, func(tb testing.TB) { apiserver.Install(tb, config, write(t, broken)) })
	if want := "spec.validations[0].expression: Invalid value"; !strings.Contains(said, want) {
		t.Errorf("got %q, want one that contains %q", said, want)
	}
}

// BenchmarkPolicyInForce measures from the response to a client that has written a
// policy until the policy is in force.
func BenchmarkPolicyInForce(b *testing.B) {
	config := apiserver.Start(b, apiserver.Options{})
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		b.Fatal(err)
	}
	policies := client.AdmissionregistrationV1().ValidatingAdmissionPolicies()
	if _, err := policies.Create(b.Context(), limited(), metav1.CreateOptions{}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		p, err := policies.Get(b.Context(), "limited", metav1.GetOptions{})
		if err != nil {
			b.Fatal(err)
		}
		p.Spec.Validations[0].Message = strings.Repeat("x", len(p.Spec.Validations[0].Message)%100+1)
		if p, err = policies.Update(b.Context(), p, metav1.UpdateOptions{}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		err = client.Discovery().RESTClient().Get().AbsPath("/gatehouse/inforce/validatingadmissionpolicies/limited").
			Param("resourceVersion", p.ResourceVersion).Do(b.Context()).Error()
		if err != nil {
			b.Fatal(err)
		}
	}
}

func limited() *registrationv1.ValidatingAdmissionPolicy {
	return &registrationv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: "limited"},
		Spec: registrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &registrationv1.MatchResources{ResourceRules: []registrationv1.NamedRuleWithOperations{{
				RuleWithOperations: registrationv1.RuleWithOperations{
					Operations: []registrationv1.OperationType{registrationv1.Create},
					Rule:       registrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}},
				},
			}}},
			Validations: []registrationv1.Validation{{Expression: "size(object.data) < 9", Message: "x"}},
		},
	}
}
