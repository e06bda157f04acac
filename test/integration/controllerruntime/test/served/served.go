package served

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"example.com/backups/internal/setup"
	webhookv1 "example.com/backups/internal/webhook/v1"
)

// Service is where the project's configuration has the webhooks.
const Service = "webhook-service.system.svc"

// Webhooks runs the project's manager, with its webhooks and without its
// controller, until the test ends. The certificate is in a folder, as tls.crt and
// tls.key. It returns the address of the webhook server.
func Webhooks(t *testing.T, folder string) string {
	t.Helper()
	port := freePort(t)
	start(t, webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: folder}))
	return fmt.Sprintf("127.0.0.1:%d", port)
}

// start starts a manager and returns when its webhook server listens. There is
// no API server: webhooks need none.
func start(t *testing.T, server webhook.Server) {
	t.Helper()
	scheme, err := setup.Scheme()
	must(t, err)
	mgr, err := ctrl.NewManager(&rest.Config{Host: "https://127.0.0.1:1"}, ctrl.Options{
		Scheme:        scheme,
		Metrics:       metricsserver.Options{BindAddress: "0"},
		WebhookServer: server,
	})
	must(t, err)
	must(t, webhookv1.SetupPlanWebhookWithManager(mgr))
	ended := make(chan error)
	go func() { ended <- mgr.Start(t.Context()) }()
	t.Cleanup(func() { must(t, <-ended) })
	listens := func(context.Context) (bool, error) { return server.StartedChecker()(nil) == nil, nil }
	must(t, wait.PollUntilContextTimeout(
		t.Context(), 5*time.Millisecond, 2*time.Minute, true, listens))
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, listener.Close())
	return listener.Addr().(*net.TCPAddr).Port
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
