package apiserver

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

// The times after which the janitor tries again what it could not do.
const (
	firstRetry = 20 * time.Millisecond
	lastRetry  = time.Second
)

// atOnce is how many namespaces are emptied at the same time, so that a webhook that is
// slow to answer for one of them does not keep the others.
const atOnce = 5

// leaveGrace is how long requests that the janitor has sent may take when the server
// ends. Those that are cut off have etcd's client complain on the standard error.
const leaveGrace = time.Second

// janitor makes the namespaces that every cluster has, and empties those that are to
// be deleted. Nobody else changes the database, so that it need not watch: who
// deletes a namespace tells it.
type janitor struct {
	namespaces store
	sweeper    sweeper
	// queue has the names of namespaces to be emptied. It gives nobody a name that
	// somebody else is at work on.
	queue workqueue.TypedRateLimitingInterface[string]
	// prepared says that the namespaces of every cluster are there.
	prepared atomic.Bool

	lock sync.Mutex
	// leave ends the work, and is nil before it has begun. off says that it must not
	// begin any more.
	leave   context.CancelFunc
	off     bool
	working sync.WaitGroup
}

// standard are the namespaces of every cluster.
func standard() []string {
	return []string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease}
}

// clean has a namespace emptied.
func (j *janitor) clean(namespace string) { j.queue.Add(namespace) }

// attach has the janitor work while the server runs, which is not ready before the
// namespaces of every cluster are there.
func (j *janitor) attach(server *genericapiserver.GenericAPIServer) error {
	var err error
	if j.sweeper, err = newSweeper(server.LoopbackClientConfig); err != nil {
		return err
	}
	j.queue = workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[string](firstRetry, lastRetry))
	// Also for servers that never run.
	server.RegisterDestroyFunc(j.queue.ShutDown)
	return errors.Join(
		server.AddReadyzChecks(healthz.NamedCheck("namespaces", j.ready)),
		server.AddPostStartHook("namespaces", j.start),
		server.AddPreShutdownHook("namespaces", j.stop),
	)
}

func (j *janitor) ready(*http.Request) error {
	if !j.prepared.Load() {
		return errors.New("the namespaces of every cluster are still to be made")
	}
	return nil
}

func (j *janitor) start(hook genericapiserver.PostStartHookContext) error {
	j.lock.Lock()
	defer j.lock.Unlock()
	if j.off {
		return nil
	}
	var ctx context.Context
	ctx, j.leave = context.WithCancel(hook.Context)
	j.working.Go(func() { j.work(ctx) })
	return nil
}

// stop returns when the work has ended, so that it is not among the requests that
// the server waits for.
func (j *janitor) stop() error {
	j.lock.Lock()
	defer j.lock.Unlock()
	j.off = true
	j.queue.ShutDown()
	if j.leave == nil {
		return nil
	}
	defer j.leave()
	defer time.AfterFunc(leaveGrace, j.leave).Stop()
	j.working.Wait()
	return nil
}

func (j *janitor) work(ctx context.Context) {
	if j.prepare(ctx) != nil {
		return
	}
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() { j.emptyAll(ctx) })
	}
	all.Wait()
}

// emptyAll empties one namespace after the other until the queue is shut down.
func (j *janitor) emptyAll(ctx context.Context) {
	for {
		namespace, over := j.queue.Get()
		if over {
			return
		}
		if j.sweeper.empty(ctx, namespace) == nil {
			j.queue.Forget(namespace)
		} else {
			// Whoever wants to know why can delete what is left, and is told.
			j.queue.AddRateLimited(namespace)
		}
		j.queue.Done(namespace)
	}
}

// prepare makes the namespaces of every cluster, and goes on with the deletions that
// a server before this one has not finished. It fails only if ctx ends.
func (j *janitor) prepare(ctx context.Context) error {
	ctx = request.WithNamespace(ctx, metav1.NamespaceNone)
	return wait.PollUntilContextCancel(ctx, firstRetry, true, func(ctx context.Context) (bool, error) {
		if j.makeStandard(ctx) != nil || j.resume(ctx) != nil {
			return false, nil
		}
		j.prepared.Store(true)
		return true, nil
	})
}

// makeStandard goes around admission: webhooks that an earlier server has left in
// the database need not be there yet.
func (j *janitor) makeStandard(ctx context.Context) error {
	for _, name := range standard() {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		_, err := j.namespaces.Create(ctx, namespace, rest.ValidateAllObjectFunc, &metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	return nil
}

func (j *janitor) resume(ctx context.Context) error {
	found, err := j.namespaces.List(ctx, nil)
	if err != nil {
		return err
	}
	for _, namespace := range found.(*corev1.NamespaceList).Items {
		if namespace.DeletionTimestamp != nil {
			j.clean(namespace.Name)
		}
	}
	return nil
}
