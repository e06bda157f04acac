package rules

import (
	"fmt"
	"math"
	"net/netip"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func networkRules() []rule {
	return append(serviceRules(), networkingRules()...)
}

func serviceRules() []rule {
	return []rule{
		format[corev1.ServiceSpec](validation.IsDNS1123Subdomain, "externalName"),
		on(serviceSpec),
		format[corev1.ServicePort](validation.IsDNS1123Label, "name"),
		on(servicePort),
		within[corev1.ClientIPConfig](1, 86400, "timeoutSeconds"),
		//lint:ignore SA1019 The server serves Endpoints.
		on(func(s *corev1.EndpointSubset, path *field.Path) field.ErrorList {
			if len(s.Addresses)+len(s.NotReadyAddresses) > 0 {
				return nil
			}
			return field.ErrorList{field.Required(path, "must specify `addresses` or `notReadyAddresses`")}
		}),
		require[corev1.EndpointAddress]("ip"),
		address[corev1.EndpointAddress]("ip"),
		within[corev1.EndpointPort](1, math.MaxUint16, "port"),
		format[corev1.EndpointPort](validation.IsDNS1123Label, "name"),
		on(endpointSlice),
		format[discoveryv1.Endpoint](validation.IsDNS1123Label, "hostname"),
		on(func(e *discoveryv1.Endpoint, path *field.Path) field.ErrorList {
			return metavalidation.ValidateLabels(e.DeprecatedTopology, path.Child("deprecatedTopology"))
		}),
		within[discoveryv1.EndpointPort](1, math.MaxUint16, "port"),
		format[discoveryv1.EndpointPort](validation.IsDNS1123Label, "name"),
	}
}

func serviceSpec(s *corev1.ServiceSpec, path *field.Path) field.ErrorList {
	errs := metavalidation.ValidateLabels(s.Selector, path.Child("selector"))
	for i, ip := range s.ClusterIPs {
		if ip != corev1.ClusterIPNone {
			errs = append(errs, legacyIP(path.Child("clusterIPs").Index(i), ip)...)
		}
	}
	for i, ip := range s.ExternalIPs {
		errs = append(errs, legacyIP(path.Child("externalIPs").Index(i), ip)...)
	}
	for i, cidr := range s.LoadBalancerSourceRanges {
		at := path.Child("loadBalancerSourceRanges").Index(i)
		errs = append(errs, legacyCIDR(at, strings.TrimSpace(cidr))...)
	}
	if len(s.LoadBalancerSourceRanges) > 0 && s.Type != corev1.ServiceTypeLoadBalancer {
		errs = append(errs, field.Forbidden(path.Child("loadBalancerSourceRanges"),
			"may only be used when `type` is 'LoadBalancer'"))
	}
	if s.LoadBalancerClass != nil && s.Type != corev1.ServiceTypeLoadBalancer {
		errs = append(errs, field.Forbidden(path.Child("loadBalancerClass"),
			"may only be used when `type` is 'LoadBalancer'"))
	}
	if s.Type == corev1.ServiceTypeLoadBalancer && s.ClusterIP == corev1.ClusterIPNone ||
		s.Type == corev1.ServiceTypeNodePort && s.ClusterIP == corev1.ClusterIPNone {
		errs = append(errs, field.Invalid(path.Child("clusterIPs").Index(0), s.ClusterIP,
			fmt.Sprintf("may not be set to 'None' for %s services", s.Type)))
	}
	ports := map[string]bool{}
	for i, p := range s.Ports {
		key := fmt.Sprintf("%s/%d", p.Protocol, p.Port)
		if ports[key] {
			errs = append(errs, field.Duplicate(path.Child("ports").Index(i),
				corev1.ServicePort{Protocol: p.Protocol, Port: p.Port}))
		}
		ports[key] = true
	}
	return errs
}

func servicePort(p *corev1.ServicePort, path *field.Path) field.ErrorList {
	errs := port(p.TargetPort, path.Child("targetPort"))
	if p.NodePort != 0 {
		errs = append(errs, inRange(int64(p.NodePort), 1, math.MaxUint16, path.Child("nodePort"))...)
	}
	return errs
}

func legacyCIDR(path *field.Path, value string) field.ErrorList {
	return validation.IsValidCIDRForLegacyField(path, value, false, nil)
}

// endpointSlice checks addresses: their type is that of the slice.
func endpointSlice(s *discoveryv1.EndpointSlice, _ *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, endpoint := range s.Endpoints {
		for j, value := range endpoint.Addresses {
			at := field.NewPath("endpoints").Index(i).Child("addresses").Index(j)
			errs = append(errs, endpointAddress(s.AddressType, value, at)...)
		}
	}
	return append(errs, duplicates(s.Ports, field.NewPath("ports"), "name",
		func(p *discoveryv1.EndpointPort) string {
			if p.Name == nil {
				return ""
			}
			return *p.Name
		})...)
}

func endpointAddress(kind discoveryv1.AddressType, value string, path *field.Path) field.ErrorList {
	ip, err := netip.ParseAddr(value)
	switch {
	case kind == discoveryv1.AddressTypeFQDN:
		return validation.IsFullyQualifiedDomainName(path, value)
	case kind == discoveryv1.AddressTypeIPv4 && (err != nil || !ip.Is4()):
		return field.ErrorList{field.Invalid(path, value, "must be an IPv4 address")}
	case kind == discoveryv1.AddressTypeIPv6 && (err != nil || !ip.Is6()):
		return field.ErrorList{field.Invalid(path, value, "must be an IPv6 address")}
	}
	return nil
}

func networkingRules() []rule {
	return []rule{
		on(ingressSpec),
		on(ingressHost),
		on(ingressPath),
		require[networkingv1.HTTPIngressRuleValue]("paths"),
		on(func(b *networkingv1.IngressBackend, path *field.Path) field.ErrorList {
			switch {
			case b.Service != nil && b.Resource != nil:
				return field.ErrorList{field.Invalid(path, "", "cannot set both resource and service backends")}
			case b.Service == nil && b.Resource == nil:
				return field.ErrorList{field.Required(path, "")}
			}
			return nil
		}),
		on(ingressService),
		on(func(c *networkingv1.IngressClassSpec, path *field.Path) field.ErrorList {
			path = path.Child("controller")
			if len(c.Controller) > 250 {
				return field.ErrorList{field.TooLong(path, c.Controller, 250)}
			}
			return validation.IsDomainPrefixedPath(path, c.Controller)
		}),
		require[networkingv1.IngressClassParametersReference]("kind", "name"),
		on(classParameters),
		format[networkingv1.ParentReference](
			content.IsPathSegmentName, "name", "namespace", "resource"),
		format[networkingv1.ParentReference](validation.IsDNS1123Subdomain, "group"),
		on(networkPolicySpec),
		on(networkPolicyPeer),
		on(networkPolicyPort),
		on(func(s *networkingv1.ServiceCIDRSpec, path *field.Path) field.ErrorList {
			return serviceCIDRs(s.CIDRs, path.Child("cidrs"))
		}),
	}
}

func ingressSpec(s *networkingv1.IngressSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(s.Rules) == 0 && s.DefaultBackend == nil {
		errs = append(errs, field.Invalid(path, s.Rules,
			"either `defaultBackend` or `rules` must be specified"))
	}
	if s.IngressClassName != nil {
		errs = append(errs, invalid(
			path.Child("ingressClassName"), *s.IngressClassName, subdomain(*s.IngressClassName))...)
	}
	for i, tls := range s.TLS {
		for j, host := range tls.Hosts {
			at := path.Child("tls").Index(i).Child("hosts").Index(j)
			errs = append(errs, invalid(at, host, hostName(host))...)
		}
	}
	return errs
}

func hostName(host string) []string {
	if strings.Contains(host, "*") {
		return validation.IsWildcardDNS1123Subdomain(host)
	}
	return validation.IsDNS1123Subdomain(host)
}

func ingressHost(r *networkingv1.IngressRule, path *field.Path) field.ErrorList {
	path = path.Child("host")
	if r.Host == "" {
		return nil
	}
	if _, err := netip.ParseAddr(r.Host); err == nil {
		return field.ErrorList{field.Invalid(path, r.Host, "must be a DNS name, not an IP address")}
	}
	return invalid(path, r.Host, hostName(r.Host))
}

func ingressPath(p *networkingv1.HTTPIngressPath, path *field.Path) field.ErrorList {
	if p.PathType == nil {
		return field.ErrorList{field.Required(path.Child("pathType"), "pathType must be specified")}
	}
	absolute := strings.HasPrefix(p.Path, "/")
	needed := *p.PathType != networkingv1.PathTypeImplementationSpecific
	if !absolute && (needed || p.Path != "") {
		return field.ErrorList{field.Invalid(path.Child("path"), p.Path, "must be an absolute path")}
	}
	if needed && strings.Contains(p.Path, "//") {
		return field.ErrorList{field.Invalid(path.Child("path"), p.Path, "must not contain '//'")}
	}
	return nil
}

func ingressService(s *networkingv1.IngressServiceBackend, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), ""))
	} else {
		errs = append(errs, invalid(path.Child("name"), s.Name, validation.IsDNS1123Label(s.Name))...)
	}
	path = path.Child("port")
	switch {
	case s.Port.Name != "" && s.Port.Number != 0:
		errs = append(errs, field.Invalid(path, "", "cannot set both port name & port number"))
	case s.Port.Name != "":
		name := s.Port.Name
		errs = append(errs, invalid(path.Child("name"), name, validation.IsValidPortName(name))...)
	case s.Port.Number == 0:
		errs = append(errs, field.Required(path, "port name or number is required"))
	default:
		errs = append(errs, inRange(int64(s.Port.Number), 1, math.MaxUint16, path.Child("number"))...)
	}
	return errs
}

func classParameters(
	r *networkingv1.IngressClassParametersReference, path *field.Path,
) field.ErrorList {
	const cluster, namespaced = networkingv1.IngressClassParametersReferenceScopeCluster,
		networkingv1.IngressClassParametersReferenceScopeNamespace
	switch {
	case r.Scope == nil:
		return field.ErrorList{field.Required(path.Child("scope"), "")}
	case *r.Scope != cluster && *r.Scope != namespaced:
		return field.ErrorList{field.NotSupported(
			path.Child("scope"), *r.Scope, []string{cluster, namespaced})}
	case *r.Scope == namespaced && r.Namespace == nil:
		return field.ErrorList{field.Required(
			path.Child("namespace"), "`parameters.scope` is set to 'Namespace'")}
	case *r.Scope == cluster && r.Namespace != nil:
		return field.ErrorList{field.Forbidden(
			path.Child("namespace"), "`parameters.scope` is set to 'Cluster'")}
	}
	return nil
}

func networkPolicySpec(s *networkingv1.NetworkPolicySpec, path *field.Path) field.ErrorList {
	if len(s.PolicyTypes) <= 2 {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("policyTypes"), s.PolicyTypes,
		"may not specify more than two policyTypes")}
}

func networkPolicyPeer(p *networkingv1.NetworkPolicyPeer, path *field.Path) field.ErrorList {
	selects := p.PodSelector != nil || p.NamespaceSelector != nil
	switch {
	case p.IPBlock == nil && !selects:
		return field.ErrorList{field.Required(path, "must specify a peer")}
	case p.IPBlock == nil:
		return nil
	case selects:
		return field.ErrorList{field.Forbidden(path,
			"may not specify both ipBlock and another peer")}
	}
	path = path.Child("ipBlock")
	if p.IPBlock.CIDR == "" {
		return field.ErrorList{field.Required(path.Child("cidr"), "")}
	}
	errs := legacyCIDR(path.Child("cidr"), p.IPBlock.CIDR)
	outer, err := netip.ParsePrefix(p.IPBlock.CIDR)
	for i, except := range p.IPBlock.Except {
		at := path.Child("except").Index(i)
		errs = append(errs, legacyCIDR(at, except)...)
		inner, wrong := netip.ParsePrefix(except)
		if err == nil && wrong == nil && (!outer.Contains(inner.Addr()) || inner.Bits() <= outer.Bits()) {
			errs = append(errs, field.Invalid(at, except, "must be a strict subset of `cidr`"))
		}
	}
	return errs
}

func networkPolicyPort(p *networkingv1.NetworkPolicyPort, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if p.Port != nil {
		errs = append(errs, port(*p.Port, path.Child("port"))...)
	}
	at := path.Child("endPort")
	switch {
	case p.EndPort == nil:
	case p.Port == nil || p.Port.Type == intstr.String:
		errs = append(errs, field.Invalid(at, *p.EndPort,
			"may not be specified when `port` is not specified or not numeric"))
	case *p.EndPort < p.Port.IntVal:
		errs = append(errs, field.Invalid(at, *p.EndPort, "must be greater than or equal to `port`"))
	}
	return errs
}

// serviceCIDRs allows one range of each family.
func serviceCIDRs(cidrs []string, path *field.Path) field.ErrorList {
	if len(cidrs) == 0 {
		return field.ErrorList{field.Required(path, "at least one CIDR required")}
	}
	if len(cidrs) > 2 {
		return field.ErrorList{field.Invalid(
			path, cidrs, "may only hold up to 2 values")}
	}
	var errs field.ErrorList
	six := 0
	for i, cidr := range cidrs {
		errs = append(errs, validation.IsValidCIDR(path.Index(i), cidr)...)
		if strings.Contains(cidr, ":") {
			six++
		}
	}
	if len(cidrs) == 2 && six != 1 {
		errs = append(errs, field.Invalid(path, cidrs,
			"may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"))
	}
	return errs
}
