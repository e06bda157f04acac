package client

import (
	"maps"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"example.com/gatehouse/internal/hostname"
)

// address is a host, or "*." and a domain, in normal form, and an optional
// port.
type address struct{ host, port string }

// parseAddress reads the name of a kubeconfig user, such as hook.example,
// hook.example:8443, [::1]:8443 or ::1. A name that is no address, such as that
// of an ordinary user, yields an address that equals no webhook's; so does a
// name that ends with a colon.
func parseAddress(name string) address {
	a := address{host: name}
	i := strings.LastIndexByte(name, ':')
	// Colons before the last one belong to an IPv6 address, which has a port
	// only after brackets.
	if i >= 0 && i+1 < len(name) &&
		(strings.HasSuffix(name[:i], "]") || !strings.Contains(name[:i], ":")) {
		a.host, a.port = name[:i], name[i+1:]
	}
	// Trim all brackets, because authKey may add a second pair (S-279).
	if ip, err := netip.ParseAddr(strings.Trim(a.host, "[]")); err == nil {
		a.host = ip.String()
		return a
	}
	// The name "*." matches no host, and must not become "*", which matches
	// every host.
	if host := strings.TrimSuffix(a.host, "."); host != "*" {
		a.host = hostname.Lower(host)
	}
	return a
}

// String returns the usual spelling of the address.
func (a address) String() string {
	if a.port == "" {
		return a.host
	}
	return net.JoinHostPort(a.host, a.port)
}

// patterns returns the names that match a, except "*", the most specific first:
// all names with the port come before those without (S-280).
func (a address) patterns() []address {
	hosts := []string{a.host}
	for _, domain, ok := strings.Cut(a.host, "."); ok; _, domain, ok = strings.Cut(domain, ".") {
		hosts = append(hosts, "*."+domain)
	}
	ports := []string{a.port}
	if a.port == strconv.Itoa(httpsPort) {
		ports = append(ports, "")
	}
	var patterns []address
	for _, port := range ports {
		for _, host := range hosts {
			patterns = append(patterns, address{host: host, port: port})
		}
	}
	return patterns
}

// usersByAddress indexes users by address. Among several names for one address,
// the one that equals address.String wins, and otherwise the first in byte
// order.
func usersByAddress(users map[string]*clientcmdapi.AuthInfo) map[address]*clientcmdapi.AuthInfo {
	byAddress := make(map[address]*clientcmdapi.AuthInfo, len(users))
	for _, name := range slices.Sorted(maps.Keys(users)) {
		a := parseAddress(name)
		if _, taken := byAddress[a]; !taken || name == a.String() {
			byAddress[a] = users[name]
		}
	}
	return byAddress
}
