package main

import (
	"context"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	webhookinitializer "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/test/internal/parity/harness"
)

// side is the implementation of the plugins.
type side uint8

const (
	upstream side = 1 + iota
	gatehouse
)

// String is the side's name in reports and in the names of files.
func (s side) String() string {
	switch s {
	case upstream:
		return "upstream"
	case gatehouse:
		return "gatehouse"
	}
	return fmt.Sprintf("side %d", uint8(s))
}

// both is every side, upstream first.
func both() []side { return []side{upstream, gatehouse} }

// plugins returns the side's plugins. The options are for gatehouse's.
func (s side) plugins(options ...plugin.Option) *apiadmission.Plugins {
	plugins := apiadmission.NewPlugins()
	if s == gatehouse {
		plugin.Register(plugins, options...)
		return plugins
	}
	mutating.Register(plugins)
	validating.Register(plugins)
	return plugins
}

// cluster is what both sides watch.
type cluster struct {
	kube    kubernetes.Interface
	factory *harness.Factory
	stop    chan struct{}
}

// newCluster returns when the informers know all objects.
func newCluster(ctx context.Context, objects []runtime.Object) (*cluster, error) {
	kube := fake.NewClientset(objects...)
	c := &cluster{kube: kube, factory: harness.NewFactory(kube), stop: make(chan struct{})}
	c.factory.StartAll(c.stop)
	if err := c.factory.Wait(ctx); err != nil {
		c.close()
		return nil, fmt.Errorf("starting the informers: %w", err)
	}
	return c, nil
}

// close stops the informers, and closes the plugins' drained channel.
func (c *cluster) close() {
	close(c.stop)
	c.factory.Shutdown()
}

// chain is a side's two plugins.
type chain struct {
	mutating   apiadmission.MutationInterface
	validating apiadmission.ValidationInterface
	// whole is both of them in order, with reinvocation, as a server has them.
	whole apiadmission.Interface
}

// open makes a side's plugins and returns when they know the cluster.
func (c *cluster) open(ctx context.Context, s side, r route) (*chain, error) {
	initializers := apiadmission.PluginInitializers{
		initializer.New(c.kube, nil, c.factory, nil, utilfeature.DefaultFeatureGate, nil, c.stop, nil),
		webhookinitializer.NewPluginInitializer(r.wrap, r),
	}
	opened := &chain{}
	names := []string{plugin.MutatingName, plugin.ValidatingName}
	whole, err := s.plugins(r.options...).
		NewFromPlugins(names, noConfig{}, initializers, apiadmission.DecoratorFunc(opened.keep))
	if err == nil {
		err = c.factory.Wait(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("making the plugins of %s: %w", s, err)
	}
	opened.whole = whole
	return opened, nil
}

// keep is a decorator that records the plugins and does not decorate.
func (c *chain) keep(made apiadmission.Interface, _ string) apiadmission.Interface {
	if m, ok := made.(apiadmission.MutationInterface); ok {
		c.mutating = m
	}
	if v, ok := made.(apiadmission.ValidationInterface); ok {
		c.validating = v
	}
	return made
}

// noConfig is a server without an admission configuration.
type noConfig struct{}

// ConfigFor implements apiadmission.ConfigProvider.
func (noConfig) ConfigFor(string) (io.Reader, error) { return nil, nil }
