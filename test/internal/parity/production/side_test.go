package production

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	webhookinitializer "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/kubernetes/fake"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// oracle is kube-apiserver's plugins.
func oracle() harness.Oracle {
	return harness.Oracle{
		Register: func(plugins *apiadmission.Plugins) {
			mutating.Register(plugins)
			validating.Register(plugins)
		},
		Reach: func(wrap webhookutil.AuthenticationInfoResolverWrapper, services webhookutil.ServiceResolver) apiadmission.PluginInitializer {
			return webhookinitializer.NewPluginInitializer(wrap, services)
		},
	}
}

// setup is what a side's plugin is made of.
type setup struct {
	webhook registrationv1.WebhookClientConfig
	// seconds is the webhook's timeout; the default is 5.
	seconds int32
	// kubeconfig is the file with the plugin's credentials, if any.
	kubeconfig string
	wrap       webhookutil.AuthenticationInfoResolverWrapper
	services   webhookutil.ServiceResolver
	// mutating has the webhook mutate pods, with failurePolicy Ignore.
	mutating bool
}

// host is one side's plugin, with its own cluster.
type host struct {
	plugin apiadmission.Interface
	kube   *fake.Clientset
	kinds  harness.Kinds
	// seen are gatehouse's records of mutating calls.
	seen records
}

// newKinds is harness.NewKinds, once for all tests.
var newKinds = sync.OnceValues(harness.NewKinds)

const configurationName = "hooks"

// open initializes a side's plugin. It is closed at the end of the test.
func open(t *testing.T, side harness.Side, s setup) *host {
	t.Helper()
	name, hooks := plugin.ValidatingName, runtime.Object(configuration(s.webhook, cmp.Or(s.seconds, 5)))
	if s.mutating {
		name, hooks = plugin.MutatingName, ignoring(s.webhook)
	}
	h := &host{kube: fake.NewClientset(
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}}, hooks,
	)}
	var err error
	if h.kinds, err = newKinds(); err != nil {
		t.Fatal(err)
	}
	factory, stop := harness.NewFactory(h.kube), make(chan struct{})
	factory.StartAll(stop)
	t.Cleanup(func() {
		close(stop)
		factory.Shutdown()
	})
	plugins := oracle().Plugins(side, plugin.WithObserver(&h.seen))
	h.plugin, err = plugins.InitPlugin(name, s.credentials(), apiadmission.PluginInitializers{
		initializer.New(h.kube, nil, factory, nil, utilfeature.DefaultFeatureGate, nil, stop, nil),
		oracle().Reach(s.wrap, s.services),
	})
	if err == nil {
		err = factory.Wait(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// credentials are the plugin's own configuration.
func (s *setup) credentials() io.Reader {
	if s.kubeconfig == "" {
		return nil
	}
	content, _ := json.Marshal(map[string]string{
		"apiVersion": "apiserver.config.k8s.io/v1", "kind": "WebhookAdmissionConfiguration",
		"kubeConfigFile": s.kubeconfig,
	})
	return bytes.NewReader(content)
}

// configuration has one webhook, for pods.
func configuration(
	client registrationv1.WebhookClientConfig, seconds int32,
) *registrationv1.ValidatingWebhookConfiguration {
	return &registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: configurationName},
		Webhooks: []registrationv1.ValidatingWebhook{{
			Name:         "hook.example.com",
			ClientConfig: client,
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{registrationv1.Create},
				Rule: registrationv1.Rule{
					APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"},
				},
			}},
			FailurePolicy:           new(registrationv1.Fail),
			MatchPolicy:             new(registrationv1.Equivalent),
			NamespaceSelector:       &metav1.LabelSelector{},
			ObjectSelector:          &metav1.LabelSelector{},
			SideEffects:             new(registrationv1.SideEffectClassNone),
			TimeoutSeconds:          &seconds,
			AdmissionReviewVersions: []string{"v1"},
		}},
	}
}

const createPod = `{
  "operation": "CREATE",
  "kind": {"version": "v1", "kind": "Pod"},
  "resource": {"version": "v1", "resource": "pods"},
  "namespace": "default",
  "name": "web",
  "object": {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "web", "namespace": "default"},
    "spec": {"containers": [{"name": "c", "image": "` + confidential + `"}]}
  }
}`

// confidential is in each review, and must not be seen outside of TLS.
const confidential = "registry.example/confidential:1"

// call has the webhook review a pod. The error is that of the request, or says that
// the pod is unmutated.
func (h *host) call(ctx context.Context) error {
	var asked scenario.Request
	if err := json.Unmarshal([]byte(createPod), &asked); err != nil {
		return fmt.Errorf("the request: %w", err)
	}
	request, err := h.kinds.Request(&asked, &scenario.Environment{})
	if err != nil {
		return fmt.Errorf("the request: %w", err)
	}
	if mutating, ok := h.plugin.(apiadmission.MutationInterface); ok {
		return mutate(ctx, mutating, request)
	}
	return h.plugin.(apiadmission.ValidationInterface).Validate(ctx, request.Attributes(), request.Interfaces)
}
