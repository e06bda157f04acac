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

// The help texts of the counters, which are kube-apiserver's: a registry takes
// a counter for the one that it has only if these agree.
const (
	missingSANHelp = "Counts the number of requests to servers missing SAN extension " +
		"in their serving certificate OR the number of connection failures " +
		"due to the lack of x509 certificate SAN extension missing " +
		"(either/or, based on the runtime environment)"
	insecureSHA1Help = "Counts the number of requests to servers with insecure SHA1 signatures " +
		"in their serving certificate OR the number of connection failures " +
		"due to the insecure SHA1 signatures (either/or, based on the runtime environment)"
)

// countDeprecated returns what counts, logs and annotates the calls of servers
// whose certificates have no SAN or a SHA-1 signature (S-289).
func countDeprecated() (func(http.RoundTripper) http.RoundTripper, error) {
	missingSAN, err := globalCounter("x509_missing_san_total", missingSANHelp)
	if err != nil {
		return nil, err
	}
	insecureSHA1, err := globalCounter("x509_insecure_sha1_total", insecureSHA1Help)
	if err != nil {
		return nil, err
	}
	return x509metrics.NewDeprecatedCertificateRoundTripperWrapperConstructor(missingSAN, insecureSHA1), nil
}

// globalCounter returns the counter of that name in apiserver's registry, or one
// that counts nothing if the process has disabled that metric.
//
// pkg/util/webhook registers the counter as soon as it is linked and does not
// export it. Prometheus names it in its refusal of a second one, which is offered
// to the registry underneath: the one on top would remember it at every attempt.
func globalCounter(name, help string) (*metrics.Counter, error) {
	options := metrics.CounterOpts{
		Namespace: "apiserver", Subsystem: "webhooks", Name: name, Help: help,
		StabilityLevel: metrics.BETA,
	}
	second := prometheus.NewCounter(prometheus.CounterOpts{
		Namespace: options.Namespace, Subsystem: options.Subsystem, Name: options.Name,
		Help: fmt.Sprintf("[%s] %s", options.StabilityLevel, options.Help),
	})
	err := legacyregistry.Registerer().Register(second)
	var taken prometheus.AlreadyRegisteredError
	switch {
	case err == nil:
		legacyregistry.Registerer().Unregister(second)
		return metrics.NewCounter(&options), nil
	case !errors.As(err, &taken):
		return nil, fmt.Errorf("find the counter apiserver_webhooks_%s: %w", name, err)
	}
	first, ok := taken.ExistingCollector.(*metrics.Counter)
	if !ok {
		return nil, fmt.Errorf("find the counter apiserver_webhooks_%s: it is a %T", name, taken.ExistingCollector)
	}
	return first, nil
}
