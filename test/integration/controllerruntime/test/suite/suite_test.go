//go:build !envtest

package suite_test

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"example.com/backups/internal/setup"
	"example.com/gatehouse/test/apiserver"
)

var k8sClient client.Client

var _ = BeforeSuite(func() {
	scheme, err := setup.Scheme()
	Expect(err).NotTo(HaveOccurred())

	mux := http.NewServeMux()
	config := apiserver.Start(GinkgoTB(), apiserver.Options{
		Handlers: map[string]http.Handler{"system/webhook-service": mux},
	})
	apiserver.Install(GinkgoTB(), config,
		"../../config/crd/bases",
		"../../config/crd/patches",
		"../../config/webhook/manifests.yaml")

	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:        scheme,
		Metrics:       metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{Port: -1, WebhookMux: mux}),
	})
	Expect(err).NotTo(HaveOccurred())
	Expect(setup.Add(mgr)).To(Succeed())
	start(mgr)

	k8sClient, err = client.New(config, client.Options{Scheme: scheme})
	Expect(err).NotTo(HaveOccurred())
})
