package apiserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
)

// startGrace bounds how long Stop waits for a server that is still starting. It
// is reached only if the database does not respond.
const startGrace = 10 * time.Second

// pollInterval is the time between two checks of the server's state.
const pollInterval = 5 * time.Millisecond

// run runs the server and waits until it is ready.
func (s *Server) run(ctx context.Context, server assembly) error {
	// client-go caches the transport for each CA, so this is the transport of
	// all clients of the server in this process, the loopback clients included.
	transport, err := rest.TransportFor(s.client)
	if err != nil {
		server.Destroy()
		return fmt.Errorf("making a client: %w", err)
	}
	running := serve(ctx, server)
	s.atStop(func() error {
		return running.stop(func() { utilnet.CloseIdleConnectionsFor(transport) })
	})
	return running.awaitReady(ctx, &http.Client{Transport: transport}, s.client.Host+"/readyz")
}

// running is a server that runs in a goroutine.
type running struct {
	// started reports whether the server may be stopped.
	started func() bool
	cancel  context.CancelFunc
	// ended ends with the server.
	ended context.Context
	// err is the result of the server; valid when ended has ended.
	err error
}

func serve(ctx context.Context, server assembly) *running {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended, end := context.WithCancel(context.WithoutCancel(ctx))
	r := &running{started: server.custom.started, cancel: cancel, ended: ended}
	go func() {
		defer end()
		r.err = server.run(ctx)
	}()
	return r
}

// stop stops the server. During shutdown the server waits one second for idle
// connections, and net/http waits a minute for connections that are opened
// meanwhile, so stop calls closeIdle, which closes idle connections, until the
// server has ended.
func (r *running) stop(closeIdle func()) error {
	// An error means that the server has ended or does not start.
	_ = wait.PollUntilContextTimeout(r.ended, pollInterval, startGrace, true,
		func(context.Context) (bool, error) { return r.started(), nil })
	closeIdle()
	r.cancel()
	wait.Until(closeIdle, pollInterval, r.ended.Done())
	return r.err
}

// awaitReady polls url until it returns 200, the server has ended, or ctx ends.
func (r *running) awaitReady(ctx context.Context, client *http.Client, url string) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		last := checkOK(ctx, client, url)
		if last == nil {
			return nil
		}
		select {
		case <-ticker.C:
		case <-r.ended.Done():
			return fmt.Errorf("it ended before it was ready: %w", errors.Join(r.err, last))
		case <-ctx.Done():
			return fmt.Errorf("waiting until it is ready: %w", errors.Join(context.Cause(ctx), last))
		}
	}
}

// checkOK returns an error unless the response is 200.
func checkOK(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s returns %s: %s", url, response.Status, body)
	}
	return nil
}
