// The manager of plans for backups, as it runs in a cluster.
package main

import (
	"errors"
	"os"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"example.com/backups/internal/setup"
)

func main() {
	ctrl.SetLogger(zap.New())
	if err := run(); err != nil {
		ctrl.Log.Error(err, "the manager has ended")
		os.Exit(1)
	}
}

func run() error {
	scheme, err := setup.Scheme()
	if err != nil {
		return err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme,
		WebhookServer:          webhook.NewServer(webhook.Options{}),
		HealthProbeBindAddress: ":8081",
		LeaderElection:         true,
		LeaderElectionID:       "backups.example.com",
	})
	if err != nil {
		return err
	}
	err = errors.Join(
		setup.Add(mgr),
		mgr.AddHealthzCheck("healthz", healthz.Ping),
		mgr.AddReadyzCheck("readyz", mgr.GetWebhookServer().StartedChecker()),
	)
	if err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}
