package servers_test

import (
	"context"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	controllerconfig "sigs.k8s.io/controller-runtime/pkg/config"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"example.com/backups/internal/setup"
)

// world is an API server with the project's manager beside it.
type world struct {
	config *rest.Config
	scheme *runtime.Scheme
}

// newWorld brings up the API server in a way, and the manager.
func newWorld(t *testing.T, way way) world {
	t.Helper()
	scheme, err := setup.Scheme()
	must(t, err)
	config, server := way(t, scheme)
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:        scheme,
		Metrics:       metricsserver.Options{BindAddress: "0"},
		WebhookServer: server,
		// Each manager of this process has a controller of this name.
		Controller: controllerconfig.Controller{SkipNameValidation: new(true)},
	})
	must(t, err)
	must(t, setup.Add(mgr))
	run(t, mgr)
	listening(t, server)
	return world{config, scheme}
}

// run runs a manager until the test has ended. The test's context ends before
// the server does.
func run(t *testing.T, mgr ctrl.Manager) {
	ended := make(chan error)
	go func() { ended <- mgr.Start(t.Context()) }()
	t.Cleanup(func() {
		if err := <-ended; err != nil {
			t.Errorf("the manager ended with: %v", err)
		}
	})
}

// listening returns when a webhook server that has a port listens there.
func listening(t *testing.T, server webhook.Server) {
	t.Helper()
	eventually(t, "the webhook server listens", func(context.Context) error { return server.StartedChecker()(nil) })
}

// eventually tries until there is no error any more. It is for what controllers
// do; what the API server does is done when it has answered.
func eventually(t *testing.T, what string, try func(context.Context) error) {
	t.Helper()
	var last error
	err := wait.PollUntilContextTimeout(t.Context(), 5*time.Millisecond, 2*time.Minute, true, func(ctx context.Context) (bool, error) {
		last = try(ctx)
		return last == nil, nil
	})
	if err != nil {
		t.Fatalf("waiting until %s: %v; the last error was: %v", what, err, last)
	}
}

// caller is a client that keeps the warnings it is given, with a namespace to
// itself.
type caller struct {
	client.Client
	namespace string

	mu       sync.Mutex
	warnings []string
}

// caller returns a new one.
func (w world) caller(t *testing.T) *caller {
	t.Helper()
	c := &caller{}
	config := rest.CopyConfig(w.config)
	config.WarningHandler = c
	var err error
	c.Client, err = client.New(config, client.Options{Scheme: w.scheme})
	must(t, err)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	must(t, c.Create(t.Context(), namespace))
	c.namespace = namespace.Name
	return c
}

// HandleWarningHeader implements rest.WarningHandler.
func (c *caller) HandleWarningHeader(_ int, _, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.warnings = append(c.warnings, text)
}

// warned returns the warnings since it was asked last.
func (c *caller) warned() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	given := c.warnings
	c.warnings = nil
	return given
}
