package request

import (
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

// rollsBack reports whether an endpoint is deployments/rollback, which only the first
// two versions of deployments had.
func (at *Endpoint) rollsBack() bool {
	switch at.Resource {
	case appsv1beta1.SchemeGroupVersion.WithResource("deployments"),
		extensionsv1beta1.SchemeGroupVersion.WithResource("deployments"):
		return at.Subresource == "rollback"
	default:
		return false
	}
}

// learnRollback is learn for the one body that has a name but no metadata. Others are
// left alone.
func (at *Endpoint) learnRollback(what string, body runtime.Object) error {
	var name string
	switch b := body.(type) {
	case *appsv1beta1.DeploymentRollback:
		name = b.Name
	case *extensionsv1beta1.DeploymentRollback:
		name = b.Name
	default:
		return nil
	}
	if name == "" {
		return wrong(what+".name", "required")
	}
	if !agree(&at.Name, name) {
		return wrong(what+".name", "%q, but the request is for %q", name, at.Name)
	}
	return nil
}
