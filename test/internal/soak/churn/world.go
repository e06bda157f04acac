package churn

import (
	"context"
	"fmt"
	"sync"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
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
	rests                rests
}

// kind is one of the two kinds of configurations.
type kind struct {
	phase      admission.Phase
	collection *cluster.Collection
	informer   cache.SharedIndexInformer
	// history has the states that were delivered to the engine.
	history *model.History
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
	}, nil
}

func newKind(phase admission.Phase, c *cluster.Collection, example runtime.Object) *kind {
	return &kind{phase: phase, collection: c, informer: c.Follow(example), history: model.NewHistory()}
}

func (w *world) kinds() [2]*kind { return [2]*kind{w.mutating, w.validating} }

// follow starts the informers and waits until they have synced. stop stops them
// and waits for their goroutines.
func (w *world) follow(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, k := range w.kinds() {
		running.Go(func() { k.informer.RunWithContext(ctx) })
	}
	cache.WaitForCacheSync(ctx.Done(), w.mutating.informer.HasSynced, w.validating.informer.HasSynced)
	return func() { cancel(); running.Wait() }
}

// waitDelivered waits until all handlers have the last written state. An informer
// that lists again may be slow, because client-go backs off.
func (k *kind) waitDelivered(ctx context.Context, written model.State) error {
	const patience = 2 * time.Minute
	return until(ctx, patience, func() error {
		if !k.history.Settled(written) {
			return fmt.Errorf(
				"the %v configurations that were written last have not been delivered", k.phase)
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
