package apiserver

import (
	"fmt"
	"net"
	"net/http"
	"slices"
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
	check := []healthz.HealthChecker{healthz.PingHealthz}
	config.HealthzChecks, config.LivezChecks, config.ReadyzChecks = check, check, check
	config.SecureServing = &genericapiserver.SecureServingInfo{Listener: listener, Cert: id.certificate}
	config.ExternalAddress = listener.Addr().String()
	config.LoopbackClientConfig = id.client(listener.Addr().String(), id.loopback)
	config.Authentication.Authenticator = id.authenticator()
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
	for _, group := range byGroup(resources()) {
		info, err := newGroup(group, t, db)
		if err != nil {
			return err
		}
		if err := installGroup(server, info); err != nil {
			destroy(info)
			return fmt.Errorf("installing %s: %w", group[0].version, err)
		}
		if err := server.AddReadyzChecks(storageCheck(info)); err != nil {
			return err
		}
	}
	return nil
}

// storageCheck asks whether the caches in front of the database are filled.
// Without, the first requests would be told to come again.
func storageCheck(info *genericapiserver.APIGroupInfo) healthz.HealthChecker {
	group := info.PrioritizedVersions[0]
	return healthz.NamedCheck("storage/"+group.String(), func(*http.Request) error {
		for plural, s := range info.VersionedResourcesStorageMap[group.Version] {
			if err := s.(store).ReadinessCheck(); err != nil {
				return fmt.Errorf("%s: %w", plural, err)
			}
		}
		return nil
	})
}

// byGroup cuts the table where the group changes.
func byGroup(rows []resource) [][]resource {
	var groups [][]resource
	for _, r := range rows {
		at := slices.IndexFunc(groups, func(g []resource) bool { return g[0].version.Group == r.version.Group })
		if at < 0 {
			groups, at = append(groups, nil), len(groups)
		}
		groups[at] = append(groups[at], r)
	}
	return groups
}

// newGroup opens the storage of the resources of a group.
func newGroup(rows []resource, t schemes, db generic.RESTOptionsGetter) (*genericapiserver.APIGroupInfo, error) {
	parameters := runtime.NewParameterCodec(t.scheme)
	info := genericapiserver.NewDefaultAPIGroupInfo(rows[0].version.Group, t.scheme, parameters, t.codecs)
	for _, r := range rows {
		s, err := newStore(r, t, db)
		if err != nil {
			destroy(&info)
			return nil, err
		}
		storage := info.VersionedResourcesStorageMap[r.version.Version]
		if storage == nil {
			storage = map[string]apirest.Storage{}
			info.VersionedResourcesStorageMap[r.version.Version] = storage
		}
		storage[r.plural] = s
	}
	return &info, nil
}

func installGroup(server *genericapiserver.GenericAPIServer, info *genericapiserver.APIGroupInfo) error {
	if info.PrioritizedVersions[0].Group == "" {
		return server.InstallLegacyAPIGroup(genericapiserver.DefaultLegacyAPIPrefix, info)
	}
	return server.InstallAPIGroup(info)
}

func destroy(info *genericapiserver.APIGroupInfo) {
	for _, storage := range info.VersionedResourcesStorageMap {
		for _, s := range storage {
			s.Destroy()
		}
	}
}
