package security_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/testutil/testenv"
	"example.com/gatehouse/internal/testutil/testtable"
)

// network are the servers of the tests of credentials.
//
//	A      https://127.0.0.1
//	B      https://127.0.0.1, another port
//	C      https://127.0.0.2
//	P      http://127.0.0.1
//	six    https://[::1]
//	proxy  a proxy
//
// All of the first five have a certificate for all of these addresses, for
// localhost, and for the services gate and other in hooks: nothing but the
// choice of credentials keeps them apart.
type network struct {
	sites map[string]*site
	ca    []byte
}

// newNetwork starts all servers except those whose addresses the machine lacks.
func newNetwork(t *testing.T) *network {
	t.Helper()
	authority, err := certs.NewAuthority("security test")
	if err != nil {
		t.Fatal(err)
	}
	n := &network{sites: map[string]*site{"proxy": openProxy(t).site}, ca: authority.Bundle()}
	for _, s := range []struct {
		name, host string
		authority  *certs.Authority
	}{{"A", "127.0.0.1", authority}, {"B", "127.0.0.1", authority}, {"C", "127.0.0.2", authority}, {"P", "127.0.0.1", nil}, {"six", "::1", authority}} {
		if opened, ok := openSite(t, s.name, s.host, s.authority); ok {
			n.sites[s.name] = opened
		}
	}
	return n
}

// fill replaces placeholders in a text: {A} is the address of A with its port,
// and {:A} the port. An address that the machine lacks skips the test, see
// testenv.Missing.
func (n *network) fill(t *testing.T, text string) string {
	t.Helper()
	for name, s := range n.sites {
		text = strings.NewReplacer("{"+name+"}", s.addr, "{:"+name+"}", ":"+s.port).Replace(text)
	}
	if strings.ContainsAny(text, "{}") {
		testenv.Missing(t, "this machine has no address for "+text+": neither 127.0.0.2 nor ::1 is everywhere")
	}
	return text
}

// visit is one webhook that is called, and where its user's credentials arrive.
type visit struct {
	row
	// users are the names of users, whose credentials are all of one kind. The
	// first one's must arrive where the row says; those of all others, admin
	// among them, must not arrive.
	users []string
	// url and service say where the webhook is; one is empty.
	url, service string
	// status and to make the webhook redirect.
	status int
	to     string
	exact  bool
	// proxied has all requests go through the proxy.
	proxied bool
	// visited are the servers that see any request, but for the proxy, shown
	// those that see a credential.
	visited, shown string
	// current: the user of current-context, admin, is the one whose credentials
	// must arrive.
	current bool
}

const (
	temporary = http.StatusTemporaryRedirect
	permanent = http.StatusPermanentRedirect
)

var visits = []visit{
	{row: row{"own host", "what credentials are for"}, users: []string{"{A}"}, url: "https://{A}", visited: "A", shown: "A"},
	{row: row{"other port", "another port is another server"}, users: []string{"{A}"}, url: "https://{B}", visited: "B"},
	{row: row{"other address", "another host"}, users: []string{"{A}"}, url: "https://{C}", visited: "C"},
	{row: row{"other family", "another host"}, users: []string{"{A}"}, url: "https://{six}", visited: "six"},
	{row: row{"name for the address", "names and addresses are not taken for each other"}, users: []string{"{A}"}, url: "https://localhost{:A}", visited: "A"},
	{row: row{"address for the name", "the other way round"}, users: []string{"localhost{:A}"}, url: "https://{A}", visited: "A"},
	{row: row{"two users", "to each webhook its own"}, users: []string{"{A}", "{B}", "*{:C}"}, url: "https://{A}", visited: "A", shown: "A"},
	{row: row{"port alone", "a name without a port is for 443"}, users: []string{"127.0.0.1"}, url: "https://{A}", visited: "A"},
	{row: row{"all servers", "the name * asks for it"}, users: []string{"*"}, url: "https://{C}", visited: "C", shown: "C"},
	{row: row{"user in the URL", "it is dropped (S-276)"}, users: []string{"{B}"}, url: "https://in-the-url:in-the-url@{A}", visited: "A"},

	{row: row{"case of the name", "hosts have none"}, users: []string{"LOCALHOST{:A}"}, url: "https://localhost{:A}", visited: "A", shown: "A"},
	{row: row{"case of the URL", "hosts have none"}, users: []string{"localhost{:A}"}, url: "https://LocalHost{:A}", visited: "A", shown: "A"},
	{row: row{"dot after the name", "the same host, spelled out"}, users: []string{"localhost.{:A}"}, url: "https://localhost{:A}", visited: "A", shown: "A"},
	{row: row{"dot in the URL", "likewise"}, users: []string{"localhost{:A}"}, url: "https://localhost.{:A}", visited: "A", shown: "A"},
	{row: row{"long IPv6", "one address has many spellings"}, users: []string{"[0:0:0:0:0:0:0:1]{:six}"}, url: "https://[::1]{:six}", visited: "six", shown: "six"},
	{row: row{"IPv6 of IPv4", "another spelling is another host, and better no credential than too many"}, users: []string{"{A}"}, url: "https://[::ffff:127.0.0.1]{:A}", visited: "A"},

	{row: row{"current context", "it belongs to an API server"}, users: []string{"{A}"}, url: "https://{C}", visited: "C", current: true},
	{row: row{"current context, exactly", "upstream shows it to all servers; docs/parity.md"}, users: []string{"{A}"}, url: "https://{C}", exact: true, visited: "C", shown: "C", current: true},

	{row: row{"redirect at home", "the same server"}, users: []string{"{A}"}, url: "https://{A}", status: temporary, to: "/review", visited: "A", shown: "A"},
	{row: row{"redirect to another port", "nothing is sent there at all"}, users: []string{"{A}"}, url: "https://{A}", status: temporary, to: "https://{B}/review", visited: "A", shown: "A"},
	{row: row{"permanent redirect", "nothing is sent there at all"}, users: []string{"{A}"}, url: "https://{A}", status: permanent, to: "https://{C}/review", visited: "A", shown: "A"},
	{row: row{"redirect to clear text", "nothing is sent there at all"}, users: []string{"{A}"}, url: "https://{A}", status: temporary, to: "http://{P}/review", visited: "A", shown: "A"},
	{row: row{"redirect that becomes GET", "nothing is sent there at all"}, users: []string{"{A}"}, url: "https://{A}", status: http.StatusFound, to: "https://{B}/review", visited: "A", shown: "A"},
	{row: row{"redirect without scheme", "the host counts"}, users: []string{"{A}"}, url: "https://{A}", status: http.StatusSeeOther, to: "//{B}/review", visited: "A", shown: "A"},
	{row: row{"redirect to another name", "nothing is sent there at all"}, users: []string{"{A}"}, url: "https://{A}", status: temporary, to: "https://localhost{:A}/review", visited: "A", shown: "A"},
	{row: row{"redirect to the user's host", "a stranger does not get to act for the user there"}, users: []string{"{A}"}, url: "https://{B}", status: temporary, to: "https://{A}/review", visited: "B"},
	{row: row{"redirect to the user's host, exactly", "what arrives is what the stranger is shown, which is the current context's"}, users: []string{"{A}"}, url: "https://{B}", status: temporary, to: "https://{A}/review", exact: true, visited: "AB", shown: "AB", current: true},
	{row: row{"redirect, exactly", "upstream shows them there, too (CVE-2020-8561); docs/parity.md"}, users: []string{"{A}"}, url: "https://{A}", status: temporary, to: "https://{C}/review", exact: true, visited: "AC", shown: "AC"},

	{row: row{"service", "its name is what users are named after"}, users: []string{"gate.hooks.svc:443"}, service: "gate", visited: "A", shown: "A"},
	{row: row{"other service", "although both are at one address"}, users: []string{"gate.hooks.svc:443"}, service: "other", visited: "A"},
	{row: row{"address of the service", "what it resolves to is no name for it"}, users: []string{"{A}"}, service: "gate", visited: "A"},

	{row: row{"tunnel", "a proxy sees where to, and no more"}, users: []string{"{A}"}, url: "https://{A}", proxied: true, visited: "A", shown: "A"},
	{row: row{"tunnel for a stranger", "the user's host is another"}, users: []string{"{A}"}, url: "https://{C}", proxied: true, visited: "C"},
	{row: row{"clear text", "a network observer could read it; registration rejects such URLs"}, users: []string{"{P}"}, url: "http://{P}", proxied: true, visited: "P", shown: "Pproxy"},
	{row: row{"clear text for a stranger", "the user's host is another"}, users: []string{"{A}"}, url: "http://{P}", proxied: true, visited: "P"},
}

// TestCredentials makes every visit with every kind of credentials, and looks
// at everything that arrived at every server.
func TestCredentials(t *testing.T) {
	t.Parallel()
	for _, kind := range credentials {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			testtable.Run(t, visits, func(t *testing.T, v visit) { makeVisit(t, kind, v) })
		})
	}
}

func makeVisit(t *testing.T, kind credential, v visit) {
	n := newNetwork(t)
	names := append(slices.Clone(v.users), "admin")
	for i := range names {
		names[i] = n.fill(t, names[i])
	}
	file, secrets := writeKubeconfig(t, kind, names)
	config := caller{kubeconfig: file, exact: v.exact, service: &url.URL{Scheme: "https", Host: n.sites["A"].addr}}
	if v.proxied {
		config.proxy = &url.URL{Scheme: "http", User: url.UserPassword("proxy", "of-the-proxy"), Host: n.sites["proxy"].addr}
	}
	// The result of the call does not matter here: other tests check whether
	// redirects are followed.
	_ = config.call(t, n.webhook(t, v))
	followed := secrets[0]
	if v.current {
		followed = secrets[len(secrets)-1]
	}
	want := v.shown
	if kind.tlsOnly && v.proxied && strings.HasPrefix(v.url, "http://") {
		want = "" // there is no TLS to show a certificate in
	}
	visited, shown := n.trails(t, v, followed, secrets)
	if diff := cmp.Diff([]string{v.visited, want}, []string{visited, shown}); diff != "" {
		t.Errorf("servers that were visited, and that saw credentials (-want +got):\n%s", diff)
	}
}

// trails returns which servers saw a request, and which of them the secrets
// that are followed. All others must be nowhere.
func (n *network) trails(t *testing.T, v visit, followed []string, secrets [][]string) (visited, shown string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(n.sites)) {
		arrived, requests := n.sites[name].all()
		if requests > 0 && name != "proxy" {
			visited += name
		}
		for _, needle := range followed {
			if strings.Contains(arrived, needle) {
				shown += name
				break
			}
		}
		for _, others := range secrets {
			for _, needle := range others {
				if !slices.Contains(followed, needle) && strings.Contains(arrived, needle) {
					t.Errorf("%s saw %q:\n%s", name, needle, arrived)
				}
			}
		}
		if strings.Contains(arrived, "in-the-url") {
			t.Errorf("%s saw the user of the URL:\n%s", name, arrived)
		}
		if strings.Contains(arrived, "Proxy-Authorization") != (v.proxied && name == "proxy") {
			t.Errorf("%s: the proxy's own credentials are for the proxy:\n%s", name, arrived)
		}
	}
	return visited, shown
}

// webhook is how the webhook of a visit is reached.
func (n *network) webhook(t *testing.T, v visit) registrationv1.WebhookClientConfig {
	t.Helper()
	path := "/review"
	if v.status != 0 {
		path = through(v.status, n.fill(t, v.to))
	}
	if v.service != "" {
		return registrationv1.WebhookClientConfig{
			Service:  &registrationv1.ServiceReference{Namespace: "hooks", Name: v.service, Path: &path},
			CABundle: n.ca,
		}
	}
	return registrationv1.WebhookClientConfig{URL: new(n.fill(t, v.url) + path), CABundle: n.ca}
}
