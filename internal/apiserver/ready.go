package apiserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// startGrace is how long a server that is ended while it starts may take to become
// one that can be. It takes that long only if its database does not answer.
const startGrace = 10 * time.Second

// pause is the time between two questions whether the server is ready.
const pause = 5 * time.Millisecond

// run has the server serve, and waits until it says that it is ready.
func (s *Server) run(ctx context.Context, server assembly) error {
	// client-go has one transport for all who trust the same authority, for as
	// long as somebody holds it. So these are the connections of all clients: of
	// those that callers make, and of the server's own.
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

// running is a server that serves, in a goroutine.
type running struct {
	// started reports whether the server can be ended.
	started func() bool
	end     context.CancelFunc
	ended   chan struct{}
	// err is why it has ended, and may be read after that.
	err error
}

func serve(ctx context.Context, server assembly) *running {
	// It outlives the context that it was started with.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	r := &running{started: server.custom.started, end: end, ended: make(chan struct{})}
	go func() {
		defer close(r.ended)
		r.err = server.run(life)
	}()
	return r
}

// stop ends the server. The server gives idle clients a second to leave, unless they
// have left; and net/http tells those nothing whose connections come to be meanwhile,
// and waits for a minute. So they are sent away by leave, for as long as it takes.
func (r *running) stop(leave func()) error {
	r.awaitStarted()
	leave()
	r.end()
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			leave()
		case <-r.ended:
			return r.err
		}
	}
}

// awaitStarted waits until the server can be ended, or has.
func (r *running) awaitStarted() {
	ticker, enough := time.NewTicker(pause), time.After(startGrace)
	defer ticker.Stop()
	for !r.started() {
		select {
		case <-ticker.C:
		case <-r.ended:
			return
		case <-enough:
			return
		}
	}
}

// awaitReady asks until the answer is yes, the server has ended, or ctx ends.
func (r *running) awaitReady(ctx context.Context, client *http.Client, url string) error {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		last := ask(ctx, client, url)
		if last == nil {
			return nil
		}
		select {
		case <-ticker.C:
		case <-r.ended:
			return fmt.Errorf("it ended before it was ready: %w", errors.Join(r.err, last))
		case <-ctx.Done():
			return fmt.Errorf("waiting until it is ready: %w", errors.Join(context.Cause(ctx), last))
		}
	}
}

// ask returns an error unless the answer is 200.
func ask(ctx context.Context, client *http.Client, url string) error {
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
		return fmt.Errorf("%s says %s: %s", url, response.Status, body)
	}
	return nil
}
