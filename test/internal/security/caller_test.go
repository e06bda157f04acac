package security_test

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
)

// caller is an engine that calls webhooks over the network with a kubeconfig's
// credentials.
type caller struct {
	kubeconfig string
	exact      bool
	proxy      *url.URL
	// service is where all services are.
	service *url.URL
}

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (c caller) ResolveEndpoint(string, string, int32) (*url.URL, error) { return c.service, nil }

// call sends the creation of a pod to a validating webhook and returns the
// error.
func (c caller) call(t *testing.T, webhook registrationv1.WebhookClientConfig) error {
	t.Helper()
	auth, err := client.KubeconfigAuth(c.kubeconfig, c.exact)
	if err != nil {
		t.Fatal(err)
	}
	config := client.Config{AuthInfo: auth, Services: c, Exact: c.exact, Dial: dial}
	if c.proxy != nil {
		config.Proxy = http.ProxyURL(c.proxy)
	}
	reach, err := client.New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer reach.Close()
	webhooks, err := source.Fixed([]runtime.Object{&registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "config"},
		Webhooks:   []registrationv1.ValidatingWebhook{everything("hook.example.com", webhook)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	engine, err := dispatcher.New(dispatcher.Config{Source: webhooks, Client: reach, Exact: c.exact})
	if err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
	}
	attributes := apiadmission.NewAttributesRecord(pod, nil, pod.GroupVersionKind(), "", "web",
		corev1.SchemeGroupVersion.WithResource("pods"), "", apiadmission.Create, &metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "kim"})
	return engine.Validating().Validate(t.Context(), attributes, apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme))
}

// dial knows localhost with a dot at its end, for which resolvers ask others.
func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, strings.Replace(addr, "localhost.:", "localhost:", 1))
}

// everything is a webhook that sees every request.
func everything(name string, at registrationv1.WebhookClientConfig) registrationv1.ValidatingWebhook {
	return registrationv1.ValidatingWebhook{
		Name:         name,
		ClientConfig: at,
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{registrationv1.OperationAll},
			Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}},
		}},
		SideEffects:             new(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1"},
	}
}
