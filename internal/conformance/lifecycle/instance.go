package lifecycle

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/suite/process"
)

// instance is a process that a check started, and that answers reviews.
type instance struct {
	*process.Process
	preStop time.Duration

	// terminate begins to end the pod. Further calls have no effect.
	terminate func()
	// terminating is closed when SIGTERM is sent, and over when the process and
	// its children have ended.
	terminating, over chan struct{}
	// hurry ends the time of the preStop hook early.
	hurry context.CancelFunc
}

// newInstance starts a process and waits until it answers the questions. If there
// is none, it returns nil and sets the skip message; C-START reports the reason.
// The caller must call end.
func (l *Launcher) newInstance(
	ctx context.Context, questions []question, r *check.Record, grace time.Duration,
) *instance {
	p, err := l.start(ctx, grace)
	if err != nil {
		r.Missing("another process of the webhook does not start: %v", err)
		return nil
	}
	i := &instance{Process: p, preStop: l.exec.PreStop,
		terminating: make(chan struct{}), over: make(chan struct{})}
	hook, hurry := context.WithCancel(ctx)
	i.hurry = hurry
	i.terminate = sync.OnceFunc(func() { go i.stop(hook) })
	client := newClient(p.Address(), nil)
	defer client.CloseIdleConnections()
	late := time.Now().Add(l.exec.Timeout)
	for _, q := range questions {
		for {
			wrong := q.wrong(q.ask(ctx, probe.RawRequest{Client: client, Wait: l.exec.Timeout}))
			if wrong == "" {
				break
			}
			if ctx.Err() != nil || time.Now().After(late) {
				r.Missing("another process of the webhook does not become ready: %s", wrong)
				i.end()
				return nil
			}
			pause(ctx, 50*time.Millisecond)
		}
	}
	return i
}

// stop ends the pod: it waits for the time of the preStop hook, or until hook ends,
// and sends SIGTERM.
func (i *instance) stop(hook context.Context) {
	defer close(i.over)
	pause(hook, i.preStop)
	close(i.terminating)
	_ = i.Stop() // no check is about the exit status
}

// end ends the process without a preStop hook, and waits until it has ended.
func (i *instance) end() {
	i.hurry()
	i.terminate()
	<-i.over
}

// newClient returns a client of one address, with its own connections. If wrap
// is not nil, it wraps each new connection.
func newClient(address string, wrap func(net.Conn) net.Conn) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // as kube-apiserver connects to services
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, network, address)
			if err != nil || wrap == nil {
				return c, err
			}
			return wrap(c), nil
		},
		Protocols:             protocols,
		MaxIdleConnsPerHost:   callers,
		ExpectContinueTimeout: time.Second,
		// other checks verify the certificate
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12},
	}}
}
