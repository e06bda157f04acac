package client

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// defaultRow is a service, and the address that a client without a
// ServiceResolver dials.
type defaultRow struct {
	row
	service registrationv1.ServiceReference
	dialed  string
	err     string
}

// TestDefaultServiceResolver uses a client without a ServiceResolver (S-274).
func TestDefaultServiceResolver(t *testing.T) {
	t.Parallel()
	const empty = "cannot resolve an empty service name or namespace or port"
	testtable.Run(t, []defaultRow{
		{row{"service", "its DNS name, which the system resolves"}, registrationv1.ServiceReference{Namespace: "hooks", Name: "gate"}, "gate.hooks.svc:443", ""},
		{row{"service with port", "the port is the service's"}, registrationv1.ServiceReference{Namespace: "hooks", Name: "gate", Port: new(int32(8443))}, "gate.hooks.svc:8443", ""},
		{row{"no name", "an empty name could resolve to any host"}, registrationv1.ServiceReference{Namespace: "hooks"}, "", empty},
		{row{"no namespace", "there is a service of that name in every namespace"}, registrationv1.ServiceReference{Name: "gate"}, "", empty},
	}, func(t *testing.T, r defaultRow) {
		b := startBackend(t, http.HandlerFunc(ok), "gate.hooks.svc")
		dialed := ""
		c := newClient(t, Config{Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			dialed = addr
			return b.dial(ctx, network, addr)
		}})
		w := serviceHook(b.ca)
		w.ClientConfig.Service = &r.service
		_, err := post(t, c, w, "{}")
		if (err == nil) != (r.err == "") || err != nil && !strings.Contains(err.Error(), r.err) {
			t.Errorf("error %v, want one with %q", err, r.err)
		}
		if dialed != r.dialed {
			t.Errorf("dialed %q, want %q", dialed, r.dialed)
		}
	})
}
