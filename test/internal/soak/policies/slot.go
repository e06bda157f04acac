package policies

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	registration "example.com/gatehouse/admission/registration/policy"
	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/test/internal/soak/cluster"
)

// sorts are the sorts of policies; see the package comment.
var sorts = []string{"denies", "labels", "cost", "ignored", "noParam", "noKind", "panics"}

// slot is where a policy is, in all its versions.
type slot struct {
	number int
	sort   string
	// written is the version that was written last; in force is at least
	// delivered.
	written, delivered atomic.Int64
}

func (s *slot) mutates() bool { return s.sort == "labels" }

func (s *slot) name() string { return fmt.Sprintf("p%d", s.number) }

// versionLabel is the label of a policy with its version.
const versionLabel = "version"

// policy returns the policy in a version.
func (s *slot) policy(version int64) cluster.Object {
	meta := metav1.ObjectMeta{
		Name: s.name(), Labels: map[string]string{versionLabel: fmt.Sprint(version)},
	}
	matches := &registrationv1.MatchResources{
		ObjectSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"slot": s.name()}},
		ResourceRules: []registrationv1.NamedRuleWithOperations{{
			RuleWithOperations: registrationv1.RuleWithOperations{
				Operations: []registrationv1.OperationType{registrationv1.Create},
				Rule: registrationv1.Rule{
					APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"},
				},
			},
		}},
	}
	var o registration.Object
	if s.mutates() {
		o = &registrationv1.MutatingAdmissionPolicy{
			ObjectMeta: meta,
			Spec: registrationv1.MutatingAdmissionPolicySpec{
				MatchConstraints:   matches,
				ReinvocationPolicy: registrationv1.NeverReinvocationPolicy,
				Mutations: []registrationv1.Mutation{{
					PatchType: registrationv1.PatchTypeJSONPatch,
					JSONPatch: &registrationv1.JSONPatch{Expression: fmt.Sprintf(
						`[JSONPatch{op: "add", path: "/metadata/labels/version", value: "%d"}]`, version)},
				}},
			},
		}
	} else {
		o = s.validating(meta, matches, version)
	}
	registration.Default(o)
	return o
}

func (s *slot) validating(
	meta metav1.ObjectMeta, matches *registrationv1.MatchResources, version int64,
) *registrationv1.ValidatingAdmissionPolicy {
	p := &registrationv1.ValidatingAdmissionPolicy{
		ObjectMeta: meta,
		Spec: registrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: matches,
			Validations:      []registrationv1.Validation{{Expression: "false", Message: fmt.Sprint("v", version)}},
		},
	}
	check := &p.Spec.Validations[0].Expression
	switch s.sort {
	case "cost":
		const list = "[0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9]"
		*check = strings.NewReplacer("L", list).Replace(
			"L.all(a, L.all(b, L.all(c, L.all(d, L.all(e, L.all(f, a+b+c+d+e+f >= 0))))))")
	case "ignored":
		*check = "object.metadata.labels.missing == ''"
		p.Spec.FailurePolicy = new(registrationv1.Ignore)
	case "noParam", "noKind", "panics":
		p.Spec.ParamKind = &registrationv1.ParamKind{APIVersion: "example.com/v1", Kind: s.sort}
	}
	return p
}

// binding returns the policy's only binding.
func (s *slot) binding() cluster.Object {
	meta := metav1.ObjectMeta{Name: s.name()}
	if s.mutates() {
		b := &registrationv1.MutatingAdmissionPolicyBinding{ObjectMeta: meta}
		b.Spec.PolicyName = s.name()
		registration.Default(b)
		return b
	}
	b := &registrationv1.ValidatingAdmissionPolicyBinding{ObjectMeta: meta}
	b.Spec.PolicyName = s.name()
	b.Spec.ValidationActions = []registrationv1.ValidationAction{registrationv1.Deny}
	if s.sort == "noParam" || s.sort == "noKind" || s.sort == "panics" {
		b.Spec.ParamRef = &registrationv1.ParamRef{
			Name: "one", ParameterNotFoundAction: new(registrationv1.DenyAction),
		}
	}
	registration.Default(b)
	return b
}

// params are params that cannot be used.
type params struct{}

// Params implements policy.Params.
func (params) Params(_ context.Context, k schema.GroupVersionKind) (policy.ParamStore, error) {
	if k.Kind == "noKind" {
		return nil, errors.New("there is no such kind")
	}
	return store{panics: k.Kind == "panics"}, nil
}

type store struct{ panics bool }

// Namespaced implements policy.ParamStore.
func (store) Namespaced() bool { return false }

// Get implements policy.ParamStore.
func (s store) Get(context.Context, string, string) (runtime.Object, error) {
	if s.panics {
		panic("the informer of the params panics")
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{}, "one")
}

// List implements policy.ParamStore.
func (store) List(context.Context, string, labels.Selector) ([]runtime.Object, error) {
	return nil, nil
}
