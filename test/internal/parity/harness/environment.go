package harness

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes/fake"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/test/internal/parity/scenario"
	"example.com/gatehouse/test/internal/parity/webhookserver"
)

// environment is the running state for one set of configurations: the informers
// and the chain of each side.
type environment struct {
	spec       *scenario.Environment
	factory    *Factory
	kube       *fake.Clientset // what looks for namespaces
	callLog    *callLog
	authorizer authorizer.Authorizer
	chains     map[Side]apiadmission.Interface
	inTree     map[Side][]*inTree
	stop       chan struct{}
}

// newEnvironment builds an environment with chains for some hosts, and returns
// when all of them have the configurations.
func newEnvironment(
	ctx context.Context, w *scenario.Environment, server *webhookserver.Server, hosts []*host,
) (*environment, error) {
	known, live, err := clusterObjects(w, server)
	if err != nil {
		return nil, err
	}
	kube := fake.NewClientset(known...)
	p := &environment{
		spec:    w,
		factory: NewFactory(kube),
		kube:    kube,
		callLog: &callLog{},
		chains:  map[Side]apiadmission.Interface{},
		inTree:  map[Side][]*inTree{},
		stop:    make(chan struct{}),
	}
	if len(live) > 0 {
		p.kube = fake.NewClientset(append(live, known...)...)
	}
	watchNamespaces(p.kube, p.callLog)
	p.factory.callLog, p.authorizer = p.callLog, newAuthorizer(w.Authorizer, p.callLog)
	if err := p.open(ctx, hosts); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// open starts the informers before the plugins see them: those that find an
// informer that has not synced look again after 100 ms, which would be most of
// the time that a step takes.
func (p *environment) open(ctx context.Context, hosts []*host) error {
	p.factory.StartAll(p.stop)
	if err := p.factory.Wait(ctx); err != nil {
		return err
	}
	for _, h := range hosts {
		var err error
		p.inTree[h.side] = newInTree(p.spec.InTree)
		if p.chains[h.side], err = h.chain(p, p.inTree[h.side]); err != nil {
			return err
		}
	}
	return p.factory.Wait(ctx)
}

// close ends the informers and waits for their goroutines.
func (p *environment) close() {
	close(p.stop)
	p.factory.Shutdown()
}

// clusterObjects returns what informers know, and what only the API server
// knows. The scenario's own objects are left alone.
func clusterObjects(
	w *scenario.Environment, server *webhookserver.Server,
) (known, live []runtime.Object, err error) {
	for i := range w.Mutating {
		c := w.Mutating[i].DeepCopy()
		if !w.Undefaulted {
			registration.Default(c)
		}
		for j := range c.Webhooks {
			Connect(&c.Webhooks[j].ClientConfig, server)
		}
		known = append(known, c)
	}
	for i := range w.Validating {
		c := w.Validating[i].DeepCopy()
		if !w.Undefaulted {
			registration.Default(c)
		}
		for j := range c.Webhooks {
			Connect(&c.Webhooks[j].ClientConfig, server)
		}
		known = append(known, c)
	}
	for i := range w.Namespaces {
		known = append(known, w.Namespaces[i].DeepCopy())
	}
	for i := range w.LiveNamespaces {
		live = append(live, w.LiveNamespaces[i].DeepCopy())
	}
	return known, live, checkNames(known)
}

// checkNames finds what the fake API server would take for one object.
func checkNames(objects []runtime.Object) error {
	seen := map[string]bool{}
	for _, o := range objects {
		named, ok := o.(interface{ GetName() string })
		key := fmt.Sprintf("%T %s", o, named.GetName())
		if !ok || named.GetName() == "" || seen[key] {
			return fmt.Errorf("%s: a name is missing or is there twice", key)
		}
		seen[key] = true
	}
	return nil
}

// initializers are all that a server has, in kube-apiserver's order (S-020).
func (p *environment) initializers(h *host) apiadmission.PluginInitializers {
	return apiadmission.PluginInitializers{
		initializer.NewAPIServerIDInitializer("apiserver-1"),
		initializer.New(p.kube, nil, p.factory, p.authorizer, utilfeature.DefaultFeatureGate,
			nil, h.drained, nil),
		excluding(p.spec.Excluded),
	}
}

// excluding is what kube-apiserver's own initializer does about excluded
// resources. The plugins add lists up, so that a plugin that was given one is
// of no use to other worlds.
type excluding []schema.GroupResource

// Initialize implements apiadmission.PluginInitializer.
func (e excluding) Initialize(p apiadmission.Interface) {
	if wants, ok := p.(initializer.WantsExcludedAdmissionResources); ok && len(e) > 0 {
		wants.SetExcludedAdmissionResources(e)
	}
}

// syncTimeout is how long informers may take, which is a matter of
// milliseconds.
const syncTimeout = 10 * time.Second

// errNotSynced is no error of a side.
var errNotSynced = errors.New("the informers did not deliver in time")
