package metrics

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
)

// prefix begins the name of every family, as namespace and subsystem do
// upstream.
const prefix = "apiserver_admission_"

// registrar registers one family after the other and keeps the first error, so
// that the list of families reads as a list.
//
// Families that were registered before the error stay registered. They hold
// nothing, hence show nowhere, and the next New adopts them; to remove them
// could take them away from a New that has adopted them in the meantime.
type registrar struct {
	to  prometheus.Registerer
	err error
}

func (r *registrar) counter(name, help string, labels ...string) *prometheus.CounterVec {
	opts := prometheus.CounterOpts{Name: prefix + name, Help: help}
	return enroll(r, opts.Name, prometheus.NewCounterVec(opts, labels))
}

func (r *registrar) histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	opts := prometheus.HistogramOpts{Name: prefix + name, Help: help, Buckets: buckets}
	return enroll(r, opts.Name, prometheus.NewHistogramVec(opts, labels))
}

// enroll registers fresh and returns it, or returns the equal collector that
// was there before. Equal means to Prometheus: the same name, help and labels,
// but not the same type of metric, which is why the type is checked here.
func enroll[V prometheus.Collector](r *registrar, name string, fresh V) V {
	if r.err != nil {
		return fresh
	}
	err := r.to.Register(fresh)
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
