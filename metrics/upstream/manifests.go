package upstream

import (
	manifestmetrics "k8s.io/apiserver/pkg/admission/plugin/manifest/metrics"

	"example.com/gatehouse/admission"
)

// Manifests counts in apiserver's own metrics what becomes of a folder of static
// manifests (S-054). Make one with NewManifests.
type Manifests struct {
	plugin   manifestmetrics.ManifestType
	serverID string
}

// NewManifests returns the counts of one phase's plugin in a server of an identity,
// which may be empty, and registers apiserver's metrics of manifests in its global
// registry.
func NewManifests(phase admission.Phase, serverID string) *Manifests {
	manifestmetrics.RegisterMetrics()
	m := &Manifests{plugin: manifestmetrics.ValidatingWebhookManifestType, serverID: serverID}
	if phase == admission.Mutating {
		m.plugin = manifestmetrics.MutatingWebhookManifestType
	}
	return m
}

// Reloaded counts that manifests were loaded, from files with a hash.
func (m *Manifests) Reloaded(hash string) {
	manifestmetrics.RecordAutomaticReloadSuccess(m.plugin, m.serverID, hash)
}

// ReloadFailed counts that they were not.
func (m *Manifests) ReloadFailed() {
	manifestmetrics.RecordAutomaticReloadFailure(m.plugin, m.serverID)
}
