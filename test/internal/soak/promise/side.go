package promise

import (
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/dispatcher/plugin"
)

// Side is an implementation of the plugins MutatingAdmissionWebhook and
// ValidatingAdmissionWebhook, with the setters of apiserver's initializers.
type Side interface {
	// Register adds both plugins to a registry that is the caller's.
	Register(plugins *apiadmission.Plugins)
}

// Gatehouse is gatehouse with its default options.
type Gatehouse struct{}

var _ Side = Gatehouse{}

// Register implements Side.
func (Gatehouse) Register(plugins *apiadmission.Plugins) { plugin.Register(plugins) }
