package etcd

import (
	"fmt"
	"net/url"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"
)

// A member that is alone need not wait for others before it elects itself. These
// are the shortest times, in milliseconds, that etcd takes for sound: an election
// is to take five ticks at least.
const (
	tick     = 10
	election = 5 * tick
)

// embedded returns the configuration of a single member with its data in one
// folder and its sockets in another.
func embedded(data, sockets string, temporary bool) *embed.Config {
	peers, clients := socket(sockets, "peers"), socket(sockets, "clients")
	c := embed.NewConfig()
	c.Dir = data
	c.ListenPeerUrls, c.AdvertisePeerUrls = []url.URL{peers}, []url.URL{peers}
	c.ListenClientUrls, c.AdvertiseClientUrls = []url.URL{clients}, []url.URL{clients}
	c.InitialCluster = fmt.Sprintf("%s=%s", c.Name, peers.String())
	c.TickMs, c.ElectionMs = tick, election
	if temporary {
		c.UnsafeNoFsync = true
		// Nothing is purged: it goes with the folder, and etcd would end the process
		// if somebody who clears temporary files had been faster.
		c.MaxSnapFiles, c.MaxWalFiles = 0, 0
	}
	// JSON over HTTP, for clients that know no gRPC. There are none.
	c.EnableGRPCGateway = false
	c.LogLevel = "panic"
	c.LogOutputs = []string{embed.StdErrLogOutput}
	return c
}

func socket(folder, name string) url.URL {
	return url.URL{Scheme: "unix", Path: filepath.Join(folder, name)}
}
