package metrics

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
)

// Prefixes of the names of families: upstream's namespace and subsystem.
const (
	webhookPrefix  = "apiserver_admission_"
	manifestPrefix = "apiserver_manifest_admission_config_controller_"
)

// registrar registers one family after the other and keeps the first error, so
// that register needs no error handling between families.
//
// Families that were registered before the error stay registered. They are
// empty, so no scrape shows them, and the next New reuses them. Unregistering
// them could break another New that has reused them meanwhile.
type registrar struct {
	registerer prometheus.Registerer
	prefix     string
	err        error
}

func (r *registrar) counter(name, help string, labels ...string) *prometheus.CounterVec {
	opts := prometheus.CounterOpts{Name: r.prefix + name, Help: help}
	return registerOrReuse(r, opts.Name, prometheus.NewCounterVec(opts, labels))
}

func (r *registrar) gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	opts := prometheus.GaugeOpts{Name: r.prefix + name, Help: help}
	return registerOrReuse(r, opts.Name, prometheus.NewGaugeVec(opts, labels))
}

func (r *registrar) histogram(
	name, help string, buckets []float64, labels ...string,
) *prometheus.HistogramVec {
	opts := prometheus.HistogramOpts{Name: r.prefix + name, Help: help, Buckets: buckets}
	return registerOrReuse(r, opts.Name, prometheus.NewHistogramVec(opts, labels))
}

// registerOrReuse registers fresh and returns it, or returns the equal
// collector that is registered already. To Prometheus, collectors are equal if
// they have the same name, help and labels; registerOrReuse also checks the
// type.
func registerOrReuse[V prometheus.Collector](r *registrar, name string, fresh V) V {
	if r.err != nil {
		return fresh
	}
	err := r.registerer.Register(fresh)
	var taken prometheus.AlreadyRegisteredError
	if errors.As(err, &taken) {
		if existing, ok := taken.ExistingCollector.(V); ok {
			return existing
		}
		err = fmt.Errorf("the name belongs to a %T: %w", taken.ExistingCollector, err)
	}
	if err != nil {
		r.err = fmt.Errorf("metrics: registering %s: %w", name, err)
	}
	return fresh
}
