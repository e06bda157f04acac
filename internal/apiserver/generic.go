package apiserver

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/registry/generic"
	apirest "k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/healthz"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

// watchGrace is how long Stop waits for watches. They are told to end, so it is
// the bound for clients that do not read.
const watchGrace = 5 * time.Second

// newConfig returns the configuration of the generic server, but for admission.
func newConfig(t schemes, id identity, listener net.Listener, db generic.RESTOptionsGetter) *genericapiserver.Config {
	config := genericapiserver.NewConfig(t.codecs)
	config.EffectiveVersion = newVersion()
	config.FeatureGate = utilfeature.DefaultFeatureGate
	// The other default check asks klog, by a goroutine that never ends.
	ping := []healthz.HealthChecker{healthz.PingHealthz}
	config.HealthzChecks, config.LivezChecks, config.ReadyzChecks = ping, ping, ping
	config.SecureServing = &genericapiserver.SecureServingInfo{Listener: listener, Cert: id.certificate}
	config.ExternalAddress = listener.Addr().String()
	config.LoopbackClientConfig = id.client(listener.Addr().String(), id.loopback)
	config.Authentication.Authenticator = id.authenticator()
	config.BuildHandlerChainFunc = id.hosts.chain
	config.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	config.RESTOptionsGetter = db
	config.ShutdownWatchTerminationGracePeriod = watchGrace
	describe(config, t)
	return config
}

// install puts the table behind the server, which is not ready before all of it
// is. The stores belong to the server from then on; those of a failed call are
// closed.
func install(server *genericapiserver.GenericAPIServer, t schemes, db generic.RESTOptionsGetter) error {
	all, err := openTable(t, db)
	if err != nil {
		return err
	}
	for i, info := range all {
		if err := installGroup(server, info); err != nil {
			destroy(all[i:])
			return fmt.Errorf("installing %s: %w", info.PrioritizedVersions[0], err)
		}
		if err := server.AddReadyzChecks(storageCheck(info)); err != nil {
			return err
		}
	}
	return startWorkers(server, all)
}

// worker is a storage with something to do while the server runs.
type worker interface {
	// attach is called once, before the server runs.
	attach(*genericapiserver.GenericAPIServer) error
}

func startWorkers(server *genericapiserver.GenericAPIServer, all []*genericapiserver.APIGroupInfo) error {
	for _, info := range all {
		for _, storages := range info.VersionedResourcesStorageMap {
			for path, s := range storages {
				w, ok := s.(worker)
				if !ok {
					continue
				}
				if err := w.attach(server); err != nil {
					return fmt.Errorf("starting the work behind %s: %w", path, err)
				}
			}
		}
	}
	return nil
}

// storageCheck asks whether the caches in front of the database are filled.
// Without, the first requests would be told to come again.
func storageCheck(info *genericapiserver.APIGroupInfo) healthz.HealthChecker {
	group := info.PrioritizedVersions[0]
	return healthz.NamedCheck("storage/"+group.String(), func(*http.Request) error {
		for path, s := range info.VersionedResourcesStorageMap[group.Version] {
			cached, ok := s.(apirest.StorageWithReadiness)
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

// openTable opens the storage of the whole table, as groups in its order.
func openTable(t schemes, db generic.RESTOptionsGetter) ([]*genericapiserver.APIGroupInfo, error) {
	var all []*genericapiserver.APIGroupInfo
	for _, r := range resources() {
		s, err := newStore(r, t, db)
		if err != nil {
			destroy(all)
			return nil, err
		}
		storages := storagesOf(r, s)
		for _, version := range r.versions() {
			var info *genericapiserver.APIGroupInfo
			all, info = groupFor(all, version.Group, t)
			add(info, version.Version, storages)
		}
	}
	return all, nil
}

// storagesOf returns all that clients reach of a resource, by path.
func storagesOf(r resource, s store) map[string]apirest.Storage {
	storages := map[string]apirest.Storage{r.plural: s}
	if r.front != nil {
		storages[r.plural] = r.front(s)
	}
	if hasStatus(s.New()) {
		storages[r.plural+"/status"] = newStatus(s)
	}
	for path, onTop := range r.beside {
		storages[path] = onTop(s)
	}
	return storages
}

// groupFor returns the group of a name, which it adds if it is new.
func groupFor(all []*genericapiserver.APIGroupInfo, group string, t schemes) ([]*genericapiserver.APIGroupInfo, *genericapiserver.APIGroupInfo) {
	for _, info := range all {
		if info.PrioritizedVersions[0].Group == group {
			return all, info
		}
	}
	info := genericapiserver.NewDefaultAPIGroupInfo(group, t.scheme, runtime.NewParameterCodec(t.scheme), t.codecs)
	return append(all, &info), &info
}

func add(info *genericapiserver.APIGroupInfo, version string, storages map[string]apirest.Storage) {
	if info.VersionedResourcesStorageMap[version] == nil {
		info.VersionedResourcesStorageMap[version] = map[string]apirest.Storage{}
	}
	maps.Copy(info.VersionedResourcesStorageMap[version], storages)
}

func installGroup(server *genericapiserver.GenericAPIServer, info *genericapiserver.APIGroupInfo) error {
	if info.PrioritizedVersions[0].Group == "" {
		return server.InstallLegacyAPIGroup(genericapiserver.DefaultLegacyAPIPrefix, info)
	}
	return server.InstallAPIGroup(info)
}

// destroy closes the storages of groups that no server has taken over.
func destroy(all []*genericapiserver.APIGroupInfo) {
	for _, info := range all {
		for _, storages := range info.VersionedResourcesStorageMap {
			for _, s := range storages {
				s.Destroy()
			}
		}
	}
}
