package portforward

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/kubeclient"
	"example.com/gatehouse/internal/offline/resolve"
)

// opening is how long it may take to find a pod and to open its port-forward, which calls do
// not wait for beyond their own timeouts.
const opening = 30 * time.Second

// Forwarder connects to Services of a cluster. The caller must close it.
type Forwarder struct {
	config *rest.Config
	client *rest.RESTClient
	// ctx ends when the Forwarder is closed.
	ctx    context.Context
	cancel context.CancelFunc

	mu      sync.Mutex // guards the fields below
	targets map[resolve.Service]*target
	pods    map[types.NamespacedName]*pod
	// err is the first error about the way to the cluster.
	err error
}

// target is where connections to a Service lead. The fields are set when found is closed.
type target struct {
	found chan struct{}
	pod   *pod
	port  string
	err   error
}

// New returns a Forwarder that works until ctx ends or Close. It connects to nothing yet.
func New(ctx context.Context, config *rest.Config) (*Forwarder, error) {
	config, own, err := kubeclient.New(config, nil)
	if err != nil {
		return nil, err
	}
	config.APIPath, config.GroupVersion = "/api", &corev1.SchemeGroupVersion
	client, err := rest.RESTClientForConfigAndClient(config, own)
	if err != nil {
		return nil, err
	}
	f := &Forwarder{
		config: config, client: client,
		targets: map[resolve.Service]*target{}, pods: map[types.NamespacedName]*pod{},
	}
	f.ctx, f.cancel = context.WithCancel(ctx)
	return f, nil
}

// Err returns the first error about the way to the cluster: it cannot be reached, or does not
// let the user do what is needed. It returns nil if there is none.
func (f *Forwarder) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Close ends all connections.
func (f *Forwarder) Close() {
	f.cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.pods {
		go p.connection.Close() // it waits for a peer that does not read
	}
	f.client.Client.CloseIdleConnections()
}

// Dial connects to a port of a Service. It does not wait for the pod to accept: reading and
// writing then return the error of the pod.
func (f *Forwarder) Dial(ctx context.Context, s resolve.Service) (net.Conn, error) {
	t, err := f.target(s)
	if err != nil {
		return nil, err
	}
	select {
	case <-t.found:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if t.err != nil {
		return nil, t.err
	}
	return t.pod.dial(f.ctx, t.port, func() { f.forget(s, t) }), nil
}

// target returns where connections to a Service lead, or begins to find it. What is known
// counts until a connection fails or the port-forward ends.
func (f *Forwarder) target(s resolve.Service) (*target, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil, f.err
	}
	if t := f.targets[s]; t != nil && !t.isOver() {
		return t, nil
	}
	t := &target{found: make(chan struct{})}
	f.targets[s] = t
	go f.find(s, t)
	return t, nil
}

// isOver reports whether the port-forward has ended.
func (t *target) isOver() bool {
	select {
	case <-t.found:
		return t.err == nil && t.pod.isOver()
	default:
		return false
	}
}

func (f *Forwarder) forget(s resolve.Service, t *target) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.targets[s] == t {
		delete(f.targets, s)
	}
}

// find finds where connections to a Service lead. Errors are not kept for other connections.
func (f *Forwarder) find(s resolve.Service, t *target) {
	defer close(t.found)
	ctx, cancel := context.WithTimeoutCause(f.ctx, opening, fmt.Errorf("it took longer than %s", opening))
	defer cancel()
	backend, err := f.backend(ctx, s)
	if err == nil {
		t.pod, err = f.pod(ctx, backend.pod)
		t.port = backend.port
		if err != nil && ctx.Err() != nil {
			// The API server has answered; the node of the pod is slow.
			err = &unavailableError{context.Cause(ctx).Error()}
		}
	}
	if err == nil {
		return
	}
	f.forget(s, t)
	// It wraps nothing: what is wrong with the API server is not wrong with the webhook.
	t.err = fmt.Errorf("forwarding a port to %s: %s", s, oneLine(err.Error()))
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil && f.ctx.Err() == nil && isAccess(err) {
		f.err = t.err
	}
}

// pod returns the port-forward of a pod, which several Services may share.
func (f *Forwarder) pod(ctx context.Context, name types.NamespacedName) (*pod, error) {
	f.mu.Lock()
	p := f.pods[name]
	f.mu.Unlock()
	switch {
	case p != nil && !p.isOver():
		return p, nil
	case p != nil:
		go p.connection.Close()
	}
	connection, err := f.connect(ctx, name)
	if err != nil {
		return nil, err
	}
	p = &pod{name: name, connection: connection}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() != nil {
		go connection.Close()
		return nil, context.Cause(f.ctx)
	}
	if other := f.pods[name]; other != nil && !other.isOver() {
		go connection.Close() // another Service was faster
		return other, nil
	}
	f.pods[name] = p
	return p, nil
}
