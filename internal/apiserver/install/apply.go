package install

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"example.com/gatehouse/internal/apiserver/inforce"
)

// manager owns the fields that are applied.
const manager = "gatehouse"

// patience is how long a server may take until what it has accepted counts. It is
// there so that a server that is broken is noticed.
const patience = 30 * time.Second

// pause is the time between two questions for what a server does not announce.
const pause = 5 * time.Millisecond

// Apply applies the objects through the API, with the rights of config. An object
// without a namespace goes to "default" if it needs one.
func (s *Set) Apply(ctx context.Context, config *rest.Config) error {
	a, err := newApplier(config)
	if err != nil {
		return err
	}
	for _, o := range s.objects {
		if err := a.apply(ctx, o); err != nil {
			return o.document.Wrap("", err)
		}
	}
	return nil
}

// applier has the clients that it takes to apply objects of any kind.
type applier struct {
	discovery discovery.DiscoveryInterface
	objects   dynamic.Interface
	mapper    *restmapper.DeferredDiscoveryRESTMapper
}

func newApplier(config *rest.Config) (*applier, error) {
	found, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return &applier{found, objects, restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(found))}, nil
}

// apply applies an object and waits until it counts.
func (a *applier) apply(ctx context.Context, o object) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("it does not count %s after it was accepted", patience))
	defer cancel()
	resource, err := a.resource(o)
	if err != nil {
		return err
	}
	body, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("encoding it: %w", err)
	}
	options := metav1.PatchOptions{FieldManager: manager, Force: new(true), FieldValidation: metav1.FieldValidationStrict}
	applied, err := resource.Patch(ctx, o.GetName(), types.ApplyPatchType, body, options)
	if err != nil {
		return err
	}
	switch o.kind() {
	case definitionKind:
		return a.awaitServed(ctx, resource, applied)
	case mutatingKind, validatingKind, serviceKind, sliceKind:
		return a.awaitForce(ctx, applied)
	}
	return nil
}

// resource returns the client for an object's kind and namespace. A kind that is not
// known is looked for anew each time: the definition may be among the objects.
func (a *applier) resource(o object) (dynamic.ResourceInterface, error) {
	kind := o.GroupVersionKind()
	mapping, err := a.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	client := a.objects.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return client, nil
	}
	namespace := o.GetNamespace()
	if namespace == "" {
		namespace = metav1.NamespaceDefault
		o.SetNamespace(namespace)
	}
	return client.Namespace(namespace), nil
}

// awaitForce returns when the server calls webhooks as an object says.
func (a *applier) awaitForce(ctx context.Context, o *unstructured.Unstructured) error {
	plural, _ := meta.UnsafeGuessKindToResource(o.GroupVersionKind())
	return a.discovery.RESTClient().Get().
		AbsPath(inforce.Path+plural.Resource, o.GetNamespace(), o.GetName()).
		Param("resourceVersion", o.GetResourceVersion()).
		Do(ctx).Error()
}
