// 2-ignore-has-a-deadline creates a pod with a request deadline of three
// seconds and webhooks that never respond; see README.md.
package main

import (
	"context"
	_ "embed"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
)

// requestTimeout stands for the 34 seconds that an API server gives a request,
// or the timeout that the client requests.
const requestTimeout = 3 * time.Second

//go:embed webhooks.yaml
var configuration []byte

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	d, err := newDispatcher()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	response, err := simulate.Request(ctx, d, createPod(),
		apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme))
	if err != nil {
		return err
	}
	return explain.Response(response).Tree(out, explain.TreeOptions{Details: true})
}

func newDispatcher() (*dispatcher.Dispatcher, error) {
	var webhooks registrationv1.MutatingWebhookConfiguration
	if err := yaml.UnmarshalStrict(configuration, &webhooks); err != nil {
		return nil, err
	}
	fixed, err := source.Fixed([]runtime.Object{&webhooks})
	if err != nil {
		return nil, err
	}
	// A handler stands in for each webhook. It returns when the caller has
	// given up.
	hang := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	return dispatcher.New(dispatcher.Config{
		Source: fixed,
		Client: client.InProcess(func(*admission.Webhook) http.Handler { return hang }),
	})
}

func createPod() *admission.Request {
	return &admission.Request{
		Operation: admissionv1.Create,
		Kind:      corev1.SchemeGroupVersion.WithKind("Pod"),
		Resource:  corev1.SchemeGroupVersion.WithResource("pods"),
		Namespace: "shop",
		Object:    &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}},
		User:      &authenticationv1.UserInfo{Username: "ann"},
	}
}
