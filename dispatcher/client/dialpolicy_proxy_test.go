package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"testing"

	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
)

type proxiedRow struct {
	row
	url    string
	policy DialPolicy
	// err is the error, if the proxy is not used.
	err string
}

// TestPolicyAndProxies: a proxy is used only if its own address and that of the
// webhook are permitted.
func TestPolicyAndProxies(t *testing.T) {
	t.Parallel()
	ten := DialPolicy{DenyPrivate: true}
	rows := []proxiedRow{
		{row{"named", "the proxy resolves the name"}, "http://hook.example", ten, ""},
		{row{"proxy", "the policy applies to connections to the proxy"}, "http://hook.example", noLoopback, `"hook.example"` + denied},
		{row{"address", "the proxy is not used for a denied address"}, "http://10.0.0.1", ten, `"10.0.0.1" leads to a private address, which the dial policy denies`},
		{row{"short address", "proxies resolve as C does"}, "http://10.1", ten, `"10.1"` + nonstandard},
		{row{"one number", "all four bytes"}, "http://2130706433", ten, `"2130706433"` + nonstandard},
		{row{"hexadecimal", "as in C"}, "https://0x7f.1", ten, `"0x7f.1"` + nonstandard},
		{row{"octal", "as in C"}, "http://127.0.0.01", ten, `"127.0.0.01"` + nonstandard},
		{row{"dot at the end", "a proxy may remove it"}, "http://10.0.0.1.", ten, `"10.0.0.1."` + nonstandard},
		{row{"wide digits", "net/http sends 10.0.0.1 to the proxy"}, "https://１０.0.0.１", ten, `"１０.0.0.１" leads to a private address, which the dial policy denies`},
		{row{"permitted as it is written", "the proxy connects to a permitted address"}, "http://198.51.100.7", ten, ""},
		{row{"TLS and address", "likewise for a tunnel"}, "https://[fd00::1]", ten, `"fd00::1" leads to a private address, which the dial policy denies`},
	}
	testtable.Run(t, rows, func(t *testing.T, r proxiedRow) {
		requests := 0
		proxy := newPlainServer(t, func(w http.ResponseWriter, _ *http.Request) { requests++; w.WriteHeader(http.StatusOK) })
		c := newClient(t, Config{DialPolicy: r.policy, Proxy: http.ProxyURL(proxy)})
		_, err := post(t, c, urlHook(r.url, nil), "{}")
		var d *deniedError
		if (err == nil) != (r.err == "") || err != nil && (!errors.As(err, &d) || d.Error() != r.err) {
			t.Errorf("error %v, want %q", err, r.err)
		}
		if (requests == 0) != (r.err != "") {
			t.Errorf("the proxy received %d requests", requests)
		}
	})
}

// newPlainServer serves without TLS and returns its URL.
func newPlainServer(t *testing.T, handle http.HandlerFunc) *url.URL {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: handle}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l)
	}()
	t.Cleanup(func() {
		_ = s.Close()
		<-done
	})
	return &url.URL{Scheme: "http", Host: l.Addr().String()}
}

// TestPolicyIgnoresTheEnvironment: the environment's proxy would circumvent the
// policy. Services keep it.
func TestPolicyIgnoresTheEnvironment(t *testing.T) {
	t.Parallel()
	cfg := &rest.Config{}
	if err := (dialGuard{policy: &noPrivate, host: "behind.proxy"}).install(cfg); err != nil {
		t.Fatal(err)
	}
	if cfg.Proxy == nil {
		t.Fatal("the environment's proxy would be used")
	}
	service := context.WithValue(t.Context(), serviceKey{}, true)
	for want, ctx := range map[string]context.Context{"": t.Context(), environmentProxy: service} {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://behind.proxy", nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := cfg.Proxy(req)
		if got == nil {
			got = &url.URL{}
		}
		if got.Host != want || err != nil {
			t.Errorf("proxy %q, error %v, want %q", got.Host, err, want)
		}
	}
}
