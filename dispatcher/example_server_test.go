package dispatcher_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	endpointsrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/collector"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/matching"
	"example.com/gatehouse/metrics"
)

// A server that is not built on k8s.io/apiserver's plugins puts the whole
// engine together: a source that follows informers, a client that closes the
// connections to webhooks that are gone, limits, metrics in a registry of its
// own, and an observer that explains denials.
func ExampleDispatcher() {
	webhookServer := httptest.NewTLSServer(webhook(denyRoot))
	defer webhookServer.Close()
	configuration := noRootPods()
	configuration.Webhooks[0].ClientConfig.URL = &webhookServer.URL
	configuration.Webhooks[0].ClientConfig.CABundle = pem.EncodeToMemory(
		&pem.Block{Type: "CERTIFICATE", Bytes: webhookServer.Certificate().Raw})
	registration.Default(configuration) // as the API server does

	kube := fake.NewClientset(configuration) // a real server's own client
	factory := informers.NewSharedInformerFactory(kube, 0)
	namespaces := factory.Core().V1().Namespaces()

	registry := prometheus.NewRegistry()
	counters, err := metrics.New(registry)
	if err != nil {
		log.Fatal(err)
	}
	webhookClient, err := client.New(client.Config{})
	if err != nil {
		log.Fatal(err)
	}
	webhooks, err := source.Informers(source.Watched{
		Mutating:   factory.Admissionregistration().V1().MutatingWebhookConfigurations(),
		Validating: factory.Admissionregistration().V1().ValidatingWebhookConfigurations(),
		Also:       []cache.InformerSynced{namespaces.Informer().HasSynced},
		Published:  func(s *matching.Snapshot) { webhookClient.Retain(s.All()) },
	})
	if err != nil {
		log.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{
		Source:     webhooks,
		Client:     webhookClient,
		Namespaces: source.ClusterNamespaces(namespaces.Lister(), kube.CoreV1().Namespaces()),
		Limits:     limits.Limits{ResponseBody: 1 << 20},
		Metrics:    counters,
		Observer: collector.New(collector.Config{Done: func(r *admission.Response) {
			if !r.Allowed {
				fmt.Println(explain.Response(r).Rounds[0].Webhooks[0].Call.Outcome)
			}
		}}),
	})
	if err != nil {
		log.Fatal(err)
	}
	stop := make(chan struct{})
	factory.Start(stop)

	// A request, with the attributes and the context of the server's handler.
	ctx := endpointsrequest.WithRequestInfo(context.Background(), &endpointsrequest.RequestInfo{})
	pod := &corev1.Pod{Spec: corev1.PodSpec{SecurityContext: &corev1.PodSecurityContext{RunAsUser: new(int64)}}}
	request := apiadmission.NewAttributesRecord(pod, nil, corev1.SchemeGroupVersion.WithKind("Pod"), "shop", "web",
		corev1.SchemeGroupVersion.WithResource("pods"), "", apiadmission.Create, &metav1.CreateOptions{}, false,
		&user.DefaultInfo{Name: "ann"})
	objects := apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
	err = d.Mutating().Admit(ctx, request, objects)
	if err == nil {
		err = d.Validating().Validate(ctx, request, objects)
	}
	fmt.Println(err)

	// After the last request: first what asks, then what answers.
	webhooks.Close()
	webhookClient.Close()
	close(stop)
	factory.Shutdown()
	// Output:
	// rejected
	// admission webhook "no-root.example.com" denied the request: pods must not run as root
}
