package policies

import (
	"cmp"
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/internal/offline/kinds"
)

// Inputs are what policies read.
type Inputs struct {
	// Policies are the policies and bindings, from Parse.
	Policies []runtime.Object
	// Params are the objects that policies may read, with apiVersion and kind.
	Params []runtime.Object
	// Kinds has the kinds of params, and Types the schemas of what is mutated.
	Kinds *kinds.Registry
	Types func(schema.GroupVersionKind) managedfields.TypeConverter
	// Namespaces are the namespaces. An API server's label with the name is added.
	// AnyNamespace makes all other namespaces exist, too, without other labels.
	Namespaces   []*corev1.Namespace
	AnyNamespace bool
	// Lookup replaces Namespaces and AnyNamespace; optional.
	Lookup     policy.Namespaces
	Authorizer authorizer.UnconditionalAuthorizer
	// Exact is policy.Config.Exact.
	Exact bool
}

// Evaluator is an evaluator whose policies can be put into another order.
type Evaluator struct {
	*policy.Evaluator
	config policy.Config
	set    *policy.Set
}

// New returns an evaluator. The error is for params that are not valid objects.
func New(in *Inputs) (*Evaluator, error) {
	params, err := newParams(in.Kinds, in.Params)
	if err != nil {
		return nil, err
	}
	set, err := policy.NewSet(params, in.Policies...)
	if err != nil {
		return nil, err
	}
	config := policy.Config{
		Source: fixed{set}, Namespaces: in.namespaces(), Authorizer: in.Authorizer,
		Types: func(_ context.Context, kind schema.GroupVersionKind) managedfields.TypeConverter {
			return in.Types(kind)
		},
		Exact: in.Exact,
	}
	evaluator, err := policy.New(config)
	if err != nil {
		return nil, err
	}
	return &Evaluator{evaluator, config, set}, nil
}

// Ordered returns an evaluator that evaluates the policies of names first, in this
// order, and then the others by name.
func (e *Evaluator) Ordered(names []string) (*policy.Evaluator, error) {
	rank := func(name string) int {
		if i := slices.Index(names, name); i >= 0 {
			return i
		}
		return len(names)
	}
	config := e.config
	config.Source = fixed{e.set.Ordered(func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})}
	return policy.New(config)
}

// fixed is a source that never changes.
type fixed struct{ set *policy.Set }

// Current implements policy.Source.
func (f fixed) Current(context.Context) (*policy.Set, error) { return f.set, nil }

func (in *Inputs) namespaces() policy.Namespaces {
	if in.Lookup != nil {
		return in.Lookup
	}
	named := map[string]*corev1.Namespace{}
	for _, ns := range in.Namespaces {
		named[ns.Name] = Labelled(ns)
	}
	return policy.NamespacesFunc(func(_ context.Context, name string) (*corev1.Namespace, error) {
		if ns := named[name]; ns != nil {
			return ns, nil
		}
		if in.AnyNamespace {
			return Labelled(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}), nil
		}
		return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
	})
}

// Labelled returns a copy of a namespace with the label that an API server adds.
func Labelled(ns *corev1.Namespace) *corev1.Namespace {
	ns = ns.DeepCopy()
	if ns.Labels == nil {
		ns.Labels = map[string]string{}
	}
	ns.Labels[corev1.LabelMetadataName] = ns.Name
	return ns
}
