package churn

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	corelisters "k8s.io/client-go/listers/core/v1"

	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/test/internal/soak/model"
)

// newPolicies returns policies that do not change during a run, which is what
// mode policies is for. They are part of the chain, and start second rounds.
func newPolicies(lister corelisters.NamespaceLister) (*policy.Evaluator, error) {
	set, err := policy.NewSet(nil, model.Policies()...)
	if err != nil {
		return nil, err
	}
	return policy.New(policy.Config{
		Source: fixedPolicies{set},
		Namespaces: policy.NamespacesFunc(
			func(_ context.Context, name string) (*corev1.Namespace, error) { return lister.Get(name) }),
		Authorizer: authorizer.AuthorizerFunc(
			func(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
				return authorizer.DecisionAllow, "", nil
			}),
		Types: func(context.Context, schema.GroupVersionKind) managedfields.TypeConverter {
			return managedfields.NewDeducedTypeConverter()
		},
	})
}

type fixedPolicies struct{ set *policy.Set }

// Current implements policy.Source.
func (p fixedPolicies) Current(context.Context) (*policy.Set, error) { return p.set, nil }

// absent is an API server that has no namespaces but those of the informer.
type absent struct{}

// Get implements source.NamespaceGetter.
func (absent) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
}
