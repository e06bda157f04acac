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

// Manifests counts what becomes of a folder of static manifests (S-054). Make one
// with NewManifests; the zero value does not work.
type Manifests struct {
	plugin, serverHash string

	reloads    *prometheus.CounterVec
	lastReload *prometheus.GaugeVec
	info       *configInfo
}

// NewManifests returns the counts of the folder of one phase, in reg, which is
// required and stays the caller's. All that are made with the same reg count in the
// same families. The identity of the server, which shows only as a hash, may be
// empty; then it does not show which configuration is in force.
//
// It fails for the same reasons as New does.
func NewManifests(reg prometheus.Registerer, phase admission.Phase, serverID string) (*Manifests, error) {
	if reg == nil {
		return nil, errors.New("metrics: no registerer: pass the prometheus.Registry that is to hold the metrics")
	}
	r := registrar{registerer: reg, prefix: manifestPrefix}
	m := &Manifests{
		plugin:     pluginOf(phase),
		serverHash: hashOf(serverID),
		reloads:    r.counter("automatic_reloads_total", reloadsHelp, "status", "plugin", "apiserver_id_hash"),
		lastReload: r.gauge("automatic_reload_last_timestamp_seconds", lastReloadHelp, "status", "plugin", "apiserver_id_hash"),
		info:       registerOrReuse(&r, manifestPrefix+"last_config_info", newConfigInfo()),
	}
	if r.err != nil {
		return nil, r.err
	}
	return m, nil
}

// Reloaded counts that manifests were loaded, from files with a hash.
func (m *Manifests) Reloaded(hash string) {
	m.count("success")
	m.info.set(m.plugin, m.serverHash, hash)
}

// ReloadFailed counts that they were not.
func (m *Manifests) ReloadFailed() { m.count("failure") }

func (m *Manifests) count(status string) {
	m.reloads.WithLabelValues(status, m.plugin, m.serverHash).Inc()
	m.lastReload.WithLabelValues(status, m.plugin, m.serverHash).SetToCurrentTime()
}

// pluginOf is the label "plugin".
func pluginOf(phase admission.Phase) string {
	if phase == admission.Mutating {
		return "MutatingAdmissionWebhook"
	}
	return "ValidatingAdmissionWebhook"
}

// hashOf is the label "apiserver_id_hash".
func hashOf(serverID string) string {
	if serverID == "" {
		return ""
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(serverID)))
}

// configInfo is a gauge that is always 1 and says by its labels which configuration
// each plugin has. A vector would show the old or no configuration beside the new
// one for a moment.
type configInfo struct {
	desc *prometheus.Desc

	mu sync.Mutex
	// byPlugin has the other two labels' values.
	byPlugin map[string][2]string
}

func newConfigInfo() *configInfo {
	return &configInfo{
		desc:     prometheus.NewDesc(manifestPrefix+"last_config_info", configInfoHelp, []string{"plugin", "apiserver_id_hash", "hash"}, nil),
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
// Compat: S-054: a server without an identity has no configuration either.
func (c *configInfo) Collect(metrics chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for plugin, labels := range c.byPlugin {
		if labels[0] != "" {
			metrics <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, 1, plugin, labels[0], labels[1])
		}
	}
}
