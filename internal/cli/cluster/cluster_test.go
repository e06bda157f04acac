package cluster

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
)

// kubeconfig has two contexts.
const kubeconfig = `apiVersion: v1
kind: Config
clusters:
- {name: c1, cluster: {server: "https://one.example.com"}}
- {name: c2, cluster: {server: "https://two.example.com"}}
users:
- {name: u1, user: {token: t1}}
- {name: u2, user: {token: t2}}
contexts:
- {name: one, context: {cluster: c1, user: u1, namespace: n1}}
- {name: two, context: {cluster: c2, user: u2}}
current-context: one
`

// TestConfig: what the flags change.
func TestConfig(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		args []string
		// change makes the expected configuration of that without flags.
		change func(*rest.Config)
	}
	testtable.Run(t, []test{
		{testtable.Row{"none", "the current context"}, nil, func(*rest.Config) {}},
		{testtable.Row{"context", "the usual flag"}, []string{"--context", "two"}, func(c *rest.Config) {
			c.Host, c.BearerToken = "https://two.example.com", "t2"
		}},
		{testtable.Row{"parts", "they replace those of the context"}, []string{"--cluster", "c2", "--user", "u2"},
			func(c *rest.Config) { c.Host, c.BearerToken = "https://two.example.com", "t2" }},
		{testtable.Row{"server", "with the user of the context"}, []string{"-s", "https://127.0.0.1:1"},
			func(c *rest.Config) { c.Host = "https://127.0.0.1:1" }},
		{testtable.Row{"token", "in place of that of the user"}, []string{"--token", "t3"},
			func(c *rest.Config) { c.BearerToken = "t3" }},
		{testtable.Row{"TLS", "of the server"}, []string{
			"--insecure-skip-tls-verify", "--tls-server-name", "name", "--disable-compression",
		}, func(c *rest.Config) { c.Insecure, c.ServerName, c.DisableCompression = true, "name", true }},
		{testtable.Row{"timeout", "of each request"}, []string{"--request-timeout", "3s"},
			func(c *rest.Config) { c.Timeout = 3 * time.Second }},
		{testtable.Row{"impersonation", "all that is known of a user"}, []string{
			"--as", "a", "--as-uid", "1", "--as-group", "g", "--as-group", "h",
			"--as-user-extra", "k=v", "--as-user-extra", "k=w=x",
		}, func(c *rest.Config) {
			c.Impersonate = rest.ImpersonationConfig{
				UserName: "a", UID: "1", Groups: []string{"g", "h"},
				Extra: map[string][]string{"k": {"v", "w=x"}},
			}
		}},
	}, func(t *testing.T, tc test) {
		path := filepath.Join(t.TempDir(), "kubeconfig")
		if err := os.WriteFile(path, []byte(kubeconfig), 0o600); err != nil {
			t.Fatal(err)
		}
		var o Options
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		o.AddFlags(f)
		if err := f.Parse(append([]string{"--kubeconfig", path}, tc.args...)); err != nil {
			t.Fatal(err)
		}
		got, err := o.Config()
		if err != nil {
			t.Fatal(err)
		}
		want := &rest.Config{Host: "https://one.example.com", BearerToken: "t1"}
		tc.change(want)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got\n%#v\nwant\n%#v", tc.Why(), got, want)
		}
		if o.Namespace() != "" {
			t.Errorf("the namespace is %q, and no flag names one", o.Namespace())
		}
	})
}

// TestOptional: --cluster with and without a value, and without it.
func TestOptional(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		args []string
		// server is empty if no cluster is wanted, and problem if that is right.
		server, problem string
	}
	testtable.Run(t, []test{
		{testtable.Row{"none", "it is optional"}, nil, "", ""},
		{testtable.Row{"alone", "the context names the cluster"}, []string{"--cluster"}, "https://one.example.com", ""},
		{testtable.Row{"argument", "it is no value"}, []string{"--cluster", "c2"}, "https://one.example.com", ""},
		{testtable.Row{"context", "the usual flag"}, []string{"--cluster", "--context", "two"}, "https://two.example.com", ""},
		{testtable.Row{"name", "kubectl's flag"}, []string{"--cluster=c2"}, "https://two.example.com", ""},
		{testtable.Row{"empty", "a variable is empty"}, []string{"--cluster="}, "", "--cluster: the name is empty"},
		{testtable.Row{"missing", "it would have no effect"}, []string{"--user", "u2", "--context", "two"}, "",
			"--context needs --cluster"},
	}, func(t *testing.T, tc test) {
		path := filepath.Join(t.TempDir(), "kubeconfig")
		if err := os.WriteFile(path, []byte(kubeconfig), 0o600); err != nil {
			t.Fatal(err)
		}
		var o Options
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		o.AddOptionalFlags(f, "")
		if err := f.Parse(tc.args); err != nil {
			t.Fatal(err)
		}
		wanted, err := o.Wanted(f)
		if problem := textOf(err); problem != tc.problem || err == nil && wanted != (tc.server != "") {
			t.Fatalf("%s: wanted %t, %s", tc.Why(), wanted, problem)
		}
		if tc.server == "" {
			return
		}
		o.kubeconfig = path // only a flag sets it, which would have no effect above
		if got, err := o.Config(); err != nil || got.Host != tc.server {
			t.Errorf("%s: got %v, %v", tc.Why(), got, err)
		}
	})
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
