package scenarios_test

import (
	"fmt"
	"testing"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/test/internal/serve/agnhost"
)

const (
	// service is the name of the webhooks' service, and servicePort its port.
	service     = "e2e-test-webhook"
	servicePort = 8443
	// routed is the namespace of E-02, whose service is in the flag --resolve.
	routed = "webhook-e-02"
)

// server is a running command and its clients.
type server struct {
	kubernetes.Interface
	dynamic     dynamic.Interface
	definitions apiextensions.Interface
	// routed are the webhooks that the command line leads to.
	routed *process.Webhooks
}

// webhooks serves the webhooks of a namespace.
func webhooks(t *testing.T, namespace string) *process.Webhooks {
	t.Helper()
	return process.ServeTLS(t, agnhost.New(""), service+"."+namespace+".svc")
}

// start starts the command. It has to end well when all scenarios have.
func start(t *testing.T) *server {
	t.Helper()
	s := &server{routed: webhooks(t, routed)}
	p := process.Start(t, binary, "--quiet", "--resolve", fmt.Sprintf("%s.%s.svc:%d:%s", service, routed, servicePort, s.routed.Address))
	config := p.Config(t)
	config.QPS = -1 // the client must not throttle parallel scenarios
	s.Interface = must[*kubernetes.Clientset](t)(kubernetes.NewForConfig(config))
	s.dynamic = must[*dynamic.DynamicClient](t)(dynamic.NewForConfig(config))
	s.definitions = must[*apiextensions.Clientset](t)(apiextensions.NewForConfig(config))
	t.Cleanup(func() {
		if status := p.Stop(t); status != 0 {
			t.Errorf("exit status %d, want 0: %s", status, p.Printed())
		}
	})
	return s
}

// inForce returns when all later requests see an object as it is. The key of a
// namespaced object has the namespace before the name.
func (s *server) inForce(t *testing.T, plural string, object metav1.Object) {
	t.Helper()
	path := []string{"/gatehouse/inforce", plural, object.GetName()}
	if namespace := object.GetNamespace(); namespace != "" {
		path = []string{"/gatehouse/inforce", plural, namespace, object.GetName()}
	}
	request := s.CoreV1().RESTClient().Get().AbsPath(path...).Param("resourceVersion", object.GetResourceVersion())
	must[[]byte](t)(request.DoRaw(t.Context()))
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
