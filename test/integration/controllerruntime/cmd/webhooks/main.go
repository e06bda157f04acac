// The manager of plans for backups with its webhooks only, which need no API
// server. It finds its port in PORT and its certificate in CERT_DIR, as commands
// do that `gatehouse conformance --exec` starts.
package main

import (
	"errors"
	"os"
	"strconv"

	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"example.com/backups/internal/setup"
	webhookv1 "example.com/backups/internal/webhook/v1"
)

func main() {
	ctrl.SetLogger(zap.New())
	if err := run(); err != nil {
		ctrl.Log.Error(err, "the manager has ended")
		os.Exit(1)
	}
}

func run() error {
	scheme, badScheme := setup.Scheme()
	port, badPort := strconv.Atoi(os.Getenv("PORT"))
	if err := errors.Join(badScheme, badPort); err != nil {
		return err
	}
	// Nothing listens there.
	mgr, err := ctrl.NewManager(&rest.Config{Host: "https://127.0.0.1:1"}, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: "127.0.0.1", Port: port, CertDir: os.Getenv("CERT_DIR"),
		}),
	})
	if err != nil {
		return err
	}
	if err := webhookv1.SetupPlanWebhookWithManager(mgr); err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}
