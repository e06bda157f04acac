package session

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/metrics"
)

// metricsDelta counts metrics in a private registry. changes belongs to one
// goroutine; the engine may count from any. A nil metricsDelta has no changes.
type metricsDelta struct {
	registry *prometheus.Registry
	metrics  *metrics.Metrics
	// seen are the values at the last call of changes, by series.
	seen map[string]float64
}

func newMetricsDelta() (*metricsDelta, error) {
	registry := prometheus.NewRegistry()
	counted, err := metrics.New(registry)
	if err != nil {
		return nil, fmt.Errorf("preparing to count metrics: %w", err)
	}
	return &metricsDelta{registry: registry, metrics: counted, seen: map[string]float64{}}, nil
}

// changes returns the series that changed since the last call, in order. Of
// histograms it returns the count only: sums and buckets are times, which
// differ from run to run.
func (m *metricsDelta) changes() ([]explain.Metric, error) {
	if m == nil {
		return nil, nil
	}
	families, err := m.registry.Gather()
	if err != nil {
		return nil, fmt.Errorf("counting metrics: %w", err)
	}
	var changed []explain.Metric
	for _, family := range families {
		for _, series := range family.GetMetric() {
			now := explain.Metric{Name: family.GetName(), Labels: map[string]string{},
				Delta: series.GetCounter().GetValue()}
			if h := series.GetHistogram(); h != nil {
				now.Name, now.Delta = now.Name+"_count", float64(h.GetSampleCount())
			}
			for _, label := range series.GetLabel() {
				now.Labels[label.GetName()] = label.GetValue()
			}
			if m.advance(&now) {
				changed = append(changed, now)
			}
		}
	}
	return changed, nil
}

// advance replaces the value of a metric by its difference to the last one, and
// reports whether there is one.
func (m *metricsDelta) advance(of *explain.Metric) bool {
	key := of.Name
	for _, label := range slices.Sorted(maps.Keys(of.Labels)) {
		key += fmt.Sprintf(",%s=%q", label, of.Labels[label])
	}
	value := of.Delta
	of.Delta -= m.seen[key]
	m.seen[key] = value
	return of.Delta != 0
}
