package promise

import (
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/dispatcher/plugin"
)

// Side is somebody who has plugins called MutatingAdmissionWebhook and
// ValidatingAdmissionWebhook, with the setters of apiserver's initializers.
type Side interface {
	// Register adds both plugins to a registry that is the caller's.
	Register(plugins *apiadmission.Plugins)
}

// Gatehouse is gatehouse as it comes.
type Gatehouse struct{}

var _ Side = Gatehouse{}

// Register implements Side.
func (Gatehouse) Register(plugins *apiadmission.Plugins) { plugin.Register(plugins) }
