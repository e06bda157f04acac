package client

import (
	"maps"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// address is a host, or "*." and a domain, in the one way in which it can be
// written here, and a port or none.
type address struct{ host, port string }

// addressOf reads a name such as hook.example, hook.example:8443, [::1]:8443 or
// ::1. Names that are no addresses, such as those of ordinary users, become some
// address that is nobody's.
func addressOf(name string) address {
	a := address{host: name}
	i := strings.LastIndexByte(name, ':')
	// Colons before the last one belong to an IPv6 address, which has a port
	// only after brackets.
	if i >= 0 && (strings.HasSuffix(name[:i], "]") || !strings.Contains(name[:i], ":")) {
		a.host, a.port = name[:i], name[i+1:]
	}
	// All brackets, because authKey may add a second pair (S-279).
	if ip, err := netip.ParseAddr(strings.Trim(a.host, "[]")); err == nil {
		a.host = ip.String()
		return a
	}
	// The name "*." is for no host, and must not become "*", which is for all.
	if host := strings.TrimSuffix(a.host, "."); host != "*" {
		a.host = lowerHost(host)
	}
	return a
}

// lowerHost is a host in lower case, as far as names of hosts have any. Other letters than
// those of ASCII stay as they are: to net/http they may make another host of it in upper
// case, as İ does, of which strings.ToLower makes an i.
func lowerHost(host string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, host)
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
