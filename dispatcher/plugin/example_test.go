package plugin_test

import (
	"context"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	webhookinitializer "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	"k8s.io/apiserver/pkg/authentication/user"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/dispatcher/plugin"
)

// A server registers the plugins and initializes them as it does all others.
func ExampleRegister() {
	kube := fake.NewClientset() // a real server's own client
	factory := informers.NewSharedInformerFactory(kube, 0)
	drained := make(chan struct{})

	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins)
	validating, err := plugins.InitPlugin(plugin.ValidatingName, nil, apiadmission.PluginInitializers{
		initializer.New(kube, nil, factory, nil, utilfeature.DefaultFeatureGate, nil, drained, nil),
		webhookinitializer.NewPluginInitializer(nil, webhookutil.NewDefaultServiceResolver()),
	})
	if err != nil {
		log.Fatal(err)
	}
	factory.Start(drained)

	request := apiadmission.NewAttributesRecord(&corev1.Pod{}, nil, corev1.SchemeGroupVersion.WithKind("Pod"), "shop", "web",
		corev1.SchemeGroupVersion.WithResource("pods"), "", apiadmission.Create, nil, false, &user.DefaultInfo{Name: "ann"})
	objects := apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
	fmt.Println(validating.(apiadmission.ValidationInterface).Validate(context.Background(), request, objects))

	close(drained) // after the last request: connections and goroutines are given back
	factory.Shutdown()
	// Output:
	// <nil>
}
