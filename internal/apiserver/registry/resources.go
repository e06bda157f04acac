package registry

import (
	"context"
	"slices"
	"strings"
	"sync"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authentication/user"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"

	"example.com/gatehouse/internal/apiserver/validation"
)

// Resource describes a built-in resource. The unexported fields define how its
// strategy and storage differ from the default.
type Resource struct {
	// GroupVersionKind is the kind of the objects in the preferred version.
	schema.GroupVersionKind
	// OtherVersions serve the same objects.
	OtherVersions   []schema.GroupVersion
	Plural          string
	ShortNames      []string
	Categories      []string
	NamespaceScoped bool

	// allowCreateOnUpdate lets PUT create objects.
	allowCreateOnUpdate bool
	// requireResourceVersion rejects updates without a resourceVersion.
	requireResourceVersion bool
	// validateName validates metadata.name; nil requires a DNS subdomain.
	validateName apivalidation.ValidateNameFunc
	// validate is called after the validation of metadata.
	validate validation.Func
	// metadataOnly validates only metadata, as for subresources.
	metadataOnly bool
	// validateAll, if it is not nil, replaces all other validation. Its objects
	// are those of a validation.Func.
	validateAll func(_ context.Context, object, old runtime.Object) field.ErrorList
	// warnings returns warnings for an object that a client writes; nil returns
	// none.
	warnings func(runtime.Object) []string
	// workload is set if a controller would create pods for the objects.
	workload bool
	// noPods makes the server warn once that it has no such controller; nil
	// never does. Install sets it.
	noPods *sync.Once
	// setRequester writes the user who creates an object into it; nil writes
	// nothing.
	setRequester func(runtime.Object, user.Info)
	// prepareForCreate changes a new object; nil resets its status.
	prepareForCreate func(runtime.Object)
	// prepareForUpdate changes an object that replaces old. Its status is
	// already that of old.
	prepareForUpdate func(object, old runtime.Object)
	// keepForStatus undoes changes of the status that its subresource does not
	// make; nil undoes none.
	keepForStatus func(object, old runtime.Object)
	// canonicalize changes an object after validation.
	canonicalize func(runtime.Object)
	// bumpsGeneration reports whether an update increases metadata.generation.
	// If it is nil, the generation is always 0.
	bumpsGeneration func(object, old runtime.Object) bool
	// selectableFields are the field selectors besides name and namespace.
	selectableFields func(runtime.Object) fields.Set
	// uncached reads objects from the database, as kube-apiserver does for
	// events. Kinds of which few clients have informers save the memory of a
	// watch cache, and start nothing when the server starts.
	uncached bool
	// storeOptions changes the store before it is completed.
	storeOptions func(*genericregistry.Store)
	// gracePeriod returns the seconds between DELETE and the deletion of an
	// object. asked is the client's grace period, if it set one. If gracePeriod
	// is nil, there is none.
	gracePeriod func(object runtime.Object, asked *int64) int64
	// deletePolicy is the policy for dependents if the client sets none; "" is
	// rest.DeleteDependents.
	deletePolicy rest.GarbageCollectionPolicy
	// wrapStorage returns the storage that is served in place of the store.
	wrapStorage func(resourceREST) rest.Storage
	// initialObjects returns objects that the server creates when it starts,
	// unless they exist; nil is none. The caller owns them.
	initialObjects func() []runtime.Object
	// subresources are served besides "status", by path. Every resource whose
	// Go type has a status has that subresource.
	subresources subresources
}

type subresources = map[string]func(resourceREST) rest.Storage

func (r Resource) groupResource() schema.GroupResource {
	return schema.GroupResource{Group: r.Group, Resource: r.Plural}
}

// SingularName returns the name of one object, such as "pod".
func (r Resource) SingularName() string { return strings.ToLower(r.Kind) }

// Versions returns all versions in which the resource is served.
func (r Resource) Versions() []schema.GroupVersion {
	return append([]schema.GroupVersion{r.GroupVersion()}, r.OtherVersions...)
}

// Resources returns all built-in resources with storage. Discovery lists their
// groups in this order. The group of a resource must be in package scheme, and
// its definitions in package openapi.
func Resources() []Resource {
	return slices.Concat(
		coreResources(), clusterResources(), workloadResources(),
		networkResources(), policyResources(), storageResources(), infrastructureResources(),
		certificateResources(), deviceResources(), flowControlResources(), webhookResources(),
		admissionPolicyResources())
}
