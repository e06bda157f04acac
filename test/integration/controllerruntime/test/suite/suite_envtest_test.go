//go:build envtest

package suite_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"example.com/backups/internal/setup"
)

var k8sClient client.Client

var _ = BeforeSuite(func(ctx context.Context) {
	scheme, err := setup.Scheme()
	Expect(err).NotTo(HaveOccurred())

	env := &envtest.Environment{
		Scheme:                scheme,
		CRDDirectoryPaths:     []string{"../../config/crd/bases"},
		ErrorIfCRDPathMissing: true,
		WebhookInstallOptions: envtest.WebhookInstallOptions{
			Paths: []string{"../../config/webhook/manifests.yaml"},
		},
	}
	config, err := env.Start()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(env.Stop)

	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:    env.WebhookInstallOptions.LocalServingHost,
			Port:    env.WebhookInstallOptions.LocalServingPort,
			CertDir: env.WebhookInstallOptions.LocalServingCertDir,
		}),
	})
	Expect(err).NotTo(HaveOccurred())
	Expect(setup.Add(mgr)).To(Succeed())
	start(mgr)

	k8sClient, err = client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())

	// envtest does not report when the port is open, or when the API server
	// knows the webhooks: try until they take effect.
	Eventually(func() (string, error) {
		plan := newPlan("probe")
		err := k8sClient.Create(ctx, plan, client.DryRunAll)
		return plan.Spec.Schedule, err
	}, "30s").ShouldNot(BeEmpty())
})
