package session

import (
	"fmt"
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/metrics"
)

// meter counts metrics in a registry of its own. It belongs to one goroutine, except
// that the engine may count from any. A nil meter counts nothing.
type meter struct {
	registry *prometheus.Registry
	metrics  *metrics.Metrics
	// seen are the values at the last look, by series.
	seen map[string]float64
}

func newMeter() (*meter, error) {
	registry := prometheus.NewRegistry()
	counted, err := metrics.New(registry)
	if err != nil {
		return nil, fmt.Errorf("preparing to count metrics: %w", err)
	}
	return &meter{registry: registry, metrics: counted, seen: map[string]float64{}}, nil
}

// changes returns the series that have changed since the last look, in order. Of
// histograms only the count is looked at: sums and buckets are times, which differ from
// run to run.
func (m *meter) changes() ([]explain.Metric, error) {
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
			now := explain.Metric{Name: family.GetName(), Labels: map[string]string{}, Delta: series.GetCounter().GetValue()}
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

// advance makes a difference of a value, and reports whether there is one.
func (m *meter) advance(of *explain.Metric) bool {
	key := of.Name
	for _, label := range slices.Sorted(maps.Keys(of.Labels)) {
		key += fmt.Sprintf(",%s=%q", label, of.Labels[label])
	}
	value := of.Delta
	of.Delta -= m.seen[key]
	m.seen[key] = value
	return of.Delta != 0
}
