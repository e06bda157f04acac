package etcd

import (
	"context"
	"fmt"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// grace is how long etcd may go on with its start when it is not wanted any more. Its
// start can be undone, but not ended, and takes that long only if the database is open
// elsewhere, which somebody must have done since that was last looked at.
const grace = 5 * time.Second

// opened is what has come of a start.
type opened struct {
	server *embed.Etcd
	err    error
}

// open starts etcd. After ctx has ended it may take the grace, and is then left alone:
// what may still come of it is closed.
func open(ctx context.Context, config *embed.Config, grace time.Duration) (*embed.Etcd, error) {
	done := make(chan opened, 1)
	go func() {
		server, err := launch(config)
		done <- opened{server, err}
	}()
	select {
	case o := <-done:
		return o.server, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.server, o.err
	case <-time.After(grace):
	}
	go func() {
		if late := <-done; late.server != nil {
			late.server.Close()
		}
	}()
	return nil, fmt.Errorf("it may be in use by another program: %w", context.Cause(ctx))
}

// launch starts etcd, which may still find what it cannot stand.
func launch(config *embed.Config) (server *embed.Etcd, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = damaged(config.Dir, reason, nil)
		}
	}()
	return embed.StartEtcd(config)
}
