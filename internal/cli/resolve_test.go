package cli

import (
	"net"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseRoutes(t *testing.T) {
	t.Parallel()
	const form = "want HOST:PORT:ADDR or HOST:PORT:ADDR:PORT, with IPv6 addresses in brackets"
	rows := []struct {
		name, why string
		values    []string
		want      routes
		problem   string
	}{
		{
			name:   "address",
			why:    "without a port of its own the address has that of the host",
			values: []string{"a.example.com:443:10.0.0.1"},
			want:   routes{"a.example.com:443": "10.0.0.1:443"},
		},
		{
			name:   "address and port",
			why:    "a port-forward is hardly ever on 443",
			values: []string{"a.example.com:443:127.0.0.1:8443"},
			want:   routes{"a.example.com:443": "127.0.0.1:8443"},
		},
		{
			name:   "name as address",
			why:    "unlike curl's, the target may be a name",
			values: []string{"a.example.com:443:localhost:8443"},
			want:   routes{"a.example.com:443": "localhost:8443"},
		},
		{
			name:   "IPv6",
			why:    "brackets end where the port begins",
			values: []string{"[2001:db8::1]:443:[::1]:8443", "b:1:[::1]"},
			want:   routes{"[2001:db8::1]:443": "[::1]:8443", "b:1": "[::1]:1"},
		},
		{
			name:   "case",
			why:    "host names do not depend on it",
			values: []string{"A.Example.Com:443:10.0.0.1"},
			want:   routes{"a.example.com:443": "10.0.0.1:443"},
		},
		{
			name:   "ports of one host",
			why:    "they are routed apart",
			values: []string{"a:1:10.0.0.1", "a:2:10.0.0.2"},
			want:   routes{"a:1": "10.0.0.1:1", "a:2": "10.0.0.2:2"},
		},
		{
			name:   "repeated",
			why:    "saying it twice is no contradiction",
			values: []string{"a:1:10.0.0.1", "A:1:10.0.0.1:1"},
			want:   routes{"a:1": "10.0.0.1:1"},
		},
		{
			name:    "contradiction",
			why:     "either could be meant",
			values:  []string{"a:1:10.0.0.1", "a:1:10.0.0.2"},
			problem: `--resolve "a:1:10.0.0.2": a:1 already goes to 10.0.0.1:1`,
		},
		{
			name:    "bare IPv6 address",
			why:     "its last group could be a port",
			values:  []string{"a:443:::1"},
			problem: `--resolve "a:443:::1": ` + form,
		},
		{
			name:    "bracketed IPv4 address",
			why:     "what is in brackets is IPv6 in every URL",
			values:  []string{"a:443:[10.0.0.1]"},
			problem: `--resolve "a:443:[10.0.0.1]": ` + form,
		},
		{
			name:    "open bracket",
			why:     "the address has no end",
			values:  []string{"a:443:[::1"},
			problem: `--resolve "a:443:[::1": ` + form,
		},
		{
			name:    "text after bracket",
			why:     "a colon is missing",
			values:  []string{"a:443:[::1]8443"},
			problem: `--resolve "a:443:[::1]8443": ` + form,
		},
		{
			name:    "no address",
			why:     "there is nowhere to go",
			values:  []string{"a:443"},
			problem: `--resolve "a:443": ` + form,
		},
		{
			name:    "no host",
			why:     "there is nothing to route",
			values:  []string{":443:10.0.0.1"},
			problem: `--resolve ":443:10.0.0.1": ` + form,
		},
		{
			name:    "no port after the last colon",
			why:     "a variable was empty",
			values:  []string{"a:443:10.0.0.1:"},
			problem: `--resolve "a:443:10.0.0.1:": ` + form,
		},
		{
			name:    "port that is a word",
			why:     "services are not looked up",
			values:  []string{"a:https:10.0.0.1"},
			problem: `--resolve "a:https:10.0.0.1": "https" is not a port; ` + form,
		},
		{
			name:    "port zero",
			why:     "nothing can be connected to it",
			values:  []string{"a:443:10.0.0.1:0"},
			problem: `--resolve "a:443:10.0.0.1:0": "0" is not a port; ` + form,
		},
		{
			name:    "port out of range",
			why:     "ports have 16 bits",
			values:  []string{"a:65536:10.0.0.1"},
			problem: `--resolve "a:65536:10.0.0.1": "65536" is not a port; ` + form,
		},
		{
			name:    "five parts",
			why:     "it is not clear which belong together",
			values:  []string{"a:1:b:2:3"},
			problem: `--resolve "a:1:b:2:3": "2:3" is not a port; ` + form,
		},
	}
	names := map[string]bool{}
	for _, row := range rows {
		if row.why == "" || names[row.name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", row.name)
		}
		names[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseRoutes(row.values)
			problem := ""
			if err != nil {
				problem = err.Error()
			}
			if problem != row.problem {
				t.Errorf("got error %q, want %q: %s", problem, row.problem, row.why)
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", row.why, diff)
			}
		})
	}
}

func TestDial(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listening: %v", err)
	}
	defer listener.Close()
	address := listener.Addr().String()
	// The first is routed to the listener, the second is the listener.
	r := routes{"policy.webhooks.svc:443": address}
	for _, to := range []string{"Policy.webhooks.svc:443", address} {
		conn, err := r.dial(t.Context(), "tcp", to)
		if err != nil {
			t.Fatalf("dialling %s: %v", to, err)
		}
		if got := conn.RemoteAddr().String(); got != address {
			t.Errorf("dialling %s led to %s, want %s", to, got, address)
		}
		if err := conn.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	}
}

func TestDirect(t *testing.T) {
	t.Parallel()
	r := routes{"a.example.com:443": "127.0.0.1:1", "b.example.com:80": "127.0.0.1:1", "c.example.com:8443": "127.0.0.1:1"}
	rows := []struct {
		name, why, address string
		want               bool
	}{
		{name: "default port", why: "the port of https is 443, whatever the case", address: "https://A.example.com/x", want: true},
		{name: "default port of http", why: "plain webhooks are called as they are", address: "http://b.example.com/", want: true},
		{name: "port", why: "the proxy could not know the route", address: "https://c.example.com:8443/", want: true},
		{name: "other port", why: "only one port of the host is routed", address: "https://a.example.com:8443/"},
		{name: "other scheme", why: "its default port is another", address: "http://a.example.com/"},
		{name: "other host", why: "it is left to the environment", address: "https://d.example.com/"},
	}
	names := map[string]bool{}
	for _, row := range rows {
		if row.why == "" || names[row.name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", row.name)
		}
		names[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			u, err := url.Parse(row.address)
			if err != nil {
				t.Fatalf("parsing: %v", err)
			}
			if got := r.direct(u); got != row.want {
				t.Errorf("got %v, want %v: %s", got, row.want, row.why)
			}
		})
	}
}
