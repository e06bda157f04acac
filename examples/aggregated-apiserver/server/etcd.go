package server

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"
)

// database is an etcd of one member. It listens on sockets in a folder that only the
// user may enter, because it asks nobody who they are.
type database struct {
	etcd    *embed.Etcd
	sockets string
}

// openDatabase starts etcd on a folder, which is made if it is not there, and waits
// until it can be used. ctx is for the start only.
func openDatabase(ctx context.Context, folder string) (*database, error) {
	sockets, err := os.MkdirTemp("", "toys-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for etcd's sockets: %w", err)
	}
	d := &database{sockets: sockets}
	if err := d.start(ctx, folder); err != nil {
		return nil, errors.Join(fmt.Errorf("starting etcd in %s: %w", folder, err), d.close())
	}
	return d, nil
}

func (d *database) start(ctx context.Context, folder string) error {
	clients, peers := d.socket("clients"), d.socket("peers")
	c := embed.NewConfig()
	c.Dir = filepath.Join(folder, "etcd")
	c.ListenClientUrls, c.AdvertiseClientUrls = []url.URL{clients}, []url.URL{clients}
	c.ListenPeerUrls, c.AdvertisePeerUrls = []url.URL{peers}, []url.URL{peers}
	c.InitialCluster = c.InitialClusterFromName(c.Name)
	// A member that is alone need not wait long before it elects itself: these are
	// milliseconds.
	c.TickMs, c.ElectionMs = 10, 50
	// What goes wrong comes back as an error, here or from a client. As errors etcd
	// also logs that a new database is not there yet.
	c.LogLevel = "panic"
	etcd, err := embed.StartEtcd(c)
	if err != nil {
		return err
	}
	d.etcd = etcd
	select {
	case <-etcd.Server.ReadyNotify():
		return nil
	case err := <-etcd.Err():
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (d *database) socket(name string) url.URL {
	return url.URL{Scheme: "unix", Path: filepath.Join(d.sockets, name)}
}

// endpoint is where clients connect.
func (d *database) endpoint() string {
	u := d.socket("clients")
	return u.String()
}

// close ends the database, if there is one. Clients must be gone by then.
func (d *database) close() error {
	if d == nil {
		return nil
	}
	if d.etcd != nil {
		d.etcd.Close()
	}
	return os.RemoveAll(d.sockets)
}
