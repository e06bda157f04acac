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

// address is a host, or "*." and a domain, in the one way in which it can be
// written here, and a port or none.
type address struct{ host, port string }

// addressOf reads a name such as hook.example, hook.example:8443, [::1]:8443 or
// ::1. Names that are no addresses, such as those of ordinary users, and one with a colon
// and no port, become some address that is nobody's.
func addressOf(name string) address {
	a := address{host: name}
	i := strings.LastIndexByte(name, ':')
	// Colons before the last one belong to an IPv6 address, which has a port
	// only after brackets.
	if i >= 0 && i+1 < len(name) && (strings.HasSuffix(name[:i], "]") || !strings.Contains(name[:i], ":")) {
		a.host, a.port = name[:i], name[i+1:]
	}
	// All brackets, because authKey may add a second pair (S-279).
	if ip, err := netip.ParseAddr(strings.Trim(a.host, "[]")); err == nil {
		a.host = ip.String()
		return a
	}
	// The name "*." is for no host, and must not become "*", which is for all.
	if host := strings.TrimSuffix(a.host, "."); host != "*" {
		a.host = hostname.Lower(host)
	}
	return a
}

// String is the address as it is usually written.
func (a address) String() string {
	if a.port == "" {
		return a.host
	}
	return net.JoinHostPort(a.host, a.port)
}

// patterns are the names that fit a, but "*", the most specific first: all those
// with the port come before those without (S-280).
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

// usersByAddress reads the names of users as addresses. If there are several for
// one address, the one that is written as String does wins, and otherwise the
// first in byte order.
func usersByAddress(users map[string]*clientcmdapi.AuthInfo) map[address]*clientcmdapi.AuthInfo {
	by := make(map[address]*clientcmdapi.AuthInfo, len(users))
	for _, name := range slices.Sorted(maps.Keys(users)) {
		a := addressOf(name)
		if _, taken := by[a]; !taken || name == a.String() {
			by[a] = users[name]
		}
	}
	return by
}
