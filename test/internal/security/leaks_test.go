package security_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/features"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/featuregate"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/certs"
)

// policies are the failure policies that every fault is tested with.
var policies = []registrationv1.FailurePolicyType{registrationv1.Fail, registrationv1.Ignore}

// newLeaks starts the webhooks and the plugins.
func newLeaks(t *testing.T, m mode) *leaks {
	t.Helper()
	authority, err := certs.NewAuthority("security test")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for _, f := range faults() {
		if f.answer != nil {
			mux.HandleFunc("/"+path(f.Name()), f.answer)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &leaks{log: m.listen(t), spans: tracetest.NewSpanRecorder()}
	serve(t, listener, mux, authority, false)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	mutating, validating := webhooks(port, authority.Bundle())
	kube := fake.NewClientset(
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}},
		&registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Webhooks: mutating},
		&registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Webhooks: validating},
	)
	var options []plugin.Option
	if m.exact {
		options = append(options, plugin.WithExact())
	}
	l.plug(t, kube, writeUsers(t, port), options...)
	return l
}

// plug makes the plugins.
func (l *leaks) plug(t *testing.T, kube *fake.Clientset, config string, options ...plugin.Option) {
	t.Helper()
	factory := informers.NewSharedInformerFactory(kube, 0)
	drained, stop := make(chan struct{}), make(chan struct{})
	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins, options...)
	wire := apiadmission.PluginInitializers{initializer.New(kube, nil, factory, nil, gates(t), nil, drained, nil), homebound{}}
	for _, name := range []string{plugin.MutatingName, plugin.ValidatingName} {
		p, err := plugins.InitPlugin(name, strings.NewReader(config), wire)
		if err != nil {
			t.Fatal(err)
		}
		switch p := p.(type) {
		case apiadmission.MutationInterface:
			l.mutating = p
		case apiadmission.ValidationInterface:
			l.validating = p
		}
	}
	factory.Start(stop)
	t.Cleanup(func() {
		close(stop)
		factory.Shutdown()
		close(drained)
	})
}

// homebound dials loopback for every address, wherever redirects lead. It
// resolves no names.
type homebound struct{}

func (homebound) Initialize(p apiadmission.Interface) {
	p.(initializerOfWrappers).SetAuthenticationInfoResolverWrapper(func(inner webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
		return &webhookutil.AuthenticationInfoResolverDelegator{
			ClientConfigForFunc: func(hostPort string) (*rest.Config, error) {
				config, err := inner.ClientConfigFor(hostPort)
				if err == nil {
					config = rest.CopyConfig(config)
					config.Dial = dialHome
				}
				return config, err
			},
			ClientConfigForServiceFunc: inner.ClientConfigForService,
		}
	})
}

type initializerOfWrappers interface {
	SetAuthenticationInfoResolverWrapper(webhookutil.AuthenticationInfoResolverWrapper)
}

func dialHome(ctx context.Context, network, addr string) (net.Conn, error) {
	if host, _, _ := net.SplitHostPort(addr); host != "localhost" && host != "127.0.0.1" {
		return nil, fmt.Errorf("dial %s: no such host", addr)
	}
	return new(net.Dialer).DialContext(ctx, network, addr)
}

// webhooks returns those of both phases: for each fault one of each policy.
func webhooks(port string, ca []byte) (mutating []registrationv1.MutatingWebhook, validating []registrationv1.ValidatingWebhook) {
	for _, f := range faults() {
		for _, policy := range policies {
			name := strings.ToLower(string(policy)) + "." + path(f.Name()) + ".example.com"
			// The one host has a token, the other a password.
			at := func(host string) registrationv1.WebhookClientConfig {
				return registrationv1.WebhookClientConfig{URL: new("https://" + host + ":" + port + "/" + path(f.Name())), CABundle: ca}
			}
			v := everything(name, at("localhost"))
			v.NamespaceSelector, v.FailurePolicy = &metav1.LabelSelector{}, &policy
			v.ObjectSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"fault": path(f.Name()), "policy": string(policy)}}
			if f.condition != "" {
				v.MatchConditions = []registrationv1.MatchCondition{{Name: "condition", Expression: f.condition}}
			}
			validating = append(validating, v)
			mutating = append(mutating, registrationv1.MutatingWebhook{
				Name: name, ClientConfig: at("127.0.0.1"), Rules: v.Rules, SideEffects: v.SideEffects, AdmissionReviewVersions: v.AdmissionReviewVersions,
				NamespaceSelector: v.NamespaceSelector, ObjectSelector: v.ObjectSelector, FailurePolicy: v.FailurePolicy, MatchConditions: v.MatchConditions,
			})
		}
	}
	return mutating, validating
}

// writeUsers writes a kubeconfig, and returns the configuration of the plugins.
func writeUsers(t *testing.T, port string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	write(t, file, "{apiVersion: v1, kind: Config, users: [{name: '127.0.0.1:"+port+"', user: {token: "+ofToken+"}}, "+
		"{name: 'localhost:"+port+"', user: {username: kim, password: "+ofToken+"}}]}")
	return "apiVersion: apiserver.config.k8s.io/v1\nkind: WebhookAdmissionConfiguration\nkubeConfigFile: '" + file + "'\n"
}

// gates are feature gates of which the plugins ask for one.
func gates(t *testing.T) featuregate.FeatureGate {
	t.Helper()
	g := featuregate.NewFeatureGate()
	err := g.Add(map[featuregate.Feature]featuregate.FeatureSpec{
		features.ExcludeAdmissionWebhookVirtualResources: {Default: false, PreRelease: featuregate.Beta},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// anyKind also makes objects of kinds that no scheme knows, as servers of
// custom resources do.
type anyKind struct{ apiadmission.ObjectInterfaces }

func (anyKind) GetObjectCreater() runtime.ObjectCreater { return creater{} }

type creater struct{}

func (creater) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	if scheme.Scheme.Recognizes(kind) {
		return scheme.Scheme.New(kind)
	}
	return &unstructured.Unstructured{}, nil
}
