package registry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/healthz"

	"example.com/gatehouse/internal/apiserver/printers"
	"example.com/gatehouse/internal/apiserver/scheme"
	"example.com/gatehouse/internal/offline/kinds"
)

// Install installs all Resources and creates their initial objects and those in
// published. With warnNoPods, the server warns the client that creates the
// first object of each kind of workload, such as Deployment, that no pods will
// appear. Install connects access to the storage. The server is not ready
// before the caches of the Resources are ready. If Install fails, it closes the
// storage; the server may close installed storage once more, without effect. The
// end of ctx does not interrupt Install.
func Install(
	ctx context.Context, server *genericapiserver.GenericAPIServer, s scheme.Schemes,
	options generic.RESTOptionsGetter, published []runtime.Object, warnNoPods bool,
	access Access,
) error {
	if err := addFieldLabels(s); err != nil {
		return err
	}
	groups, err := newAPIGroups(s, options, warnNoPods)
	if err != nil {
		return err
	}
	access.attach(ctx, groups)
	if err := installGroups(server, groups); err != nil {
		destroy(groups)
		return fmt.Errorf("installing the API groups: %w", err)
	}
	for _, group := range groups {
		if err := server.AddReadyzChecks(storageReadyz(group)); err != nil {
			return err
		}
	}
	stored := storageOf(groups, "", "v1", "namespaces").(namespaceREST)
	if err := stored.controller.Attach(server); err != nil {
		return fmt.Errorf("starting the controller of namespaces: %w", err)
	}
	if err := access.createDefaultAccounts(ctx, groups); err != nil {
		return err
	}
	return createInitialObjects(ctx, groups, s, published)
}

// storageOf returns the storage of a resource in groups.
func storageOf(
	groups []*genericapiserver.APIGroupInfo, group, version, plural string,
) rest.Storage {
	i := groupIndex(groups, group)
	return groups[i].VersionedResourcesStorageMap[version][plural]
}

// groupIndex returns the index of a group, and -1 if it is not in groups.
func groupIndex(groups []*genericapiserver.APIGroupInfo, group string) int {
	return slices.IndexFunc(groups, func(info *genericapiserver.APIGroupInfo) bool {
		return info.PrioritizedVersions[0].Group == group
	})
}

// storageReadyz checks that the watch caches of a group are initialized. Before
// that, requests would fail with 429.
func storageReadyz(group *genericapiserver.APIGroupInfo) healthz.HealthChecker {
	version := group.PrioritizedVersions[0]
	return healthz.NamedCheck("storage/"+version.String(), func(*http.Request) error {
		for path, s := range group.VersionedResourcesStorageMap[version.Version] {
			cached, ok := s.(rest.StorageWithReadiness)
			if !ok {
				continue
			}
			if err := cached.ReadinessCheck(); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		return nil
	})
}

// newAPIGroups opens the storage of all Resources.
func newAPIGroups(
	s scheme.Schemes, options generic.RESTOptionsGetter, warnNoPods bool,
) ([]*genericapiserver.APIGroupInfo, error) {
	var groups []*genericapiserver.APIGroupInfo
	known, tables := kinds.New(), printers.Convertors()
	for _, r := range Resources() {
		if warnNoPods && r.workload {
			r.noPods = &sync.Once{}
		}
		store, err := newResourceREST(r, s, known, tables(r.groupResource()), options)
		if err != nil {
			destroy(groups)
			return nil, err
		}
		storages := storagesOf(r, store)
		for _, version := range r.Versions() {
			groups = addToGroup(groups, version.Group, version.Version, s, storages)
		}
	}
	return groups, nil
}

// storagesOf returns the storage of a resource and its subresources, by path.
func storagesOf(r Resource, store resourceREST) map[string]rest.Storage {
	storages := map[string]rest.Storage{r.Plural: store}
	if r.wrapStorage != nil {
		storages[r.Plural] = r.wrapStorage(store)
	}
	if hasStatus(store.New()) {
		storages[r.Plural+"/status"] = newStatusREST(store)
	}
	for path, newREST := range r.subresources {
		storages[path] = newREST(store)
	}
	return storages
}

// addToGroup adds storages to a version of a group, which it creates if it is
// not in groups.
func addToGroup(
	groups []*genericapiserver.APIGroupInfo, group, version string,
	s scheme.Schemes, storages map[string]rest.Storage,
) []*genericapiserver.APIGroupInfo {
	i := groupIndex(groups, group)
	if i < 0 {
		codec := runtime.NewParameterCodec(s.Scheme)
		created := genericapiserver.NewDefaultAPIGroupInfo(group, s.Scheme, codec, s.Codecs)
		i, groups = len(groups), append(groups, &created)
	}
	info := groups[i]
	if info.VersionedResourcesStorageMap[version] == nil {
		info.VersionedResourcesStorageMap[version] = map[string]rest.Storage{}
	}
	maps.Copy(info.VersionedResourcesStorageMap[version], storages)
	return groups
}

// installGroups installs all named groups at once: the schemas for server-side
// apply, of which groups share many, are made once per call.
func installGroups(
	server *genericapiserver.GenericAPIServer, groups []*genericapiserver.APIGroupInfo,
) error {
	core := groupIndex(groups, "")
	named := slices.Delete(slices.Clone(groups), core, core+1)
	return errors.Join(
		server.InstallLegacyAPIGroup(genericapiserver.DefaultLegacyAPIPrefix, groups[core]),
		server.InstallAPIGroups(named...))
}

func destroy(groups []*genericapiserver.APIGroupInfo) {
	for _, group := range groups {
		for _, storages := range group.VersionedResourcesStorageMap {
			for _, s := range storages {
				s.Destroy()
			}
		}
	}
}
