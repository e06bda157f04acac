package etcd

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// startGrace is how long etcd may continue to start after ctx ended. Its start
// can be undone but not interrupted. It takes longer only if another program
// has opened the database since lockDataDir.
const startGrace = 5 * time.Second

// startResult is the result of startEmbedded.
type startResult struct {
	server *embed.Etcd
	err    error
}

// start starts etcd. If ctx ends and the grace period too, start returns; a
// server that still starts later is closed.
func start(ctx context.Context, config *embed.Config, grace time.Duration) (*embed.Etcd, error) {
	done := make(chan startResult, 1)
	go func() {
		server, err := startEmbedded(config)
		done <- startResult{server, err}
	}()
	select {
	case r := <-done:
		return r.server, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.server, r.err
	case <-time.After(grace):
	}
	go func() {
		if late := <-done; late.server != nil {
			late.server.Close()
		}
	}()
	return nil, fmt.Errorf("it may be in use by another program: %w", context.Cause(ctx))
}

// startEmbedded starts etcd and returns its panics as errors. If a system call
// has failed, the files are not damaged.
func startEmbedded(config *embed.Config) (server *embed.Etcd, err error) {
	l := newLog(config.Dir)
	config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(l.logger())
	defer func() {
		panicked, logged := recover(), l.end()
		var number syscall.Errno
		switch {
		case panicked != nil && errors.As(logged, &number):
			err = logged
		case panicked != nil:
			err = corruptionError(config.Dir, panicked, nil)
		}
	}()
	return embed.StartEtcd(config)
}
