package convert

import (
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	networkingv1 "k8s.io/api/networking/v1"
	networkingv1beta1 "k8s.io/api/networking/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// ingresses: what v1 calls defaultBackend was backend, and the service of a
// backend was two fields. The versions before v1 also had a default for the
// type of a path.
//
// The older two versions have the same shape. The one in networking.k8s.io
// takes the way of the other, so that there is one way.
func ingresses() []family {
	return []family{{
		kind: "Ingress", resource: "ingresses",
		hub: func() runtime.Object { return &networkingv1.Ingress{} },
		versions: []version{
			same(networkingv1.SchemeGroupVersion, (*networkingv1.Ingress)(nil)),
			beta(special(networkingv1beta1.SchemeGroupVersion,
				func(from *networkingv1beta1.Ingress, hub *networkingv1.Ingress) error {
					old := &extensionsv1beta1.Ingress{}
					carry(old, from)
					return ingressFromBeta(old, hub)
				},
				func(hub *networkingv1.Ingress, to *networkingv1beta1.Ingress) error {
					old := &extensionsv1beta1.Ingress{}
					carry(old, to)
					if err := ingressToBeta(hub, old); err != nil {
						return err
					}
					carry(to, old)
					return nil
				})),
			beta(special(extensionsv1beta1.SchemeGroupVersion, ingressFromBeta, ingressToBeta)),
		},
	}}
}

func beta(v version) version {
	return settled(v, settlePaths).but(
		".spec.backend", ".spec.defaultBackend",
		".spec.rules.http.paths.backend.service",
		".spec.rules.http.paths.backend.serviceName",
		".spec.rules.http.paths.backend.servicePort",
	)
}

// settlePaths gives paths the type that v1 wants to be written.
func settlePaths(hub *networkingv1.Ingress) {
	for _, rule := range hub.Spec.Rules {
		if rule.HTTP == nil {
			continue
		}
		for i := range rule.HTTP.Paths {
			setOnce(&rule.HTTP.Paths[i].PathType, networkingv1.PathTypeImplementationSpecific)
		}
	}
}

func ingressFromBeta(from *extensionsv1beta1.Ingress, hub *networkingv1.Ingress) error {
	if from.Spec.Backend != nil {
		hub.Spec.DefaultBackend = &networkingv1.IngressBackend{Resource: from.Spec.Backend.Resource}
		hub.Spec.DefaultBackend.Service = serviceFromBeta(*from.Spec.Backend)
	}
	for r, rule := range from.Spec.Rules {
		if rule.HTTP == nil {
			continue
		}
		for p, path := range rule.HTTP.Paths {
			hub.Spec.Rules[r].HTTP.Paths[p].Backend.Service = serviceFromBeta(path.Backend)
		}
	}
	return nil
}

func ingressToBeta(hub *networkingv1.Ingress, to *extensionsv1beta1.Ingress) error {
	if hub.Spec.DefaultBackend != nil {
		to.Spec.Backend = &extensionsv1beta1.IngressBackend{Resource: hub.Spec.DefaultBackend.Resource}
		serviceToBeta(*hub.Spec.DefaultBackend, to.Spec.Backend)
	}
	for r, rule := range hub.Spec.Rules {
		if rule.HTTP == nil {
			continue
		}
		for p, path := range rule.HTTP.Paths {
			serviceToBeta(path.Backend, &to.Spec.Rules[r].HTTP.Paths[p].Backend)
		}
	}
	return nil
}

// serviceFromBeta returns nil for a backend that names no service at all.
func serviceFromBeta(b extensionsv1beta1.IngressBackend) *networkingv1.IngressServiceBackend {
	if b.ServiceName == "" && b.ServicePort == (intstr.IntOrString{}) {
		return nil
	}
	return &networkingv1.IngressServiceBackend{
		Name: b.ServiceName,
		Port: networkingv1.ServiceBackendPort{Name: b.ServicePort.StrVal, Number: b.ServicePort.IntVal},
	}
}

// serviceToBeta prefers the name of a port that has a number, too, which no
// valid Ingress has.
func serviceToBeta(b networkingv1.IngressBackend, to *extensionsv1beta1.IngressBackend) {
	if b.Service == nil {
		return
	}
	to.ServiceName = b.Service.Name
	to.ServicePort = intstr.FromInt32(b.Service.Port.Number)
	if b.Service.Port.Name != "" {
		to.ServicePort = intstr.FromString(b.Service.Port.Name)
	}
}
