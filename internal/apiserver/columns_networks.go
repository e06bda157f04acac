package apiserver

import (
	"cmp"
	"fmt"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func leaseColumns() []column {
	return aged(text("Holder", func(l *coordinationv1.Lease) string { return orZero(l.Spec.HolderIdentity) }))
}

func sliceColumns() []column {
	return aged(
		text("AddressType", func(s *discoveryv1.EndpointSlice) string { return string(s.AddressType) }),
		text("Ports", func(s *discoveryv1.EndpointSlice) string {
			var ports []string
			for _, port := range s.Ports {
				if port.Port == nil {
					ports = append(ports, "*")
				} else {
					ports = append(ports, fmt.Sprint(*port.Port))
				}
			}
			return cmp.Or(few(ports), "<unset>")
		}),
		text("Endpoints", func(s *discoveryv1.EndpointSlice) string {
			var addresses []string
			for _, endpoint := range s.Endpoints {
				addresses = append(addresses, endpoint.Addresses...)
			}
			return few(addresses)
		}),
	)
}

func ingressColumns() []column {
	return aged(
		text("Class", func(i *networkingv1.Ingress) string { return cmp.Or(orZero(i.Spec.IngressClassName), none) }),
		text("Hosts", ingressHosts),
		text("Address", func(i *networkingv1.Ingress) string {
			var addresses []string
			for _, at := range i.Status.LoadBalancer.Ingress {
				addresses = append(addresses, cmp.Or(at.IP, at.Hostname))
			}
			return strings.Join(addresses, ",")
		}),
		text("Ports", func(i *networkingv1.Ingress) string {
			if len(i.Spec.TLS) > 0 {
				return "80, 443"
			}
			return "80"
		}),
	)
}

func ingressHosts(i *networkingv1.Ingress) string {
	var hosts []string
	for _, rule := range i.Spec.Rules {
		if rule.Host != "" {
			hosts = append(hosts, rule.Host)
		}
	}
	if len(hosts) == 0 {
		return "*"
	}
	return few(hosts)
}

func ingressClassColumns() []column {
	return aged(
		text("Controller", func(c *networkingv1.IngressClass) string { return c.Spec.Controller }),
		text("Parameters", func(c *networkingv1.IngressClass) string {
			p := c.Spec.Parameters
			if p == nil {
				return none
			}
			kind := p.Kind
			if group := orZero(p.APIGroup); group != "" {
				kind += "." + group
			}
			return kind + "/" + p.Name
		}),
	)
}

func networkPolicyColumns() []column {
	return aged(text("Pod-Selector", func(p *networkingv1.NetworkPolicy) string {
		return metav1.FormatLabelSelector(&p.Spec.PodSelector)
	}))
}
