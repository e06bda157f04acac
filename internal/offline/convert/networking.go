package convert

import (
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	networkingv1 "k8s.io/api/networking/v1"
	networkingv1beta1 "k8s.io/api/networking/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

// networks are the kinds of the group networking.k8s.io that never changed
// shape.
func networks() []family {
	return []family{
		{kind: "IngressClass", resource: "ingressclasses", versions: []version{
			same(networkingv1.SchemeGroupVersion, (*networkingv1.IngressClass)(nil)),
			same(networkingv1beta1.SchemeGroupVersion, (*networkingv1beta1.IngressClass)(nil)),
		}, hub: func() runtime.Object { return &networkingv1.IngressClass{} }},
		{kind: "NetworkPolicy", resource: "networkpolicies", versions: []version{
			same(networkingv1.SchemeGroupVersion, (*networkingv1.NetworkPolicy)(nil)),
			same(extensionsv1beta1.SchemeGroupVersion, (*extensionsv1beta1.NetworkPolicy)(nil)),
		}, hub: func() runtime.Object { return &networkingv1.NetworkPolicy{} }},
	}
}
