package etcd

import (
	"fmt"
	"net/url"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"
)

// A single member elects itself. These are the shortest times, in milliseconds,
// that etcd accepts: an election takes at least five ticks.
const (
	tick     = 10
	election = 5 * tick
)

// newConfig returns the configuration of a single member with its data in the
// folder data and its sockets in the folder sockets.
func newConfig(data, sockets string, temporary bool) *embed.Config {
	peers, clients := socket(sockets, "peers"), socket(sockets, "clients")
	c := embed.NewConfig()
	c.Dir = data
	c.ListenPeerUrls, c.AdvertisePeerUrls = []url.URL{peers}, []url.URL{peers}
	c.ListenClientUrls, c.AdvertiseClientUrls = []url.URL{clients}, []url.URL{clients}
	c.InitialCluster = fmt.Sprintf("%s=%s", c.Name, peers.String())
	c.TickMs, c.ElectionMs = tick, election
	if temporary {
		c.UnsafeNoFsync = true
		// Purging old files is unnecessary, and etcd ends the process if a
		// cleaner of temporary files has removed them first.
		c.MaxSnapFiles, c.MaxWalFiles = 0, 0
	}
	// No client needs JSON over HTTP.
	c.EnableGRPCGateway = false
	c.LogOutputs = []string{embed.StdErrLogOutput} // log has the output
	return c
}

func socket(folder, name string) url.URL {
	return url.URL{Scheme: "unix", Path: filepath.Join(folder, name)}
}
