package policies

import (
	"strings"

	"k8s.io/component-base/metrics/legacyregistry"
)

// families are the prefixes of the metrics of policies and webhooks.
var families = []string{
	"apiserver_validating_admission_policy", "apiserver_mutating_admission_policy",
	"apiserver_admission_match_condition", "apiserver_admission_webhook",
}

// counts returns how often each series of these metrics was observed.
// What was observed are times, which differ.
func counts() map[string]uint64 {
	all := map[string]uint64{}
	gathered, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		panic(err) // a metric of this process is not valid
	}
	for _, f := range gathered {
		for _, prefix := range families {
			if !strings.HasPrefix(f.GetName(), prefix) {
				continue
			}
			for _, m := range f.GetMetric() {
				name := f.GetName()
				for _, l := range m.GetLabel() {
					name += " " + l.GetName() + "=" + l.GetValue()
				}
				all[name] = uint64(m.GetCounter().GetValue()) + m.GetHistogram().GetSampleCount()
			}
		}
	}
	return all
}

// changed returns by how much counts have grown.
func changed(before, after map[string]uint64) map[string]uint64 {
	grown := map[string]uint64{}
	for name, count := range after {
		if count != before[name] {
			grown[name] = count - before[name]
		}
	}
	return grown
}
