package resolve

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

func TestParse(t *testing.T) {
	t.Parallel()
	const form = "want HOST:PORT:ADDR or HOST:PORT:ADDR:PORT, with IPv6 addresses in brackets"
	type test struct {
		row
		values  []string
		want    Table
		problem string
	}
	rows := []test{
		{
			row:    row{"address", "without a port of its own the address has that of the host"},
			values: []string{"a.example.com:443:10.0.0.1"},
			want:   Table{"a.example.com:443": "10.0.0.1:443"},
		},
		{
			row:    row{"address and port", "a port-forward is hardly ever on 443"},
			values: []string{"a.example.com:443:127.0.0.1:8443"},
			want:   Table{"a.example.com:443": "127.0.0.1:8443"},
		},
		{
			row:    row{"name as address", "unlike curl's, the target may be a name"},
			values: []string{"a.example.com:443:localhost:8443"},
			want:   Table{"a.example.com:443": "localhost:8443"},
		},
		{
			row:    row{"IPv6", "brackets end where the port begins"},
			values: []string{"[2001:db8::1]:443:[::1]:8443", "b:1:[::1]"},
			want:   Table{"[2001:db8::1]:443": "[::1]:8443", "b:1": "[::1]:1"},
		},
		{
			row:    row{"case", "host names do not depend on it"},
			values: []string{"A.Example.Com:443:10.0.0.1"},
			want:   Table{"a.example.com:443": "10.0.0.1:443"},
		},
		{
			row:    row{"ports of one host", "they are routed apart"},
			values: []string{"a:1:10.0.0.1", "a:2:10.0.0.2"},
			want:   Table{"a:1": "10.0.0.1:1", "a:2": "10.0.0.2:2"},
		},
		{
			row:    row{"repeated", "saying it twice is no contradiction"},
			values: []string{"a:1:10.0.0.1", "A:1:10.0.0.1:1"},
			want:   Table{"a:1": "10.0.0.1:1"},
		},
		{
			row:     row{"contradiction", "either could be meant"},
			values:  []string{"a:1:10.0.0.1", "a:1:10.0.0.2"},
			problem: `"a:1:10.0.0.2": a:1 already goes to 10.0.0.1:1`,
		},
		{
			row:     row{"bare IPv6 address", "its last group could be a port"},
			values:  []string{"a:443:::1"},
			problem: `"a:443:::1": ` + form,
		},
		{
			row:     row{"bracketed IPv4 address", "what is in brackets is IPv6 in every URL"},
			values:  []string{"a:443:[10.0.0.1]"},
			problem: `"a:443:[10.0.0.1]": ` + form,
		},
		{
			row:     row{"open bracket", "the address has no end"},
			values:  []string{"a:443:[::1"},
			problem: `"a:443:[::1": ` + form,
		},
		{
			row:     row{"text after bracket", "a colon is missing"},
			values:  []string{"a:443:[::1]8443"},
			problem: `"a:443:[::1]8443": ` + form,
		},
		{
			row:     row{"no address", "there is nowhere to go"},
			values:  []string{"a:443"},
			problem: `"a:443": ` + form,
		},
		{
			row:     row{"no host", "there is nothing to route"},
			values:  []string{":443:10.0.0.1"},
			problem: `":443:10.0.0.1": ` + form,
		},
		{
			row:     row{"no port after the last colon", "a variable was empty"},
			values:  []string{"a:443:10.0.0.1:"},
			problem: `"a:443:10.0.0.1:": ` + form,
		},
		{
			row:     row{"port that is a word", "services are not looked up"},
			values:  []string{"a:https:10.0.0.1"},
			problem: `"a:https:10.0.0.1": "https" is not a port; ` + form,
		},
		{
			row:     row{"port zero", "nothing can be connected to it"},
			values:  []string{"a:443:10.0.0.1:0"},
			problem: `"a:443:10.0.0.1:0": "0" is not a port; ` + form,
		},
		{
			row:     row{"port out of range", "ports have 16 bits"},
			values:  []string{"a:65536:10.0.0.1"},
			problem: `"a:65536:10.0.0.1": "65536" is not a port; ` + form,
		},
		{
			row:     row{"five parts", "it is not clear which belong together"},
			values:  []string{"a:1:b:2:3"},
			problem: `"a:1:b:2:3": "2:3" is not a port; ` + form,
		},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		got, err := Parse(tc.values)
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		if problem != tc.problem {
			t.Errorf("got error %q, want %q: %s", problem, tc.problem, tc.Why())
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

func TestAddressOf(t *testing.T) {
	t.Parallel()
	r := Table{"a.example.com:443": "127.0.0.1:1", "hi.example:443": "127.0.0.1:1", "b.example.com:80": "127.0.0.1:1", "c.example.com:8443": "127.0.0.1:1"}
	type test struct {
		row
		address string
		want    bool
	}
	rows := []test{
		{row: row{"default port", "the port of https is 443, whatever the case"}, address: "https://A.example.com/x", want: true},
		{row: row{"default port of http", "plain webhooks are called as they are"}, address: "http://b.example.com/", want: true},
		{row: row{"port", "the proxy could not know the route"}, address: "https://c.example.com:8443/", want: true},
		{row: row{"other port", "only one port of the host is routed"}, address: "https://a.example.com:8443/"},
		{row: row{"other scheme", "its default port is another"}, address: "http://a.example.com/"},
		{row: row{"other letters", "in lower case İ would be an i, which is another host"}, address: "https://hİ.example/"},
		{row: row{"other host", "it is left to the environment"}, address: "https://d.example.com/"},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		u, err := url.Parse(tc.address)
		if err != nil {
			t.Fatalf("parsing: %v", err)
		}
		if _, got := r.To(addressOf(u)); got != tc.want {
			t.Errorf("got %v, want %v: %s", got, tc.want, tc.Why())
		}
	})
}
