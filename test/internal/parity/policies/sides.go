package policies

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/dispatcher/policy/informed"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/metrics/upstream"
	"example.com/gatehouse/test/internal/parity/webhookserver"
)

// Shared is what all worlds share: the server of their webhooks, gatehouse's client
// for them, and the schemas by which gatehouse merges mutations.
type Shared struct {
	server  *webhookserver.Server
	client  *client.Client
	schemas *informed.Schemas
}

// Share starts the server.
func Share() (*Shared, error) {
	server, err := webhookserver.Start()
	if err != nil {
		return nil, err
	}
	c, err := client.New(client.Config{Exact: true})
	if err != nil {
		return nil, errors.Join(err, server.Close())
	}
	return &Shared{server, c, informed.NewSchemas(openAPI)}, nil
}

// Close ends the server.
func (s *Shared) Close() error {
	s.client.Close()
	return s.server.Close()
}

// Sides are both implementations with the policies and webhooks of a world.
type Sides struct {
	world   *World
	shared  *Shared
	objects apiadmission.ObjectInterfaces

	upstream *upstreamPlugins
	theirs   chain
	// set has the policies by name. The dispatchers evaluate those in force.
	set           *policy.Set
	inForce       *inForce
	exact, byName *dispatcher.Dispatcher
}

// inForce is a source whose set the comparison replaces.
type inForce struct{ *policy.Set }

// Current implements policy.Source.
func (f *inForce) Current(context.Context) (*policy.Set, error) { return f.Set, nil }

// Start starts both sides until ctx is done.
func (w *World) Start(ctx context.Context, shared *Shared) (*Sides, error) {
	configurations := shared.connected(w.Webhooks)
	c := w.cluster(configurations)
	s := &Sides{world: w, shared: shared, objects: kinds.New().ObjectInterfaces()}
	if err := s.startUpstream(ctx, c); err != nil {
		return nil, err
	}
	return s, s.startOurs(ctx, c, configurations)
}

// UpstreamPolicies returns upstream's plugins of policies, which are started.
func (s *Sides) UpstreamPolicies() (
	apiadmission.MutationInterface, apiadmission.ValidationInterface,
) {
	return s.upstream.mutatingPolicies, s.upstream.validatingPolicies
}

// Gatehouse returns the phases of our dispatcher, with policies and webhooks.
func (s *Sides) Gatehouse() (apiadmission.MutationInterface, apiadmission.ValidationInterface) {
	return s.byName.Mutating(), s.byName.Validating()
}

// startUpstream starts upstream's plugins.
func (s *Sides) startUpstream(ctx context.Context, c *cluster) (err error) {
	if s.upstream, err = newUpstream(); err != nil {
		return err
	}
	s.theirs, err = newChain(s.upstream.plugins(), apiadmission.PluginInitializers{
		initializer.New(c.client, c.dynamic, c.factory, c.authorizer(), utilfeature.DefaultFeatureGate,
			nil, ctx.Done(), c.mapper),
	})
	if err != nil {
		return err
	}
	c.factory.Core().V1().Namespaces().Informer()
	c.factory.Start(ctx.Done())
	c.factory.WaitForCacheSync(ctx.Done())
	if !s.upstream.ready() {
		return errors.New("upstream's plugins are not ready")
	}
	return nil
}

// startOurs makes our dispatchers.
func (s *Sides) startOurs(
	ctx context.Context, c *cluster, configurations []runtime.Object,
) (err error) {
	params := informed.NewParams(c.factory, c.client.Discovery(), c.dynamic, ctx.Done())
	s.set, err = policy.NewSet(params, s.world.Policies...)
	if err != nil {
		return err
	}
	s.inForce = &inForce{s.set}
	config := policy.Config{
		Source: s.inForce, Namespaces: policy.NamespacesFunc(c.namespace), Authorizer: c.authorizer(),
		Types: s.shared.schemas.Types, Exact: true,
	}
	if s.exact, err = s.newDispatcher(c, config, configurations); err != nil {
		return err
	}
	config.Exact = false
	s.byName, err = s.newDispatcher(c, config, configurations)
	return err
}

func (s *Sides) newDispatcher(
	c *cluster, config policy.Config, configurations []runtime.Object,
) (*dispatcher.Dispatcher, error) {
	policies, err := policy.New(config)
	if err != nil {
		return nil, err
	}
	list, err := source.Fixed(configurations)
	if err != nil {
		return nil, err
	}
	return dispatcher.New(dispatcher.Config{
		Source: list, Client: s.shared.client, Authorizer: c.authorizer(), Policies: policies,
		Namespaces: source.ClusterNamespaces(
			c.factory.Core().V1().Namespaces().Lister(), c.client.CoreV1().Namespaces()),
		Metrics: upstream.Recorder{}, Exact: config.Exact,
	})
}
