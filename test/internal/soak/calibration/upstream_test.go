package calibration

import (
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"

	"example.com/gatehouse/test/internal/soak/promise"
)

// upstream is kube-apiserver's own plugins.
type upstream struct{}

var _ promise.Side = upstream{}

// Register implements promise.Side.
func (upstream) Register(plugins *apiadmission.Plugins) {
	mutating.Register(plugins)
	validating.Register(plugins)
}
