package plugin

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/matching"
)

// ValidateInitialization checks that the initializers have set everything, and
// creates the client, the source and the engine. A host may call it again after
// it has set another informer factory, which the plugin then follows instead
// (S-007, S-008). If a later call fails, the plugin continues to follow the
// previous factory.
func (b *base) ValidateInitialization() error {
	if b.factory == nil {
		return errors.New("kubernetes client is not properly setup")
	}
	if b.kube == nil {
		missing := utilerrors.NewAggregate([]error{errors.New("the namespace matcher requires a client")})
		return fmt.Errorf("namespaceMatcher is not properly setup: %w", missing)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return errors.New("the plugin has been closed: the server is drained")
	}
	if err := b.ensureClient(); err != nil {
		return err
	}
	before := b.static
	if err := b.openStatic(); err != nil {
		return err
	}
	if err := b.follow(); err != nil {
		if before == nil {
			b.closeStatic()
		}
		return err
	}
	b.closeWhenDrained()
	return nil
}

// ensureClient creates the client, once.
func (b *base) ensureClient() error {
	if b.client != nil {
		return nil
	}
	c, err := client.New(client.Config{
		AuthInfo:       resolvers{b},
		Services:       resolvers{b},
		DialPolicy:     b.options.urls,
		MaxHeaderBytes: int64(b.options.limits.ResponseHeader),
		Exact:          b.options.exact,
	})
	if err != nil {
		return fmt.Errorf("clientManager is not properly setup: %w", err)
	}
	b.client = c
	return nil
}

// follow creates the source and the engine for the informer factory. It
// replaces and closes the old source only after nothing can fail any more.
func (b *base) follow() error {
	namespaces := b.factory.Core().V1().Namespaces()
	followed := b.source
	if followed == nil || b.sourceFactory != b.factory {
		var err error
		if followed, err = source.Informers(b.watched(namespaces.Informer().HasSynced)); err != nil {
			return err
		}
	}
	labels := source.ClusterNamespaces(namespaces.Lister(), b.kube.CoreV1().Namespaces())
	engine, err := b.newEngine(followed, labels)
	if err != nil {
		if followed != b.source {
			followed.Close()
		}
		return err
	}
	if b.source != nil && b.source != followed {
		b.source.Close()
	}
	b.source, b.sourceFactory = followed, b.factory
	b.engine = engine
	if b.options.recording != nil {
		b.options.recording.follow(namespaces.Lister())
	}
	return nil
}

// newEngine returns the engine over the source and the client. It reads the
// feature gate for every request, as kube-apiserver does, and the excluded
// resources once.
func (b *base) newEngine(
	api *source.Informed, namespaces matching.Namespaces,
) (*dispatcher.Dispatcher, error) {
	excluded := b.excluded.Clone()
	return dispatcher.New(dispatcher.Config{
		Source:     b.withStatic(api),
		Client:     b.client,
		Namespaces: namespaces,
		Authorizer: b.authorizer,
		Excluded:   func(r schema.GroupResource) bool { return b.exclude && excluded.Has(r) },
		Limits:     b.options.limits,
		Metrics:    loggingRecorder{},
		Observer:   b.options.observer,
		Trace:      b.options.trace && b.options.observer != nil,
		Exact:      b.options.exact,

		PatchFailurePolicy: b.options.patchFailurePolicy,
	})
}

// watched returns the informers of the plugin's phase.
func (b *base) watched(also cache.InformerSynced) source.Watched {
	warnings := b.newExcludedRuleWarnings()
	w := source.Watched{Also: []cache.InformerSynced{also}, Published: func(s *matching.Snapshot) {
		b.retention.update(b.client, fromAPI, s)
		warnings.log(klog.Background(), s)
	}}
	registrations := b.factory.Admissionregistration().V1()
	if b.phase == admission.Mutating {
		w.Mutating = registrations.MutatingWebhookConfigurations()
	} else {
		w.Validating = registrations.ValidatingWebhookConfigurations()
	}
	return w
}

// closeWhenDrained shuts the plugin down after the last request. It waits for
// the channel of its first call and ignores channels that are set later.
func (b *base) closeWhenDrained() {
	drained := b.drained
	if drained == nil {
		return
	}
	b.closeOnce.Do(func() {
		go func() {
			<-drained
			b.shutDown()
		}()
	})
}

// shutDown closes the source, the client and the folder. The folder comes last,
// because its Close may wait for a read that does not end.
func (b *base) shutDown() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.source.Close()
	b.client.Close()
	b.closeStatic()
}
