package hostname

import (
	"strings"

	netutils "k8s.io/utils/net"
)

// Lower returns a host in lower case, as far as names of hosts have any. Other
// letters than those of ASCII stay as they are: to net/http they may make
// another host of it in upper case, as İ does, of which strings.ToLower makes
// an i. So do bytes that are no UTF-8, of which strings would make one and the
// same. The host may have a port.
func Lower(host string) string {
	if strings.IndexFunc(host, isUpper) < 0 {
		return host
	}
	lower := []byte(host) // not runes: bytes that are none are not all alike
	for i, c := range lower {
		if isUpper(rune(c)) {
			lower[i] = c - 'A' + 'a'
		}
	}
	return string(lower)
}

func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }

// IsNumber reports whether the last label of a host is a number, in digits or
// in hexadecimal digits after 0x. No name ends like that: resolvers take such a
// host for an IPv4 address, whose parts may be fewer than four, and octal, too.
func IsNumber(host string) bool {
	label := strings.TrimRight(Lower(host), ".")
	label = label[strings.LastIndexByte(label, '.')+1:]
	if digits, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

// IsLoopback reports whether a host is a name or an address of this machine.
// API servers offer HTTP/2 only to URLs with such a host: a single connection
// for all requests would pin them to one of several backends (S-277).
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	// kube-apiserver accepts leading zeros, as in 127.0.0.01.
	ip := netutils.ParseIPSloppy(host)
	return ip != nil && ip.IsLoopback()
}
