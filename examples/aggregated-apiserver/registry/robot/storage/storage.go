package storage

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
	"example.com/gatehouse/examples/aggregated-apiserver/registry/robot"
)

// REST serves robots.
type REST struct{ *genericregistry.Store }

var (
	_ rest.StandardStorage      = REST{}
	_ rest.ShortNamesProvider   = REST{}
	_ rest.CategoriesProvider   = REST{}
	_ rest.SingularNameProvider = REST{}
)

// ShortNames makes kubectl accept rb.
func (REST) ShortNames() []string { return []string{"rb"} }

// Categories makes kubectl get all include robots.
func (REST) Categories() []string { return []string{"all"} }

// New returns the resource and its subresources, keyed by the names under which
// each version of the group serves them. The options name the etcd. The server
// that installs the storage owns it.
func New(scheme *runtime.Scheme,
	options generic.RESTOptionsGetter) (map[string]rest.Storage, error) {
	strategy := robot.NewStrategy(scheme)
	store := &genericregistry.Store{
		NewFunc:                   func() runtime.Object { return &toys.Robot{} },
		NewListFunc:               func() runtime.Object { return &toys.RobotList{} },
		DefaultQualifiedResource:  toys.Resource("robots"),
		SingularQualifiedResource: toys.Resource("robot"),

		CreateStrategy:      strategy,
		UpdateStrategy:      strategy,
		DeleteStrategy:      strategy,
		ResetFieldsStrategy: strategy,

		TableConvertor: rest.NewDefaultTableConvertor(toys.Resource("robots")),
	}
	if err := store.CompleteWithOptions(&generic.StoreOptions{RESTOptions: options}); err != nil {
		return nil, fmt.Errorf("opening the store of robots: %w", err)
	}
	return map[string]rest.Storage{
		"robots":        REST{store},
		"robots/status": newStatus(store, robot.StatusStrategy{Strategy: strategy}),
		"robots/scale":  scaleREST{store},
	}, nil
}
