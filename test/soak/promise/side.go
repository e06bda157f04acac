package promise

import (
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission/plugin"
)

// Side is somebody who has plugins called MutatingAdmissionWebhook and
// ValidatingAdmissionWebhook, with the setters of apiserver's initializers.
type Side interface {
	// String is the side's name in reports.
	String() string
	// Register adds both plugins to a registry that is the caller's.
	Register(plugins *apiadmission.Plugins)
}

// Gatehouse is gatehouse as it comes, or with options.
type Gatehouse struct{ Options []plugin.Option }

var _ Side = Gatehouse{}

// String implements Side.
func (Gatehouse) String() string { return "gatehouse" }

// Register implements Side.
func (g Gatehouse) Register(plugins *apiadmission.Plugins) { plugin.Register(plugins, g.Options...) }
