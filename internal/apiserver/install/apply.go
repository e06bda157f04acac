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

// fieldManager is the manager of the applied fields.
const fieldManager = "gatehouse"

// applyTimeout bounds how long Apply waits for one object.
const applyTimeout = 30 * time.Second

// pollInterval is the time between two requests for the status of a
// CustomResourceDefinition.
const pollInterval = 5 * time.Millisecond

// Options change what Apply does.
type Options struct {
	// Notice makes Apply create missing namespaces, and receives a line about
	// each. If it is nil, a missing namespace is an error.
	Notice func(string)
	// SkipUnserved makes Apply skip the objects of kinds or versions that the
	// server does not serve, and list them in one notice at the end. Without it,
	// they are an *UnservedError.
	SkipUnserved bool
}

// Apply applies the objects through the API. The namespace of namespaced
// objects defaults to "default". If the server does not serve the kind of an
// object in its version, Apply returns an *UnservedError before it applies
// anything. If there are no other objects, this is an error even with
// SkipUnserved.
func (s *Set) Apply(ctx context.Context, config *rest.Config, options Options) error {
	a, err := newApplier(config)
	if err != nil {
		return err
	}
	objects, unserved := a.served(s.objects)
	if unserved != nil && (!options.SkipUnserved || len(objects) == 0) {
		return unserved
	}
	if options.Notice != nil {
		if err := a.createNamespaces(ctx, objects, options.Notice); err != nil {
			return err
		}
	}
	for _, o := range objects {
		if err := o.document.Wrap("", a.apply(ctx, o)); err != nil {
			return err
		}
	}
	if unserved != nil && options.Notice != nil {
		options.Notice("skipped, because the server does not serve them: " + unserved.list())
	}
	return nil
}

// applier applies objects of any kind.
type applier struct {
	discovery discovery.DiscoveryInterface
	objects   dynamic.Interface
	mapper    *restmapper.DeferredDiscoveryRESTMapper
}

func newApplier(config *rest.Config) (*applier, error) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("creating a client: %w", err)
	}
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("creating a client: %w", err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	return &applier{client, objects, mapper}, nil
}

// apply applies an object and waits until it is in effect.
func (a *applier) apply(ctx context.Context, o object) error {
	timeout := fmt.Errorf("it was not in effect after %s", applyTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, applyTimeout, timeout)
	defer cancel()
	resource, err := a.resource(o)
	if err != nil {
		return err
	}
	body, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("encoding it: %w", err)
	}
	options := metav1.PatchOptions{
		FieldManager: fieldManager, Force: new(true), FieldValidation: metav1.FieldValidationStrict,
	}
	applied, err := resource.Patch(ctx, o.GetName(), types.ApplyPatchType, body, options)
	if err != nil {
		return err
	}
	switch kind := o.kind(); {
	case kind == definitionKind:
		return a.waitServed(ctx, resource, applied)
	case decides(kind), kind == serviceKind, kind == sliceKind:
		return a.waitInForce(ctx, applied)
	}
	return nil
}

// resource returns the client for an object's kind and namespace. The mapper
// repeats discovery if it does not know the kind, because the definition may
// have been applied since.
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

// waitInForce returns when the server calls webhooks and evaluates policies as an
// object says.
func (a *applier) waitInForce(ctx context.Context, o *unstructured.Unstructured) error {
	plural, _ := meta.UnsafeGuessKindToResource(o.GroupVersionKind())
	return a.discovery.RESTClient().Get().
		AbsPath(inforce.Path+plural.Resource, o.GetNamespace(), o.GetName()).
		Param("resourceVersion", o.GetResourceVersion()).
		Do(ctx).Error()
}
