package churn

import (
	"context"
	"fmt"
	"sync"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/backend"
	"example.com/gatehouse/test/internal/soak/cluster"
	"example.com/gatehouse/test/internal/soak/model"
)

// world is all around the engine: API, informers, and webhooks.
type world struct {
	backend              *backend.Backend
	mutating, validating *kind
	namespaces           *followed
	rests                rests
}

// followed is a collection that an informer follows.
type followed struct {
	// what names its objects.
	what       string
	collection *cluster.Collection
	informer   cache.SharedIndexInformer
	// history has the states that were delivered to the engine.
	history *model.History
}

// kind is one of the two kinds of configurations.
type kind struct {
	*followed
	phase admission.Phase
	// calls are those that the callers have seen.
	calls ledger
}

func newWorld() (*world, error) {
	servers, err := backend.Start(model.Faults())
	if err != nil {
		return nil, err
	}
	return &world{
		backend: servers,
		mutating: newKind(admission.Mutating, cluster.Mutating(),
			&registrationv1.MutatingWebhookConfiguration{}),
		validating: newKind(admission.Validating, cluster.Validating(),
			&registrationv1.ValidatingWebhookConfiguration{}),
		namespaces: follow("namespaces", cluster.Of(&corev1.NamespaceList{}), &corev1.Namespace{}),
	}, nil
}

func newKind(phase admission.Phase, c *cluster.Collection, example runtime.Object) *kind {
	return &kind{followed: follow(fmt.Sprintf("%v configurations", phase), c, example), phase: phase}
}

func follow(what string, c *cluster.Collection, example runtime.Object) *followed {
	return &followed{what, c, c.Follow(example), model.NewHistory()}
}

func (w *world) kinds() [2]*kind { return [2]*kind{w.mutating, w.validating} }

func (w *world) all() [3]*followed {
	return [3]*followed{w.mutating.followed, w.validating.followed, w.namespaces}
}

// follow starts the informers and waits until they have synced. stop stops them
// and waits for their goroutines.
func (w *world) follow(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, f := range w.all() {
		running.Go(func() { f.informer.RunWithContext(ctx) })
		cache.WaitForCacheSync(ctx.Done(), f.informer.HasSynced)
	}
	return func() { cancel(); running.Wait() }
}

// waitDelivered waits until all handlers have the last written state. An informer
// that lists again may be slow, because client-go backs off.
func (f *followed) waitDelivered(ctx context.Context, written model.State) error {
	const patience = 2 * time.Minute
	return until(ctx, patience, func() error {
		if !f.history.Settled(written) {
			return fmt.Errorf("the %s that were written last have not been delivered", f.what)
		}
		return nil
	})
}

// until waits until there is nothing to complain about, and returns the
// complaint if that takes too long or the context ends.
func until(ctx context.Context, patience time.Duration, complaint func() error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := complaint()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Millisecond):
		}
	}
}
