package namespaces

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/client-go/util/workqueue"
)

// The backoff after a failed attempt.
const (
	minBackoff = 20 * time.Millisecond
	maxBackoff = time.Second
)

// workers is the number of namespaces that are processed at the same time. A
// slow webhook for the objects of one namespace must not delay the others.
const workers = 5

// stopGrace bounds how long requests of the controller may take when the server
// stops. Interrupting requests makes the etcd client log to standard error.
const stopGrace = time.Second

// Storage is the storage of namespaces, without admission.
type Storage interface {
	rest.Creater
	rest.Lister
}

// Controller creates the default namespaces and completes the deletion of
// others. The storage calls Enqueue for every deletion, so the controller needs
// no watch.
type Controller struct {
	storage Storage
	deleter namespacedResourcesDeleter
	queue   workqueue.TypedRateLimitingInterface[string]
	// synced is set when the default namespaces exist.
	synced atomic.Bool

	lock sync.Mutex
	// cancel interrupts the workers; nil until start.
	cancel  context.CancelFunc
	stopped bool
	running sync.WaitGroup
}

// NewController returns a controller. It does nothing until Attach.
func NewController(storage Storage) *Controller { return &Controller{storage: storage} }

func defaultNamespaces() []string {
	return []string{
		metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic,
		corev1.NamespaceNodeLease,
	}
}

// Enqueue schedules the deletion of the content of a namespace.
func (c *Controller) Enqueue(namespace string) { c.queue.Add(namespace) }

// Attach makes server run the controller. The server is not ready before the
// default namespaces exist.
func (c *Controller) Attach(server *genericapiserver.GenericAPIServer) error {
	var err error
	if c.deleter, err = newNamespacedResourcesDeleter(server.LoopbackClientConfig); err != nil {
		return err
	}
	c.queue = workqueue.NewTypedRateLimitingQueue(
		workqueue.NewTypedItemExponentialFailureRateLimiter[string](minBackoff, maxBackoff))
	// The pre-shutdown hook is not called for a server that never runs.
	server.RegisterDestroyFunc(c.queue.ShutDown)
	return errors.Join(
		server.AddReadyzChecks(healthz.NamedCheck("namespaces", c.check)),
		server.AddPostStartHook("namespaces", c.start),
		server.AddPreShutdownHook("namespaces", c.stop),
	)
}

func (c *Controller) check(*http.Request) error {
	if !c.synced.Load() {
		return errors.New("the default namespaces have not been created")
	}
	return nil
}

func (c *Controller) start(hook genericapiserver.PostStartHookContext) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.stopped {
		return nil
	}
	var ctx context.Context
	ctx, c.cancel = context.WithCancel(hook.Context)
	c.running.Go(func() { c.run(ctx) })
	return nil
}

// stop returns when the workers have ended. It runs as a pre-shutdown hook
// because the server waits for pending requests, which include those of the
// workers.
func (c *Controller) stop() error {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.stopped = true
	c.queue.ShutDown()
	if c.cancel == nil {
		return nil
	}
	defer c.cancel()
	defer time.AfterFunc(stopGrace, c.cancel).Stop()
	c.running.Wait()
	return nil
}

func (c *Controller) run(ctx context.Context) {
	if c.sync(ctx) != nil {
		return
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { c.runWorker(ctx) })
	}
	all.Wait()
}

// runWorker processes namespaces until the queue is shut down.
func (c *Controller) runWorker(ctx context.Context) {
	for {
		namespace, shutdown := c.queue.Get()
		if shutdown {
			return
		}
		if c.deleter.delete(ctx, namespace) == nil {
			c.queue.Forget(namespace)
		} else {
			// The error is dropped: a client that deletes the remaining objects
			// itself receives it.
			c.queue.AddRateLimited(namespace)
		}
		c.queue.Done(namespace)
	}
}

// sync creates the default namespaces and enqueues the Terminating namespaces
// of an earlier server. It fails only if ctx ends.
func (c *Controller) sync(ctx context.Context) error {
	ctx = request.WithNamespace(ctx, metav1.NamespaceNone)
	return wait.PollUntilContextCancel(ctx, minBackoff, true, func(ctx context.Context) (bool, error) {
		if c.createDefaults(ctx) != nil || c.enqueueTerminating(ctx) != nil {
			return false, nil
		}
		c.synced.Store(true)
		return true, nil
	})
}

// createDefaults bypasses admission: webhooks of configurations in an old
// database may not be running yet.
func (c *Controller) createDefaults(ctx context.Context) error {
	for _, name := range defaultNamespaces() {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		_, err := c.storage.Create(ctx, namespace, rest.ValidateAllObjectFunc, &metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	return nil
}

func (c *Controller) enqueueTerminating(ctx context.Context) error {
	list, err := c.storage.List(ctx, nil)
	if err != nil {
		return err
	}
	for _, namespace := range list.(*corev1.NamespaceList).Items {
		if namespace.DeletionTimestamp != nil {
			c.Enqueue(namespace.Name)
		}
	}
	return nil
}
