package garbagecollector

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/discovery"

	"example.com/gatehouse/internal/apiserver/controller"
)

// maxBackoff is the longest time between two attempts, and so between two calls
// of a webhook that denies a deletion.
const maxBackoff = 10 * time.Second

// listInterval is the time between two attempts to discover the resources of
// an earlier server, and pageSize the number of objects in one list.
const (
	listInterval = 20 * time.Millisecond
	pageSize     = 500
)

// task is an object, or a resource whose objects could not be listed yet.
type task struct {
	uid  types.UID
	list schema.GroupVersionResource
}

// Controller collects garbage. Observe must wrap the storage of all resources.
type Controller struct {
	graph   *graph
	queue   *controller.Queue[task]
	objects objects
}

// New returns a controller. It does nothing until Attach.
func New() *Controller {
	c := &Controller{graph: newGraph()}
	c.queue = controller.NewQueue(maxBackoff, func(ctx context.Context, t task) error {
		if t.uid == "" {
			return c.list(ctx, t.list)
		}
		return c.process(ctx, t.uid)
	})
	return c
}

// Attach makes server run the controller, if there is one. It must be called
// before the first write. existing reports whether the database has objects
// of an earlier server.
func (c *Controller) Attach(server *genericapiserver.GenericAPIServer, existing bool) error {
	if c == nil {
		return nil
	}
	clients, err := controller.NewClients(server, "generic-garbage-collector")
	if err != nil {
		return err
	}
	c.objects = newObjects(clients)
	return c.queue.Attach(server, "garbage-collector", func(ctx context.Context) error {
		if err := controller.AwaitStart(ctx, server); err != nil || !existing {
			return err
		}
		return c.listAll(ctx)
	})
}

// written records the state of an object after a write.
func (c *Controller) written(resource schema.GroupResource, object runtime.Object) {
	if m, err := meta.Accessor(object); err == nil {
		c.enqueue(c.graph.set(newNode(resource, m)))
	}
}

// deleted records the deletion of an object.
func (c *Controller) deleted(object runtime.Object) {
	if m, err := meta.Accessor(object); err == nil {
		c.enqueue(c.graph.remove(m.GetUID()))
	}
}

func (c *Controller) enqueue(due []types.UID) {
	for _, uid := range due {
		c.queue.Add(task{uid: uid})
	}
}

// listAll adds all objects to the graph. Resources that cannot be listed, such
// as those whose conversion webhook does not run yet, are tried again later. It
// fails only if ctx ends.
func (c *Controller) listAll(ctx context.Context) error {
	var all []*metav1.APIResourceList
	err := wait.PollUntilContextCancel(ctx, listInterval, true,
		func(context.Context) (_ bool, err error) {
			all, err = c.objects.clients.Typed.Discovery().ServerPreferredResources()
			return err == nil, nil
		})
	if err != nil {
		return err
	}
	verbs := discovery.SupportsAllVerbs{Verbs: []string{"list", "delete"}}
	resources, err := discovery.GroupVersionResources(discovery.FilteredBy(verbs, all))
	if err != nil {
		return fmt.Errorf("discovering resources: %w", err)
	}
	for resource := range resources {
		if c.list(ctx, resource) != nil {
			c.queue.Add(task{list: resource})
		}
	}
	return ctx.Err()
}

// list adds the objects of a resource to the graph.
func (c *Controller) list(ctx context.Context, resource schema.GroupVersionResource) error {
	client := c.objects.clients.Objects.Resource(resource)
	options := metav1.ListOptions{Limit: pageSize}
	for {
		page, err := client.List(ctx, options)
		if err != nil {
			return fmt.Errorf("listing %s: %w", resource.GroupResource(), err)
		}
		for i := range page.Items {
			c.enqueue(c.graph.set(newNode(resource.GroupResource(), &page.Items[i])))
		}
		if options.Continue = page.Continue; page.Continue == "" {
			return nil
		}
	}
}
