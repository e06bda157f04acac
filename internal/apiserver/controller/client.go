package controller

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// startInterval is the time between two checks whether the server has started.
const startInterval = 20 * time.Millisecond

// Clients are the clients of a controller.
type Clients struct {
	Typed   kubernetes.Interface
	Objects metadata.Interface
}

// NewClients returns clients that act as the service account of a controller in
// kube-system, such as "namespace-controller". The clients of
// kube-controller-manager do the same in a cluster, and webhooks receive this
// user.
func NewClients(
	server *genericapiserver.GenericAPIServer, account string,
) (c Clients, err error) {
	config := rest.CopyConfig(server.LoopbackClientConfig)
	config.Impersonate.UserName = serviceaccount.MakeUsername(metav1.NamespaceSystem, account)
	if c.Typed, err = kubernetes.NewForConfig(config); err == nil {
		c.Objects, err = metadata.NewForConfig(config)
	}
	if err != nil {
		err = fmt.Errorf("creating the clients of %s: %w", account, err)
	}
	return c, err
}

// AwaitStart returns when all other post-start hooks of a starting server have
// ended. Before that, discovery does not list all custom resources. It fails
// only if ctx ends.
func AwaitStart(ctx context.Context, server *genericapiserver.GenericAPIServer) error {
	return wait.PollUntilContextCancel(ctx, startInterval, true,
		func(context.Context) (bool, error) {
			for _, check := range server.HealthzChecks() {
				if check.Check(nil) != nil {
					return false, nil
				}
			}
			return true, nil
		})
}
