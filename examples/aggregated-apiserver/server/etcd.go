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

// database is an etcd of one member. It does not authenticate clients, so it
// listens on sockets in a folder that only the user may enter.
type database struct {
	etcd    *embed.Etcd
	sockets string
}

// openDatabase starts etcd in a folder, which it creates if necessary, and
// waits until etcd is ready. ctx bounds the start only.
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
	// A single member can elect itself quickly: these are milliseconds.
	c.TickMs, c.ElectionMs = 10, 50
	// Problems are returned as errors, here or by a client. etcd also logs an
	// error for a new database.
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

// endpoint is the address for clients.
func (d *database) endpoint() string {
	u := d.socket("clients")
	return u.String()
}

// close stops the database, if there is one. Clients must be closed before.
func (d *database) close() error {
	if d == nil {
		return nil
	}
	if d.etcd != nil {
		d.etcd.Close()
	}
	return os.RemoveAll(d.sockets)
}
