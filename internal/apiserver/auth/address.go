package auth

import "net"

// listensOnAllInterfaces reports whether a server that listens on host accepts
// connections to every address of the machine.
func listensOnAllInterfaces(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// reachableAddress returns an address that clients on this machine can dial for
// a server that listens on address.
func reachableAddress(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil || !listensOnAllInterfaces(host) {
		return address
	}
	return net.JoinHostPort("127.0.0.1", port)
}
