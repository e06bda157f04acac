package client

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
)

// writeKubeconfig writes a file with users; current is the user of the current
// context.
func writeKubeconfig(t *testing.T, users, current string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	content := "{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: c, user: '" +
		current + "'}}], users: [" + users + "]}"
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// withTokens returns users whose token is their name.
func withTokens(names ...string) string {
	var users []string
	for _, name := range names {
		users = append(users, "{name: '"+name+"', user: {token: '"+name+"'}}")
	}
	return strings.Join(users, ", ")
}

// bothResolvers returns the default resolver of a kubeconfig and the exact one.
func bothResolvers(t *testing.T, file string) (safe, exact webhookutil.AuthenticationInfoResolver) {
	t.Helper()
	safe, err := KubeconfigAuth(file, false)
	if err != nil {
		t.Fatal(err)
	}
	if exact, err = KubeconfigAuth(file, true); err != nil {
		t.Fatal(err)
	}
	return safe, exact
}

type hostRow struct {
	row
	// users are the names of the users; the user of the current context is
	// admin.
	users []string
	// host is the key of the look-up, as in S-279.
	host string
	// safe and exact are the chosen users, empty for none.
	safe, exact string
}

var hostRows = []hostRow{
	{row{"host and port", "the most specific name"}, []string{"a.b.c:8443", "*.b.c:8443", "a.b.c", "*"}, "a.b.c:8443", "a.b.c:8443", "a.b.c:8443"},
	{row{"longest domain", "it wins over shorter ones"}, []string{"*.c:8443", "*.b.c:8443", "*"}, "a.b.c:8443", "*.b.c:8443", "*.b.c:8443"},
	{row{"short domain", "a domain covers hosts at any depth"}, []string{"*.c:8443", "*"}, "a.b.c:8443", "*.c:8443", "*.c:8443"},
	{row{"domain itself", "is not a host in the domain"}, []string{"*.b.c:8443"}, "b.c:8443", "", "admin"},
	{row{"similar domain", "only whole labels match"}, []string{"*.b.c:8443"}, "a.bb.c:8443", "", "admin"},
	{row{"443 without port", "a name without a port means 443"}, []string{"a.b.c", "*.b.c", "*"}, "a.b.c:443", "a.b.c", "a.b.c"},
	{row{"443 domain without port", "likewise, the longest first"}, []string{"*.b.c", "*.c", "*"}, "a.b.c:443", "*.b.c", "*.b.c"},
	{row{"port before host", "any name with the port comes before the host without"}, []string{"a.b.c", "*.c:443"}, "a.b.c:443", "*.c:443", "*.c:443"},
	{row{"other port", "a name without a port is for 443 alone"}, []string{"a.b.c"}, "a.b.c:8443", "", "admin"},
	{row{"star", "matches hosts that no other name matches"}, []string{"*", "other:443"}, "a.b.c:8443", "*", "*"},
	{row{"star is no domain", "the name *. matches no host"}, []string{"*."}, "a.b.c:443", "", "admin"},
	{row{"no match", "the user of current-context is not used (exact: it is)"}, []string{"other:443"}, "a.b.c:443", "", "admin"},
	{row{"service", "the host is the service's name"}, []string{"gate.hooks.svc:443"}, "gate.hooks.svc:443", "gate.hooks.svc:443", "gate.hooks.svc:443"},
	{row{"service domain", "all services of a namespace"}, []string{"*.hooks.svc"}, "gate.hooks.svc:443", "*.hooks.svc", "*.hooks.svc"},
	{row{"API server outside", "outside a cluster it is an ordinary host"}, []string{"*"}, "kubernetes.default.svc:443", "*", "*"},
	{row{"case of host", "hosts are compared without case"}, []string{"a.b.c:443"}, "A.b.C:443", "a.b.c:443", "admin"},
	{row{"case of name", "names of users likewise"}, []string{"A.B.c"}, "a.b.c:443", "A.B.c", "admin"},
	{row{"case of domain", "domains likewise"}, []string{"*.B.c"}, "a.b.c:443", "*.B.c", "admin"},
	{row{"dot after host", "the final dot is ignored"}, []string{"a.b.c:443"}, "a.b.c.:443", "a.b.c:443", "admin"},
	{row{"dot after name", "likewise"}, []string{"a.b.c.:443"}, "a.b.c:443", "a.b.c.:443", "admin"},
	{row{"other letter", "in lower case İ is an i, but net/http goes to another host for it"}, []string{"hi.c"}, "hİ.c:443", "", "admin"},
	{row{"colon without a port", "the name matches no host"}, []string{"a.b.c:"}, "a.b.c:443", "", "admin"},
	{row{"two spellings", "the plain spelling wins, in any order"}, []string{"A.b.c", "a.b.c", "a.b.c."}, "a.b.c:443", "a.b.c", "a.b.c"},
	{row{"two odd spellings", "the first in byte order wins, so that the result is stable"}, []string{"a.B.c", "A.b.c"}, "a.b.c:443", "A.b.c", "admin"},
	{row{"IPv4", "an address is a host"}, []string{"127.0.0.1:8443"}, "127.0.0.1:8443", "127.0.0.1:8443", "127.0.0.1:8443"},
	{row{"IPv6 and port", "in brackets, as in a URL"}, []string{"[::1]:8443"}, "[::1]:8443", "[::1]:8443", "[::1]:8443"},
	{row{"IPv6 without port", "upstream brackets it twice (S-279)"}, []string{"[::1]:443"}, "[[::1]]:443", "[::1]:443", "admin"},
	{row{"IPv6 in brackets", "without the port, for 443"}, []string{"[::1]"}, "[[::1]]:443", "[::1]", "admin"},
	{row{"IPv6 alone", "without brackets"}, []string{"::1"}, "[::1]:443", "::1", "::1"},
	{row{"IPv6 long", "all spellings are the same address"}, []string{"[2001:DB8:0:0::1]:8443"}, "[2001:db8::1]:8443", "[2001:DB8:0:0::1]:8443", "admin"},
	{row{"IPv6 twice in brackets", "the spelling that upstream needs works"}, []string{"[[::1]]:443"}, "[[::1]]:443", "[[::1]]:443", "[[::1]]:443"},
	{row{"ordinary user", "names of ordinary users are not hosts"}, []string{"system:serviceaccount:a:b"}, "b:443", "", "admin"},
}

func TestCredentialsByHost(t *testing.T) {
	t.Parallel()
	testtable.Run(t, hostRows, func(t *testing.T, r hostRow) {
		file := writeKubeconfig(t, withTokens(append(r.users, "admin")...), "admin")
		safe, exact := bothResolvers(t, file)
		got := map[string]string{}
		for mode, resolver := range map[string]webhookutil.AuthenticationInfoResolver{"safe": safe, "exact": exact} {
			c, err := resolver.ClientConfigFor(r.host)
			if err != nil {
				t.Fatal(err)
			}
			got[mode] = c.BearerToken
			if c.UserAgent != userAgent || c.Timeout != clientTimeout {
				t.Errorf("%s: User-Agent %q, timeout %v (S-281)", mode, c.UserAgent, c.Timeout)
			}
		}
		if diff := cmp.Diff(map[string]string{"safe": r.safe, "exact": r.exact}, got); diff != "" {
			t.Errorf("unexpected users (-want +got):\n%s", diff)
		}
	})
}

// TestCredentialsForServices: a service is looked up by its DNS name.
func TestCredentialsForServices(t *testing.T) {
	t.Parallel()
	safe, exact := bothResolvers(t, writeKubeconfig(t, withTokens("gate.hooks.svc:8443"), ""))
	for _, resolver := range []webhookutil.AuthenticationInfoResolver{safe, exact} {
		c, err := resolver.ClientConfigForService("gate", "hooks", 8443)
		if err != nil || c.BearerToken != "gate.hooks.svc:8443" {
			t.Errorf("%T: %v, error %v", resolver, c, err)
		}
	}
}

type credentialsRow struct {
	row
	// user is the YAML of the user "*". DIR is replaced by the kubeconfig's
	// folder.
	user string
	// want is the result without User-Agent and timeout.
	want rest.Config
	err  string
}

var credentialsRows = []credentialsRow{
	{row: row{"token", "the common case"}, user: "{token: t}", want: rest.Config{BearerToken: "t"}},
	{
		row:  row{"token file", "its content now, and its name for later; paths are relative to the kubeconfig"},
		user: "{tokenFile: token}", want: rest.Config{BearerToken: "from file", BearerTokenFile: "DIR/token"},
	},
	{
		row:  row{"token and file", "the token now, the file for later"},
		user: "{token: t, tokenFile: missing}", want: rest.Config{BearerToken: "t", BearerTokenFile: "DIR/missing"},
	},
	{
		row:  row{"missing token file", "the webhook is not called without its credentials"},
		user: "{tokenFile: missing}", err: "open DIR/missing: no such file or directory",
	},
	{row: row{"basic", "name and password"}, user: "{username: u, password: p}", want: rest.Config{Username: "u", Password: "p"}},
	{
		row:  row{"impersonation", "all of it"},
		user: "{as: u, as-uid: '7', as-groups: [g], as-user-extra: {k: [v]}}",
		want: rest.Config{Impersonate: rest.ImpersonationConfig{UserName: "u", UID: "7", Groups: []string{"g"}, Extra: map[string][]string{"k": {"v"}}}},
	},
	{row: row{"groups only", "groups are used only with a user"}, user: "{as-groups: [g]}"},
	{
		row:  row{"certificate files", "relative to the kubeconfig"},
		user: "{client-certificate: c, client-key: k}",
		want: rest.Config{TLSClientConfig: rest.TLSClientConfig{CertFile: "DIR/c", KeyFile: "DIR/k"}},
	},
	{
		row:  row{"certificate data", "as it is"},
		user: "{client-certificate-data: Yw==, client-key-data: aw==}",
		want: rest.Config{TLSClientConfig: rest.TLSClientConfig{CertData: []byte("c"), KeyData: []byte("k")}},
	},
	{row: row{"key only", "a key is used only with a certificate"}, user: "{client-key-data: aw==}"},
	{row: row{"auth provider", "is not supported and not ignored"}, user: "{auth-provider: {name: gcp}}", err: "auth provider not supported"},
	{row: row{"nothing", "a user without credentials"}, user: "{}"},
}

// TestCredentials compares the configuration of a user with upstream's.
func TestCredentials(t *testing.T) {
	t.Parallel()
	testtable.Run(t, credentialsRows, func(t *testing.T, r credentialsRow) {
		file := writeKubeconfig(t, "{name: '*', user: "+r.user+"}", "")
		dir := filepath.Dir(file)
		if err := os.WriteFile(filepath.Join(dir, "token"), []byte("from file"), 0o600); err != nil {
			t.Fatal(err)
		}
		safe, exact := bothResolvers(t, file)
		for _, resolver := range []webhookutil.AuthenticationInfoResolver{safe, exact} {
			got, err := resolver.ClientConfigFor("hook.example:443")
			if diff := cmp.Diff(r.err, strings.ReplaceAll(testtable.Text(err), dir, "DIR")); diff != "" {
				t.Fatalf("%T: error (-want +got):\n%s", resolver, diff)
			}
			if err != nil {
				continue
			}
			for _, path := range []*string{&got.BearerTokenFile, &got.CertFile, &got.KeyFile} {
				*path = strings.Replace(*path, dir, "DIR", 1)
			}
			want := r.want
			want.UserAgent, want.Timeout = userAgent, clientTimeout
			if diff := cmp.Diff(want, *got); diff != "" {
				t.Errorf("%T: credentials (-want +got):\n%s", resolver, diff)
			}
		}
	})
}

// TestExecIsPassedOn: client-go runs the program when it needs credentials.
func TestExecIsPassedOn(t *testing.T) {
	t.Parallel()
	user := "{exec: {apiVersion: client.authentication.k8s.io/v1, command: get-token, args: [a], interactiveMode: Never}}"
	safe, exact := bothResolvers(t, writeKubeconfig(t, "{name: '*', user: "+user+"}", ""))
	for _, resolver := range []webhookutil.AuthenticationInfoResolver{safe, exact} {
		first, err := resolver.ClientConfigFor("hook.example:443")
		if err != nil {
			t.Fatal(err)
		}
		second, err := resolver.ClientConfigFor("hook.example:443")
		if err != nil {
			t.Fatal(err)
		}
		if p := first.ExecProvider; p == nil || p.Command != "get-token" || p == second.ExecProvider {
			t.Errorf("%T: exec %v, want a copy of get-token", resolver, p)
		}
	}
}

// TestTokenFileIsReadAtLookUp: a look-up notices a token file that is back.
func TestTokenFileIsReadAtLookUp(t *testing.T) {
	t.Parallel()
	file := writeKubeconfig(t, "{name: '*', user: {tokenFile: token}}", "")
	safe, _ := bothResolvers(t, file)
	if _, err := safe.ClientConfigFor("hook.example:443"); err == nil {
		t.Fatal("no error although the token file does not exist")
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "token"), []byte("t"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := safe.ClientConfigFor("hook.example:443")
	if err != nil || c.BearerToken != "t" {
		t.Errorf("credentials %v, error %v", c, err)
	}
}

type badFileRow struct {
	row
	// content is nil for no file.
	content *string
}

// TestBadKubeconfig: the errors are kube-apiserver's.
func TestBadKubeconfig(t *testing.T) {
	t.Parallel()
	rows := []badFileRow{
		{row{"missing", "a wrong path is an error and not an empty kubeconfig"}, nil},
		{row{"no kubeconfig", "arbitrary text is an error"}, new("just text")},
		{row{"bad YAML", "broken off"}, new("users: [")},
	}
	testtable.Run(t, rows, func(t *testing.T, r badFileRow) {
		file := filepath.Join(t.TempDir(), "kubeconfig")
		if r.content != nil {
			if err := os.WriteFile(file, []byte(*r.content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, safe := KubeconfigAuth(file, false)
		_, exact := KubeconfigAuth(file, true)
		if safe == nil || exact == nil {
			t.Fatalf("errors %v and %v, want two", safe, exact)
		}
		if diff := cmp.Diff(exact.Error(), safe.Error()); diff != "" {
			t.Errorf("error differs from kube-apiserver (-theirs +ours):\n%s", diff)
		}
	})
}

// TestNoKubeconfig: without a file there are no credentials.
func TestNoKubeconfig(t *testing.T) {
	t.Parallel()
	safe, exact := bothResolvers(t, "")
	for _, resolver := range []webhookutil.AuthenticationInfoResolver{safe, exact} {
		c, err := resolver.ClientConfigFor("hook.example:443")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rest.Config{UserAgent: userAgent, Timeout: clientTimeout}, *c); diff != "" {
			t.Errorf("credentials (-want +got):\n%s", diff)
		}
	}
}
