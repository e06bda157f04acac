package garbagecollector

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/util/flowcontrol"

	"example.com/gatehouse/internal/apiserver/controller"
)

// objects reads and changes the metadata of objects through the API.
type objects struct {
	clients controller.Clients
	mapper  meta.ResettableRESTMapper
	// resets limits how often the resources are discovered again: every retry of an object
	// whose owner has an unknown kind asks for it.
	resets flowcontrol.PassiveRateLimiter
}

func newObjects(clients controller.Clients) objects {
	cached := memory.NewMemCacheClient(clients.Typed.Discovery())
	return objects{
		clients, restmapper.NewDeferredDiscoveryRESTMapper(cached),
		flowcontrol.NewTokenBucketPassiveRateLimiter(1, 1),
	}
}

// of returns the client for an object in the graph.
func (o objects) of(n *node) (metadata.ResourceInterface, error) {
	resource, err := o.mapper.ResourceFor(n.resource.WithVersion(""))
	if err != nil {
		return nil, o.outdated(err)
	}
	return o.clients.Objects.Resource(resource).Namespace(n.namespace), nil
}

// get returns the state of an object, and nil if it does not exist: its name
// may be that of another object.
func (o objects) get(
	ctx context.Context, client metadata.ResourceInterface, name string, uid types.UID,
) (*metav1.PartialObjectMetadata, error) {
	found, err := client.Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse):
		// The version is not served any more, but the object may exist.
		return nil, o.outdated(err)
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	case found.UID != uid:
		return nil, nil
	}
	return found, nil
}

// outdated makes the next request discover the resources again, at most once a second. The
// caller must retry.
func (o objects) outdated(err error) error {
	if o.resets.TryAccept() {
		o.mapper.Reset()
	}
	return err
}

// errClusterScoped is the error of an object without a namespace that has an owner
// in one. A retry would not help.
var errClusterScoped = fmt.Errorf("the owner of a cluster-scoped object is namespaced")

// owner returns the state of an owner of n, and nil if it does not exist. An
// owner in another namespace does not count.
func (o objects) owner(
	ctx context.Context, n *node, reference metav1.OwnerReference,
) (*metav1.PartialObjectMetadata, error) {
	version, err := schema.ParseGroupVersion(reference.APIVersion)
	if err != nil {
		return nil, err
	}
	kind := schema.GroupKind{Group: version.Group, Kind: reference.Kind}
	mapping, err := o.mapper.RESTMapping(kind, version.Version)
	if err != nil {
		return nil, o.outdated(err)
	}
	var client metadata.ResourceInterface = o.clients.Objects.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		if n.namespace == "" {
			return nil, errClusterScoped
		}
		client = o.clients.Objects.Resource(mapping.Resource).Namespace(n.namespace)
	}
	return o.get(ctx, client, reference.Name, reference.UID)
}

// patch replaces a field of the metadata of an object, unless the object has
// changed since. It returns the new state, and nil if the object is gone.
func patch(
	ctx context.Context, client metadata.ResourceInterface, latest *metav1.PartialObjectMetadata,
	field string, value any,
) (*metav1.PartialObjectMetadata, error) {
	text, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": latest.UID, "resourceVersion": latest.ResourceVersion, field: value,
	}})
	if err != nil {
		return nil, err
	}
	patched, err := client.Patch(
		ctx, latest.Name, types.MergePatchType, text, metav1.PatchOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return patched, err
}

// removeFinalizer removes a finalizer from an object.
func removeFinalizer(
	ctx context.Context, client metadata.ResourceInterface, latest *metav1.PartialObjectMetadata,
	finalizer string,
) error {
	rest := slices.DeleteFunc(slices.Clone(latest.Finalizers),
		func(f string) bool { return f == finalizer })
	_, err := patch(ctx, client, latest, "finalizers", rest)
	return err
}

// removeOwners removes the references to some owners from an object.
func removeOwners(
	ctx context.Context, client metadata.ResourceInterface, latest *metav1.PartialObjectMetadata,
	owners ...types.UID,
) error {
	rest := slices.DeleteFunc(slices.Clone(latest.OwnerReferences),
		func(r metav1.OwnerReference) bool { return slices.Contains(owners, r.UID) })
	if len(rest) == len(latest.OwnerReferences) {
		return nil
	}
	_, err := patch(ctx, client, latest, "ownerReferences", rest)
	return err
}
