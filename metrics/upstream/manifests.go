package upstream

import (
	manifestmetrics "k8s.io/apiserver/pkg/admission/plugin/manifest/metrics"

	"example.com/gatehouse/admission"
)

// Manifests counts the reloads of a folder of static manifests in apiserver's
// own metrics (S-054). Use NewManifests to create one.
type Manifests struct {
	plugin   manifestmetrics.ManifestType
	serverID string
}

// NewManifests returns the metrics for the plugin of one phase and registers
// apiserver's metrics of manifests in its global registry. serverID is the
// identity of the server and may be empty.
func NewManifests(phase admission.Phase, serverID string) *Manifests {
	manifestmetrics.RegisterMetrics()
	m := &Manifests{plugin: manifestmetrics.ValidatingWebhookManifestType, serverID: serverID}
	if phase == admission.Mutating {
		m.plugin = manifestmetrics.MutatingWebhookManifestType
	}
	return m
}

// Reloaded counts a successful load of files with the given hash.
func (m *Manifests) Reloaded(hash string) {
	manifestmetrics.RecordAutomaticReloadSuccess(m.plugin, m.serverID, hash)
}

// ReloadFailed counts a failed load.
func (m *Manifests) ReloadFailed() {
	manifestmetrics.RecordAutomaticReloadFailure(m.plugin, m.serverID)
}
