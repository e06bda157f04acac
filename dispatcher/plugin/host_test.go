package plugin_test

import (
	"context"
	"io"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	webhookinitializer "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/features"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/component-base/featuregate"

	"example.com/gatehouse/dispatcher/plugin"
)

// cluster is a fake API server and the informers that a host has of it.
type cluster struct {
	kube    *fake.Clientset
	factory informers.SharedInformerFactory
	// watched receives the resource of every watch that has begun. What happens
	// the fake server loses changes between list and watch.
	watched chan string
}

func newCluster(configurations ...runtime.Object) cluster {
	kube := fake.NewClientset(append(configurations, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop", Labels: map[string]string{"team": "a"}}})...)
	c := cluster{kube, informers.NewSharedInformerFactory(kube, 0), make(chan string, 16)}
	kube.PrependWatchReactor("*", func(action clienttesting.Action) (bool, watch.Interface, error) {
		var options metav1.ListOptions
		if a, ok := action.(clienttesting.WatchActionImpl); ok {
			options = a.ListOptions
		}
		w, err := kube.Tracker().Watch(action.GetResource(), action.GetNamespace(), options)
		select {
		case c.watched <- action.GetResource().Resource:
		default: // drop the rest
		}
		return true, w, err
	})
	return c
}

// start has the informers deliver, until the end of the test.
func (c cluster) start(t *testing.T) {
	t.Helper()
	stop := make(chan struct{})
	c.factory.Start(stop)
	t.Cleanup(func() { close(stop); c.factory.Shutdown() })
}

// host is a server with one admission plugin. What it leaves out is not handed
// to the plugin.
type host struct {
	cluster
	config   io.Reader
	exclude  bool
	excluded []schema.GroupResource
	wrap     webhookutil.AuthenticationInfoResolverWrapper
	services webhookutil.ServiceResolver
	drained  chan struct{}
	// allowed is what the server's authorizer answers.
	allowed authorizer.Decision
	options []plugin.Option
}

// initializers are all that a server has, in kube-apiserver's order (S-020).
func (h *host) initializers(t *testing.T) apiadmission.PluginInitializers {
	t.Helper()
	return apiadmission.PluginInitializers{
		initializer.NewAPIServerIDInitializer("apiserver-1"),
		initializer.New(h.kube, nil, h.factory, deciding(h.allowed), gates(t, h.exclude), nil, h.drained, nil),
		webhookinitializer.NewPluginInitializer(h.wrap, h.services),
		excluding(h.excluded),
	}
}

// open makes the plugin and starts the informers. The plugin is drained at the
// end of the test.
func (h *host) open(t *testing.T, name string) apiadmission.Interface {
	t.Helper()
	p := h.prepare(t, name)
	h.start(t)
	return p
}

// prepare makes the plugin and leaves the informers alone.
func (h *host) prepare(t *testing.T, name string) apiadmission.Interface {
	t.Helper()
	if h.drained == nil {
		h.drained = make(chan struct{})
		t.Cleanup(func() { close(h.drained) })
	}
	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins, h.options...)
	p, err := plugins.InitPlugin(name, h.config, h.initializers(t))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// deciding is an authorizer that always gives the same answer.
func deciding(decision authorizer.Decision) authorizer.Authorizer {
	return authorizer.AuthorizerFunc(func(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
		return decision, "", nil
	})
}

// excluding is what kube-apiserver's own initializer does about excluded
// resources.
type excluding []schema.GroupResource

func (e excluding) Initialize(p apiadmission.Interface) {
	if wants, ok := p.(initializer.WantsExcludedAdmissionResources); ok {
		wants.SetExcludedAdmissionResources(e)
	}
}

// gates are feature gates of which one matters.
func gates(t *testing.T, exclude bool) featuregate.FeatureGate {
	t.Helper()
	g := featuregate.NewFeatureGate()
	err := g.Add(map[featuregate.Feature]featuregate.FeatureSpec{
		features.ExcludeAdmissionWebhookVirtualResources: {Default: exclude, PreRelease: featuregate.Beta},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// admit sends the creation of a pod through a plugin.
func admit(ctx context.Context, p apiadmission.Interface) error {
	return admitted(ctx, p, creation())
}

func admitted(ctx context.Context, p apiadmission.Interface, a apiadmission.Attributes) error {
	objects := apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
	if mutating, ok := p.(apiadmission.MutationInterface); ok {
		return mutating.Admit(ctx, a, objects)
	}
	return p.(apiadmission.ValidationInterface).Validate(ctx, a, objects)
}

// creation is a request for a pod with a label that must not be logged.
func creation() apiadmission.Attributes {
	pod := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", Labels: map[string]string{"label": "object-content"}},
	}
	return apiadmission.NewAttributesRecord(pod, nil, corev1.SchemeGroupVersion.WithKind("Pod"), "shop", "web",
		corev1.SchemeGroupVersion.WithResource("pods"), "", apiadmission.Create, &metav1.CreateOptions{}, false,
		&user.DefaultInfo{Name: "kim"})
}
