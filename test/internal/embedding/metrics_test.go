package embedding

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// noteMetrics writes down the series of the scenario's webhooks, whose names
// contain the namespace, without durations. It checks that every family exists
// once, although both sets of plugins use one registry.
func (w *world) noteMetrics(t *testing.T) {
	t.Helper()
	families := map[string]bool{}
	for line := range strings.Lines(w.get(t, "/metrics")) {
		own := strings.Contains(line, w.namespace) && !strings.Contains(line, markerLabel)
		timed := strings.Contains(line, "_bucket{") || strings.Contains(line, "_sum{")
		if own && !timed {
			w.note("metric: %s", strings.TrimSpace(line))
		}
		if help, ok := strings.CutPrefix(line, "# HELP "); ok {
			family, _, _ := strings.Cut(help, " ")
			if families[family] {
				t.Errorf("/metrics has %s twice", family)
			}
			families[family] = true
		}
	}
}

// manifestSeries are the name and the labels of metrics of static manifests,
// and contentHash is a hash in them.
var (
	manifestSeries = regexp.MustCompile(`^(apiserver_manifest_\w+\{.*\}) `)
	contentHash    = regexp.MustCompile(`sha256:\w+`)
)

// noteManifestMetrics writes down which series about static manifests the
// server has, without hashes, which also determine their order in /metrics.
func (w *world) noteManifestMetrics(t *testing.T) {
	t.Helper()
	id := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(w.id)))
	var found []string
	for line := range strings.Lines(w.get(t, "/metrics")) {
		if series := manifestSeries.FindStringSubmatch(line); series != nil && strings.Contains(line, id) {
			found = append(found, "  metric: "+contentHash.ReplaceAllString(series[1], "HASH"))
		}
	}
	slices.Sort(found)
	for _, line := range found {
		w.note("%s", line)
	}
}
