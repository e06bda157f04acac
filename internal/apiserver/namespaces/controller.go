package namespaces

import (
	"context"
	"errors"
	"net/http"
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

	"example.com/gatehouse/internal/apiserver/controller"
)

// interval is the time between two attempts to create the default namespaces.
const interval = 20 * time.Millisecond

// maxBackoff is the longest time between two attempts to delete the content of
// a namespace.
const maxBackoff = time.Second

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
	queue   *controller.Queue[string]
	// synced is set when the default namespaces exist.
	synced atomic.Bool
}

// NewController returns a controller. It does nothing until Attach.
func NewController(storage Storage) *Controller {
	c := &Controller{storage: storage}
	c.queue = controller.NewQueue(maxBackoff, func(ctx context.Context, namespace string) error {
		return c.deleter.delete(ctx, namespace)
	})
	return c
}

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
	clients, err := controller.NewClients(server, "namespace-controller")
	if err != nil {
		return err
	}
	c.deleter = namespacedResourcesDeleter{clients}
	return errors.Join(
		server.AddReadyzChecks(healthz.NamedCheck("namespaces", c.check)),
		c.queue.Attach(server, "namespaces", func(ctx context.Context) error {
			if err := c.sync(ctx); err != nil {
				return err
			}
			return controller.AwaitStart(ctx, server)
		}),
	)
}

func (c *Controller) check(*http.Request) error {
	if !c.synced.Load() {
		return errors.New("the default namespaces have not been created")
	}
	return nil
}

// sync creates the default namespaces and enqueues the Terminating namespaces
// of an earlier server. It fails only if ctx ends.
func (c *Controller) sync(ctx context.Context) error {
	ctx = request.WithNamespace(ctx, metav1.NamespaceNone)
	return wait.PollUntilContextCancel(ctx, interval, true, func(ctx context.Context) (bool, error) {
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
