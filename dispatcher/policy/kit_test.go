package policy_test

import (
	"context"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/policy"
)

// fixed is a source of one set.
type fixed struct{ *policy.Set }

func (f fixed) Current(context.Context) (*policy.Set, error) { return f.Set, nil }

// shop is the only namespace.
var shop = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
	Name: "shop", Labels: map[string]string{"team": "sellers"},
}}

func namespace(_ context.Context, name string) (*corev1.Namespace, error) {
	if name == shop.Name {
		return shop, nil
	}
	return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
}

// newEvaluator returns an evaluator of policies. change changes its Config.
func newEvaluator(
	t *testing.T, change func(*policy.Config), objects ...runtime.Object,
) *policy.Evaluator {
	t.Helper()
	set, err := policy.NewSet(nil, objects...)
	if err != nil {
		t.Fatal(err)
	}
	types := applyconfigurations.NewTypeConverter(scheme.Scheme)
	config := policy.Config{
		Source: fixed{set}, Namespaces: policy.NamespacesFunc(namespace), Authorizer: allowAll(),
		Types: func(context.Context, schema.GroupVersionKind) managedfields.TypeConverter { return types },
	}
	if change != nil {
		change(&config)
	}
	e, err := policy.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func allowAll() authorizer.UnconditionalAuthorizer {
	return authorizerfactory.NewAlwaysAllowAuthorizer()
}

// records keeps records.
type records []*admission.PolicyRecord

func (r *records) RecordPolicy(_ context.Context, p *admission.PolicyRecord) { *r = append(*r, p) }

// creates are the attributes of a request that creates an object.
func creates(o runtime.Object, kind schema.GroupVersionKind, resource string) apiadmission.Attributes {
	return apiadmission.NewAttributesRecord(o, nil, kind, shop.Name, "web", kind.GroupVersion().WithResource(resource),
		"", apiadmission.Create, &metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "jane"})
}

// pod is a pod that is created.
func pod() apiadmission.Attributes {
	return creates(&corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: shop.Name, Labels: map[string]string{"app": "web"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
	}, corev1.SchemeGroupVersion.WithKind("Pod"), "pods")
}

func objects() apiadmission.ObjectInterfaces {
	return apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
}

// matching returns matchConstraints for resources, with defaults.
func matching(resources ...string) *registrationv1.MatchResources {
	return &registrationv1.MatchResources{
		NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
		MatchPolicy: new(registrationv1.Equivalent),
		ResourceRules: []registrationv1.NamedRuleWithOperations{{RuleWithOperations: registrationv1.RuleWithOperations{
			Operations: []registrationv1.OperationType{"*"},
			Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"v1"}, Resources: resources},
		}}},
	}
}

// validating returns a policy with an expression, and its binding.
func validating(name string, change func(*registrationv1.ValidatingAdmissionPolicy)) []runtime.Object {
	p := &registrationv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: registrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: matching("pods"),
			Validations:      []registrationv1.Validation{{Expression: "object.metadata.name != 'web'"}},
		},
	}
	if change != nil {
		change(p)
	}
	return []runtime.Object{p, &registrationv1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name + "-binding"},
		Spec: registrationv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: name,
			ValidationActions: []registrationv1.ValidationAction{registrationv1.Deny}},
	}}
}

// mutating returns a policy that applies JSON patches, and its binding.
func mutating(
	name string, constraints *registrationv1.MatchResources, patches ...string,
) []runtime.Object {
	p := &registrationv1.MutatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: registrationv1.MutatingAdmissionPolicySpec{
			MatchConstraints: constraints, ReinvocationPolicy: registrationv1.NeverReinvocationPolicy,
		},
	}
	for _, expression := range patches {
		p.Spec.Mutations = append(p.Spec.Mutations, registrationv1.Mutation{
			PatchType: registrationv1.PatchTypeJSONPatch,
			JSONPatch: &registrationv1.JSONPatch{Expression: expression},
		})
	}
	return []runtime.Object{p, &registrationv1.MutatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name + "-binding"},
		Spec:       registrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name},
	}}
}

// labelling returns a patch that adds a label.
func labelling(label, value string) string {
	return "[JSONPatch{op: 'add', path: '/metadata/labels/" + label + "', value: " + value + "}]"
}
