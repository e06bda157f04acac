package harness

import (
	"context"
	"fmt"
	"io"
	"slices"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	apiadmission "k8s.io/apiserver/pkg/admission"
	admissionmetrics "k8s.io/apiserver/pkg/admission/metrics"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/dispatcher/plugin"
)

// Side is an implementation of the plugins.
type Side uint8

// The sides.
const (
	// Upstream is k8s.io/apiserver.
	Upstream Side = 1 + iota
	// Gatehouse is gatehouse with its default options.
	Gatehouse
	// Exact is gatehouse with plugin.WithExact.
	Exact
	// Explained is gatehouse with an observer that receives traces. It runs
	// only on request.
	Explained
)

// String is the side's name in reports.
func (s Side) String() string {
	switch s {
	case Upstream:
		return "upstream"
	case Gatehouse:
		return "gatehouse"
	case Exact:
		return "gatehouse exact"
	case Explained:
		return "gatehouse explained"
	}
	return fmt.Sprintf("side %d", s)
}

// careful reports whether a side does better than upstream where gatehouse does
// by default.
func (s Side) careful() bool { return s == Gatehouse || s == Explained }

// Oracle is what the harness needs of upstream's webhook packages. Only tests
// may import those, so a test has to hand them in. Both fields are required.
type Oracle struct {
	// Register adds both of upstream's plugins to a registry.
	Register func(*apiadmission.Plugins)
	// Reach is upstream's initializer of the resolvers for webhooks, which
	// serves all sides.
	Reach func(webhookutil.AuthenticationInfoResolverWrapper, webhookutil.ServiceResolver) apiadmission.PluginInitializer
}

// Plugins returns a registry that has a side's two plugins. The options are for
// gatehouse's.
func (o Oracle) Plugins(side Side, options ...plugin.Option) *apiadmission.Plugins {
	plugins := apiadmission.NewPlugins()
	switch side {
	case Upstream:
		o.Register(plugins)
	case Exact:
		plugin.Register(plugins, append(options, plugin.WithExact())...)
	default:
		plugin.Register(plugins, options...)
	}
	return plugins
}

// host is a server of one side. Its plugins are made once.
type host struct {
	side     Side
	registry *apiadmission.Plugins
	reach    apiadmission.PluginInitializer
	made     map[string]apiadmission.Interface
	drained  chan struct{}
	spans    *tracetest.InMemoryExporter
	traces   *sdktrace.TracerProvider
}

// entryRecorder records in the run the object that the mutating plugin
// received.
type entryRecorder struct{ apiadmission.MutationInterface }

// Admit implements apiadmission.MutationInterface.
func (e entryRecorder) Admit(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) error {
	runOf(ctx).entered = hold(a.GetObject())
	return e.MutationInterface.Admit(ctx, a, o)
}

func newHost(side Side, oracle Oracle, address string) *host {
	h := &host{
		side:    side,
		reach:   oracle.Reach(credentials, services(address)),
		made:    map[string]apiadmission.Interface{},
		drained: make(chan struct{}),
		spans:   tracetest.NewInMemoryExporter(),
	}
	var options []plugin.Option
	if side == Explained {
		options = []plugin.Option{plugin.WithObserver(observer{}), plugin.WithTrace()}
	}
	h.registry = oracle.Plugins(side, options...)
	h.traces = sdktrace.NewTracerProvider(sdktrace.WithSyncer(h.spans))
	return h
}

// close closes the drained channel, as a server does after its last request.
func (h *host) close() { close(h.drained) }

// plugin returns one of the two webhook plugins. The first call creates and
// fully initializes it; later the chain initializes it again.
func (h *host) plugin(
	name string, initialize apiadmission.PluginInitializers,
) (apiadmission.Interface, error) {
	if made := h.made[name]; made != nil {
		return made, nil
	}
	// Setting the resolvers wraps the existing ones, so it must be done only
	// once.
	made, err := h.registry.InitPlugin(name, nil, append(slices.Clip(initialize), h.reach))
	if err != nil {
		return nil, err
	}
	h.made[name] = made
	return made, nil
}

// noConfig is a server without an admission configuration.
type noConfig struct{}

// ConfigFor implements apiadmission.ConfigProvider.
func (noConfig) ConfigFor(string) (io.Reader, error) { return nil, nil }

// chain builds what a server calls: named plugins in order, with reinvocation,
// metrics and audit around them (S-024). The in-tree plugins come with it.
func (h *host) chain(p *environment, inTree []*inTree) (apiadmission.Interface, error) {
	initialize := p.initializers(h)
	plugins := apiadmission.NewPlugins()
	var before, after []string
	for i, t := range inTree {
		name := fmt.Sprintf("InTree%d", i)
		plugins.Register(name, func(io.Reader) (apiadmission.Interface, error) { return t, nil })
		if t.After {
			after = append(after, name)
		} else {
			before = append(before, name)
		}
	}
	for _, name := range []string{plugin.MutatingName, plugin.ValidatingName} {
		plugins.Register(
			name, func(io.Reader) (apiadmission.Interface, error) { return h.plugin(name, initialize) })
	}
	order := append(append(append(before, plugin.MutatingName), after...), plugin.ValidatingName)
	decorators := apiadmission.Decorators{
		apiadmission.DecoratorFunc(admissionmetrics.WithControllerMetrics),
		apiadmission.DecoratorFunc(func(made apiadmission.Interface, name string) apiadmission.Interface {
			if name == plugin.MutatingName {
				return entryRecorder{made.(apiadmission.MutationInterface)}
			}
			return made
		}),
	}
	chain, err := plugins.NewFromPlugins(order, noConfig{}, initialize, decorators)
	if err != nil {
		return nil, fmt.Errorf("building the chain of %s: %w", h.side, err)
	}
	return apiadmission.WithAudit(admissionmetrics.WithStepMetrics(chain)), nil
}
