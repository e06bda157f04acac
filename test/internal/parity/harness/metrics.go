package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus/collectors"
	"k8s.io/component-base/metrics/legacyregistry"
)

// admissionFamilies is what the names of all metrics of admission begin with.
const admissionFamilies = "apiserver_admission_"

// WithoutRuntimeMetrics takes the metrics of Go and of the process out of
// apiserver's global registry: reading them takes ten times as long as reading
// the others. It does nothing the second time.
func WithoutRuntimeMetrics() {
	legacyregistry.Registerer().Unregister(
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsAll)))
	legacyregistry.Registerer().Unregister(
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
}

// Metrics returns the series that there are since the registry was reset, with
// the values of counters and the counts of the others. Sums, and what falls
// into which bucket, are real durations, because upstream's plugins read the
// machine's clock; the buckets' bounds are compared where both sides are fed by
// hand.
func Metrics() ([]string, error) {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		return nil, fmt.Errorf("reading the metrics: %w", err)
	}
	var series []string
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), admissionFamilies) {
			continue
		}
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			count := m.GetCounter().GetValue() + m.GetGauge().GetValue() +
				float64(m.GetHistogram().GetSampleCount()+m.GetSummary().GetSampleCount())
			series = append(series, fmt.Sprintf("%s{%s} %v", f.GetName(), strings.Join(labels, ","), count))
		}
	}
	slices.Sort(series)
	return series, nil
}
