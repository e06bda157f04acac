package resolve

import (
	"net"
	"strings"

	"example.com/gatehouse/internal/hostname"
)

// Service is a port of a Service in a cluster.
type Service struct{ Namespace, Name, Port string }

// String returns for example "service webhooks/policy".
func (s Service) String() string { return "service " + s.Namespace + "/" + s.Name }

// ServiceOf returns the Service whose address, as HOST:PORT, an API server connects to by the
// host NAME.NAMESPACE.svc (S-274), and whether it is such an address.
func ServiceOf(address string) (s Service, ok bool) {
	host, port, err := net.SplitHostPort(hostname.Lower(address))
	if err != nil {
		return s, false
	}
	labels := strings.Split(host, ".")
	if len(labels) != 3 || labels[0] == "" || labels[1] == "" || labels[2] != "svc" {
		return s, false
	}
	return Service{Namespace: labels[1], Name: labels[0], Port: port}, true
}
