package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// keyRecorder records the last look-up of credentials. Services have the form
// name.namespace:port, which differs from that of hosts.
type keyRecorder struct {
	last string
}

func (k *keyRecorder) ClientConfigFor(hostPort string) (*rest.Config, error) {
	k.last = hostPort
	return &rest.Config{}, nil
}

func (k *keyRecorder) ClientConfigForService(name, namespace string, port int) (*rest.Config, error) {
	k.last = fmt.Sprintf("%s.%s:%d", name, namespace, port)
	return &rest.Config{}, nil
}

type trustRow struct {
	row
	// auth and bundle select PEM data of the test.
	auth, bundle string
	err          string
}

func TestTrust(t *testing.T) {
	t.Parallel()
	b := startBackend(t, http.HandlerFunc(ok))
	other, _ := newCertificate(t, nil)
	pems := map[string][]byte{"right": b.ca, "other": other}
	rows := []trustRow{
		{row: row{"bundle", "the webhook's own bundle is enough"}, bundle: "right"},
		{row: row{"wrong bundle", "a bundle replaces the system's roots"}, bundle: "other", err: "certificate signed by unknown authority"},
		{row: row{"none", "without any, the system's roots apply, and they do not know the test"}, err: "certificate signed by unknown authority"},
		{row: row{"credentials only", "the kubeconfig's CA works alone (S-278)"}, auth: "right"},
		{row: row{"credentials first", "the bundle is appended to the kubeconfig's CA and does not replace it"}, auth: "right", bundle: "other"},
		{row: row{"bundle last", "the webhook's bundle is trusted, too"}, auth: "other", bundle: "right"},
	}
	testtable.Run(t, rows, func(t *testing.T, r trustRow) {
		c := newClient(t, Config{AuthInfo: authInfo(&rest.Config{TLSClientConfig: rest.TLSClientConfig{CAData: pems[r.auth]}})})
		_, err := post(t, c, urlHook("https://"+b.addr, pems[r.bundle]), "{}")
		if (err == nil) != (r.err == "") || err != nil && !strings.Contains(err.Error(), r.err) {
			t.Errorf("error %v, want %q", err, r.err)
		}
	})
}

func TestBadCABundle(t *testing.T) {
	t.Parallel()
	c := newClient(t, Config{})
	_, err := c.Endpoint(t.Context(), urlHook("https://hook.example", []byte("no certificate")))
	want := "unable to load root certificates: unable to parse bytes as PEM block" // S-278
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

// TestJoinCADoesNotWrite: the slice of the credentials' CA data may have spare
// capacity that other slices share.
func TestJoinCADoesNotWrite(t *testing.T) {
	t.Parallel()
	shared := []byte("data|theirs")
	joined := joinCA(shared[:4], []byte("mine"))
	if diff := cmp.Diff([]string{"data\nmine", "data|theirs"}, []string{string(joined), string(shared)}); diff != "" {
		t.Errorf("unexpected CA data (-want +got):\n%s", diff)
	}
}

// seen is what a backend recorded of a request.
type seen struct {
	Host, Proto, SNI string
	UserAgent, Auth  string
	Wrapped          string
}

type wireRow struct {
	row
	hook func(ca []byte) *admission.Webhook
	auth *rest.Config
	want seen
}

func named(url string) func(ca []byte) *admission.Webhook {
	return func(ca []byte) *admission.Webhook { return urlHook(url, ca) }
}

var wireRows = []wireRow{
	{
		row:  row{"service", "Host keeps the port, SNI has none, HTTP/1.1 only (S-272, S-273)"},
		hook: serviceHook,
		want: seen{Host: "gate.hooks.svc:443", Proto: "HTTP/1.1", SNI: "gate.hooks.svc"},
	},
	{
		row:  row{"service with server name", "a server name of the credentials is kept (S-272)"},
		hook: serviceHook,
		auth: &rest.Config{TLSClientConfig: rest.TLSClientConfig{ServerName: "other.example"}},
		want: seen{Host: "gate.hooks.svc:443", Proto: "HTTP/1.1", SNI: "other.example"},
	},
	{
		row:  row{"service with HTTP/2 credentials", "the credentials cannot enable HTTP/2"},
		hook: serviceHook,
		auth: &rest.Config{TLSClientConfig: rest.TLSClientConfig{NextProtos: []string{"h2"}}},
		want: seen{Host: "gate.hooks.svc:443", Proto: "HTTP/1.1", SNI: "gate.hooks.svc"},
	},
	{
		row:  row{"url", "HTTP/1.1 for hosts elsewhere (S-277)"},
		hook: named("https://hook.example/x"),
		want: seen{Host: "hook.example", Proto: "HTTP/1.1", SNI: "hook.example"},
	},
	{
		row:  row{"localhost", "HTTP/2 on this machine (S-277)"},
		hook: named("https://localhost:8443/x"),
		want: seen{Host: "localhost:8443", Proto: "HTTP/2.0", SNI: "localhost"},
	},
	{
		row:  row{"loopback address", "HTTP/2 on this machine; addresses are no server names"},
		hook: named("https://127.0.0.1:8443/x"),
		want: seen{Host: "127.0.0.1:8443", Proto: "HTTP/2.0"},
	},
	{
		row:  row{"credentials", "token, User-Agent and wrapper of the credentials are used (S-281, S-283)"},
		hook: named("https://hook.example/x"),
		auth: &rest.Config{
			BearerToken: "secret", UserAgent: "someone/1",
			WrapTransport: func(next http.RoundTripper) http.RoundTripper {
				return roundTrip(func(req *http.Request) (*http.Response, error) {
					req = req.Clone(req.Context())
					req.Header.Set("Wrapped", "yes")
					return next.RoundTrip(req)
				})
			},
		},
		want: seen{
			Host: "hook.example", Proto: "HTTP/1.1", SNI: "hook.example",
			UserAgent: "someone/1", Auth: "Bearer secret", Wrapped: "yes",
		},
	},
}

// roundTrip adapts a function to http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// TestOnTheWire compares requests as the webhook receives them.
func TestOnTheWire(t *testing.T) {
	t.Parallel()
	testtable.Run(t, wireRows, func(t *testing.T, r wireRow) {
		var got seen
		b := startBackend(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			got = seen{
				Host: req.Host, Proto: req.Proto, UserAgent: req.UserAgent(),
				Auth: req.Header.Get("Authorization"), Wrapped: req.Header.Get("Wrapped"),
			}
		}), "gate.hooks.svc", "hook.example", "other.example", "localhost")
		cfg := Config{Dial: b.dial}
		if r.auth != nil {
			cfg.AuthInfo = authInfo(r.auth)
		}
		if r.want.UserAgent == "" {
			r.want.UserAgent = map[bool]string{true: userAgent, false: "Go-http-client/1.1"}[r.auth == nil]
		}
		if _, err := post(t, newClient(t, cfg), r.hook(b.ca), "{}"); err != nil {
			t.Fatal(err)
		}
		got.SNI = strings.Join(b.serverNames(), ",")
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("unexpected request (-want +got):\n%s", diff)
		}
	})
}

// TestCredentialsAreCopied: the resolver may return a shared configuration.
func TestCredentialsAreCopied(t *testing.T) {
	t.Parallel()
	b := startBackend(t, http.HandlerFunc(ok), "gate.hooks.svc")
	shared := &rest.Config{Host: "untouched", UserAgent: "x", Timeout: 7 * time.Second}
	c := newClient(t, Config{AuthInfo: authInfo(shared), Services: at(b.addr)})
	e, err := c.Endpoint(t.Context(), serviceHook(b.ca))
	if err != nil {
		t.Fatal(err)
	}
	want := &rest.Config{Host: "untouched", UserAgent: "x", Timeout: 7 * time.Second}
	if diff := cmp.Diff(want.String(), shared.String()); diff != "" || shared.WrapTransport != nil {
		t.Errorf("the resolver's configuration was changed (-want +got):\n%s", diff)
	}
	if e.HTTP.Timeout != 7*time.Second {
		t.Errorf("timeout %v, want that of the credentials", e.HTTP.Timeout)
	}
}

// TestServiceIsResolvedPerRequest moves the service between two calls, while a
// connection to its old address is idle (S-273).
func TestServiceIsResolvedPerRequest(t *testing.T) {
	t.Parallel()
	said := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
	}
	first := startBackend(t, said("first"), "gate.hooks.svc")
	second := startBackend(t, said("second"), "gate.hooks.svc")
	var address atomic.Pointer[string]
	var resolved []string
	c := newClient(t, Config{Services: services(func(namespace, name string, port int32) (*url.URL, error) {
		resolved = append(resolved, fmt.Sprintf("%s/%s:%d", namespace, name, port))
		return &url.URL{Scheme: "https", Host: *address.Load()}, nil
	})})
	hook := serviceHook([]byte(string(first.ca) + string(second.ca)))
	var got []string
	for _, b := range []*backend{first, second, first} {
		address.Store(&b.addr)
		a, err := post(t, c, hook, "{}")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, a.Body)
	}
	if diff := cmp.Diff([]string{"first", "second", "first"}, got); diff != "" {
		t.Errorf("unexpected backends (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"hooks/gate:443", "hooks/gate:443", "hooks/gate:443"}, resolved); diff != "" {
		t.Errorf("unexpected calls (-want +got):\n%s", diff)
	}
	if first.connections() != 1 {
		t.Errorf("%d connections to the first backend, want its idle one to be used again", first.connections())
	}
}

// TestServiceResolverFails: the caller gets the resolver's error, and the
// client dials no address.
func TestServiceResolverFails(t *testing.T) {
	t.Parallel()
	gone := errors.New("no endpoints")
	c := newClient(t, Config{
		Services: services(func(string, string, int32) (*url.URL, error) { return nil, gone }),
		Dial: func(_ context.Context, _, addr string) (net.Conn, error) {
			t.Errorf("dialed %s", addr)
			return nil, gone
		},
	})
	_, err := post(t, c, serviceHook(nil), "{}")
	if want := `Post "https://gate.hooks.svc:443/?timeout=5s": no endpoints`; err == nil || err.Error() != want || !errors.Is(err, gone) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestReviewOfAnUnknownServiceIsClosed: a round tripper must close the
// request's body.
func TestReviewOfAnUnknownServiceIsClosed(t *testing.T) {
	t.Parallel()
	body, gone := &closeCounter{}, errors.New("no endpoints")
	r := &serviceTransport{services: services(func(string, string, int32) (*url.URL, error) { return nil, gone }), service: service{name: "gate", namespace: "hooks", port: 443}}
	_, err := r.RoundTrip(httptest.NewRequest(http.MethodPost, "https://gate.hooks.svc:443", body)) //nolint:bodyclose // there is none
	if !errors.Is(err, gone) || body.closed != 1 {
		t.Errorf("error %v, and the body was closed %d times", err, body.closed)
	}
}

// TestHostSurvivesRedirects: the second request of a redirect has no Host
// field, and must not get the resolved address of the service (S-273).
func TestHostSurvivesRedirects(t *testing.T) {
	t.Parallel()
	var hosts []string
	b := startBackend(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hosts = append(hosts, r.Host)
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/next", http.StatusTemporaryRedirect)
		}
	}), "gate.hooks.svc")
	if _, err := post(t, newClient(t, Config{Services: at(b.addr)}), serviceHook(b.ca), "{}"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"gate.hooks.svc:443", "gate.hooks.svc:443"}, hosts); diff != "" {
		t.Errorf("unexpected Host headers (-want +got):\n%s", diff)
	}
}

// TestOtherHostsAreNotResolved: a redirect to the service's name without its
// port is followed without resolving the service (S-273).
func TestOtherHostsAreNotResolved(t *testing.T) {
	t.Parallel()
	b := startBackend(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "https://gate.hooks.svc/next", http.StatusTemporaryRedirect)
		}
	}), "gate.hooks.svc")
	var mu sync.Mutex
	var dialed []string
	c := newClient(t, Config{
		Services: at("192.0.2.1:6443"),
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			mu.Lock()
			defer mu.Unlock()
			dialed = append(dialed, addr)
			return b.dial(ctx, network, addr)
		},
	})
	if _, err := post(t, c, serviceHook(b.ca), "{}"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"192.0.2.1:6443", "gate.hooks.svc:443"}, dialed); diff != "" {
		t.Errorf("unexpected dials (-want +got):\n%s", diff)
	}
}

type dialRow struct {
	row
	fromConfig, fromAuth bool
	want                 []string
}

func TestDial(t *testing.T) {
	t.Parallel()
	b := startBackend(t, http.HandlerFunc(ok), "hook.example")
	rows := []dialRow{
		{row{"own", "the client's dialer gets the configured address"}, true, false, []string{"own tcp hook.example:443"}},
		{row{"of the credentials", "an egress dialer in the rest.Config is used"}, false, true, []string{"theirs tcp hook.example:443"}},
		{row{"both", "the client's own wins"}, true, true, []string{"own tcp hook.example:443"}},
	}
	testtable.Run(t, rows, func(t *testing.T, r dialRow) {
		var mu sync.Mutex
		var got []string
		dialer := func(who string) func(context.Context, string, string) (net.Conn, error) {
			return func(ctx context.Context, network, addr string) (net.Conn, error) {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, who+" "+network+" "+addr)
				return b.dial(ctx, network, addr)
			}
		}
		auth, cfg := &rest.Config{}, Config{}
		if r.fromAuth {
			auth.Dial = dialer("theirs")
		}
		if r.fromConfig {
			cfg.Dial = dialer("own")
		}
		cfg.AuthInfo = authInfo(auth)
		if _, err := post(t, newClient(t, cfg), urlHook("https://hook.example", b.ca), "{}"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("unexpected dials (-want +got):\n%s", diff)
		}
	})
}
