package policies

import (
	"cmp"
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/internal/offline/kinds"
)

// fixedParams are params that do not change.
type fixedParams struct {
	known *kinds.Registry
	all   map[schema.GroupVersionKind][]param
}

// param is a param with its metadata.
type param struct {
	metav1.Object
	object runtime.Object
}

// newParams returns params. As in an API server, those of kinds that client-go has
// are without apiVersion and kind; see policy.ParamStore.
func newParams(known *kinds.Registry, objects []runtime.Object) (*fixedParams, error) {
	p := &fixedParams{known, map[schema.GroupVersionKind][]param{}}
	for _, o := range objects {
		kind := o.GetObjectKind().GroupVersionKind()
		if clientscheme.Scheme.Recognizes(kind) {
			o = o.DeepCopyObject()
			o.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		}
		m, err := meta.Accessor(o)
		if err != nil {
			return nil, err
		}
		p.all[kind] = append(p.all[kind], param{m, o})
	}
	for _, all := range p.all {
		slices.SortFunc(all, func(a, b param) int {
			return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()),
				cmp.Compare(a.GetName(), b.GetName()))
		})
	}
	return p, nil
}

// Params implements policy.Params.
func (p *fixedParams) Params(
	_ context.Context, kind schema.GroupVersionKind,
) (policy.ParamStore, error) {
	at, err := p.known.Lookup(kind)
	if err != nil {
		return nil, err
	}
	return &paramStore{at, p.all[kind]}, nil
}

// paramStore has the params of a kind, by namespace and name.
type paramStore struct {
	at  kinds.Resource
	all []param
}

// Namespaced implements policy.ParamStore.
func (s *paramStore) Namespaced() bool { return s.at.Namespaced }

// Get implements policy.ParamStore.
func (s *paramStore) Get(
	_ context.Context, namespace, name string,
) (runtime.Object, error) {
	for _, p := range s.all {
		if p.GetNamespace() == namespace && p.GetName() == name {
			return p.object, nil
		}
	}
	return nil, apierrors.NewNotFound(s.at.GroupResource(), name)
}

// List implements policy.ParamStore.
func (s *paramStore) List(
	_ context.Context, namespace string, selector labels.Selector,
) (found []runtime.Object, err error) {
	for _, p := range s.all {
		if p.GetNamespace() == namespace && selector.Matches(labels.Set(p.GetLabels())) {
			found = append(found, p.object)
		}
	}
	return found, nil
}
