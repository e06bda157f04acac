package client

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apiserver/pkg/util/x509metrics"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
)

// The help texts are kube-apiserver's: a registry accepts a second counter of a
// name only if the help texts agree.
const (
	missingSANHelp = "Counts the number of requests to servers missing SAN extension " +
		"in their serving certificate OR the number of connection failures " +
		"due to the lack of x509 certificate SAN extension missing " +
		"(either/or, based on the runtime environment)"
	insecureSHA1Help = "Counts the number of requests to servers with insecure SHA1 signatures " +
		"in their serving certificate OR the number of connection failures " +
		"due to the insecure SHA1 signatures (either/or, based on the runtime environment)"
)

// deprecatedCertificateCounter returns a wrapper for round trippers that
// counts, logs and annotates calls to servers whose certificates have no SAN or
// a SHA-1 signature (S-289).
func deprecatedCertificateCounter() (func(http.RoundTripper) http.RoundTripper, error) {
	missingSAN, err := globalCounter("x509_missing_san_total", missingSANHelp)
	if err != nil {
		return nil, err
	}
	insecureSHA1, err := globalCounter("x509_insecure_sha1_total", insecureSHA1Help)
	if err != nil {
		return nil, err
	}
	return x509metrics.NewDeprecatedCertificateRoundTripperWrapperConstructor(
		missingSAN,
		insecureSHA1,
	), nil
}

// globalCounter returns the counter of that name in apiserver's registry, or
// one that counts nothing if the process has disabled that metric.
//
// pkg/util/webhook registers the counter when it is linked and does not export
// it. Prometheus returns it in the error for registering a second one. The
// second one goes to the underlying Prometheus registry, because the Kubernetes
// registry would keep it after every attempt.
func globalCounter(name, help string) (*metrics.Counter, error) {
	options := metrics.CounterOpts{
		Namespace: "apiserver", Subsystem: "webhooks", Name: name, Help: help,
		StabilityLevel: metrics.BETA,
	}
	probe := prometheus.NewCounter(prometheus.CounterOpts{
		Namespace: options.Namespace, Subsystem: options.Subsystem, Name: options.Name,
		Help: fmt.Sprintf("[%s] %s", options.StabilityLevel, options.Help),
	})
	err := legacyregistry.Registerer().Register(probe)
	var registered prometheus.AlreadyRegisteredError
	switch {
	case err == nil:
		legacyregistry.Registerer().Unregister(probe)
		return metrics.NewCounter(&options), nil
	case !errors.As(err, &registered):
		return nil, fmt.Errorf("find the counter apiserver_webhooks_%s: %w", name, err)
	}
	existing, ok := registered.ExistingCollector.(*metrics.Counter)
	if !ok {
		return nil, fmt.Errorf("find the counter apiserver_webhooks_%s: it is a %T",
			name, registered.ExistingCollector)
	}
	return existing, nil
}
