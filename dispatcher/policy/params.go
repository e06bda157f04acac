package policy

import (
	"context"
	"errors"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Params finds the params of policies.
type Params interface {
	// Params returns the params of a kind, or an error if there is no such
	// kind. An Evaluator calls it for each request to which a policy with
	// params applies, from many goroutines. It returns when ctx ends.
	Params(ctx context.Context, kind schema.GroupVersionKind) (ParamStore, error)
}

// ParamStore contains the params of a kind. They are read-only. Params of
// built-in kinds are typed and have no apiVersion and kind, as in client-go's
// informers; others are unstructured. A ParamStore is safe for concurrent use.
type ParamStore interface {
	// Namespaced reports whether the params are in namespaces. Otherwise the
	// namespace is always empty.
	Namespaced() bool
	// Get returns a param, or apimachinery's NotFound. It returns when ctx ends.
	Get(ctx context.Context, namespace, name string) (runtime.Object, error)
	// List returns the params that a selector selects. The Evaluator uses their
	// order. It returns when ctx ends.
	List(ctx context.Context, namespace string, selector labels.Selector) ([]runtime.Object, error)
}

// paramsFrom returns the params of a binding: its policy is evaluated once with each.
// If the policy has no paramKind or the binding no paramRef, the only param is nil.
// If the binding selects no params and does not deny that, the list is empty, and
// the policy is not evaluated.
func (b *binding) paramsFrom(
	ctx context.Context, store ParamStore, namespace string,
) ([]runtime.Object, error) {
	ref := b.paramRef
	if store == nil || ref == nil {
		return []runtime.Object{nil}, nil
	}
	if store.Namespaced() {
		switch {
		case ref.Namespace != "":
			namespace = ref.Namespace
		case namespace == "":
			return nil, errors.New("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources")
		}
	} else if namespace = ""; ref.Namespace != "" {
		return nil, errors.New("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
	}
	found, err := find(ctx, store, ref, namespace)
	if err != nil {
		return nil, err
	}
	denies := ref.ParameterNotFoundAction != nil &&
		*ref.ParameterNotFoundAction == registrationv1.DenyAction
	if len(found) == 0 && denies {
		return nil, errors.New("no params found for policy binding with `Deny` parameterNotFoundAction")
	}
	return found, nil
}

// find returns the params that a paramRef names or selects.
func find(
	ctx context.Context, store ParamStore, ref *registrationv1.ParamRef, namespace string,
) ([]runtime.Object, error) {
	switch {
	case ref.Name != "" && ref.Selector != nil:
		return nil, errors.New("paramRef.name and paramRef.selector are mutually exclusive")
	case ref.Name != "":
		param, err := store.Get(ctx, namespace, ref.Name)
		switch {
		case apierrors.IsNotFound(err):
			return nil, nil
		case err != nil:
			return nil, err
		}
		return []runtime.Object{param}, nil
	case ref.Selector == nil:
		return nil, errors.New("one of name or selector must be provided")
	}
	selector, err := metav1.LabelSelectorAsSelector(ref.Selector)
	if err != nil {
		return nil, err
	}
	return store.List(ctx, namespace, selector)
}
