package metrics

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"example.com/gatehouse/admission"
)

const (
	reloadsHelp = "[ALPHA] Total number of automatic reloads of admission manifest configuration split by status, plugin, and apiserver identity."

	lastReloadHelp = "[ALPHA] Timestamp of the last automatic reload of admission manifest configuration split by status, plugin, and apiserver identity."

	configInfoHelp = "[ALPHA] Information about the last applied admission manifest configuration with hash as label, split by plugin and apiserver identity."
)

// Manifests counts the reloads of a folder of static manifests (S-054). Use
// NewManifests to create one; the zero value does not work.
type Manifests struct {
	plugin, serverHash string

	reloads    *prometheus.CounterVec
	lastReload *prometheus.GaugeVec
	info       *configInfo
}

// NewManifests returns the metrics for the folder of one phase. They are
// registered with reg, which is required. All Manifests with the same reg share
// their families. serverID is the identity of the server; the metrics show its
// hash. If it is empty, the metrics do not show which configuration is in
// force.
//
// It fails for the same reasons as New.
func NewManifests(
	reg prometheus.Registerer, phase admission.Phase, serverID string,
) (*Manifests, error) {
	if reg == nil {
		return nil, errors.New("metrics: no registerer: pass the prometheus.Registry that is to hold the metrics")
	}
	r := registrar{registerer: reg, prefix: manifestPrefix}
	m := &Manifests{
		plugin:     pluginOf(phase),
		serverHash: hashOf(serverID),
		reloads: r.counter("automatic_reloads_total", reloadsHelp, "status", "plugin",
			"apiserver_id_hash"),
		lastReload: r.gauge("automatic_reload_last_timestamp_seconds", lastReloadHelp, "status", "plugin",
			"apiserver_id_hash"),
		info: registerOrReuse(&r, manifestPrefix+"last_config_info", newConfigInfo()),
	}
	if r.err != nil {
		return nil, r.err
	}
	return m, nil
}

// Reloaded counts a successful load of files with the given hash.
func (m *Manifests) Reloaded(hash string) {
	m.count("success")
	m.info.set(m.plugin, m.serverHash, hash)
}

// ReloadFailed counts a failed load.
func (m *Manifests) ReloadFailed() { m.count("failure") }

func (m *Manifests) count(status string) {
	m.reloads.WithLabelValues(status, m.plugin, m.serverHash).Inc()
	m.lastReload.WithLabelValues(status, m.plugin, m.serverHash).SetToCurrentTime()
}

// pluginOf returns the label "plugin".
func pluginOf(phase admission.Phase) string {
	if phase == admission.Mutating {
		return "MutatingAdmissionWebhook"
	}
	return "ValidatingAdmissionWebhook"
}

// hashOf returns the label "apiserver_id_hash".
func hashOf(serverID string) string {
	if serverID == "" {
		return ""
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(serverID)))
}

// configInfo is a gauge that is always 1; its labels say which configuration
// each plugin has. With a GaugeVec, a scrape during a change could show two
// configurations or none.
type configInfo struct {
	desc *prometheus.Desc

	mu sync.Mutex
	// byPlugin maps the label "plugin" to the values of the other two labels.
	byPlugin map[string][2]string
}

func newConfigInfo() *configInfo {
	return &configInfo{
		desc: prometheus.NewDesc(manifestPrefix+"last_config_info", configInfoHelp,
			[]string{"plugin", "apiserver_id_hash", "hash"}, nil),
		byPlugin: map[string][2]string{},
	}
}

func (c *configInfo) set(plugin, serverHash, hash string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byPlugin[plugin] = [2]string{serverHash, hash}
}

// Describe implements prometheus.Collector.
func (c *configInfo) Describe(descs chan<- *prometheus.Desc) { descs <- c.desc }

// Collect implements prometheus.Collector.
//
// Compat: S-054: a server without an identity has no series.
func (c *configInfo) Collect(metrics chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for plugin, labels := range c.byPlugin {
		if labels[0] != "" {
			metrics <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, 1, plugin,
				labels[0], labels[1])
		}
	}
}
