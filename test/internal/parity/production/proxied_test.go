package production

import (
	"bytes"
	"context"
	"encoding/base64"
	"flag"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/trace/noop"
	"golang.org/x/net/http/httpproxy"
	apiserver "k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/server/egressselector"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/parity/harness"
)

// basic is the proxy's credentials in a header.
func basic() string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(proxyUser+":"+proxyPassword))
}

// way is how a proxy comes between plugin and webhook.
type way struct {
	name string
	// listen opens the proxy, and wrap leads through it.
	listen func(t *testing.T) net.Listener
	wrap   func(t *testing.T, p *proxy) webhookutil.AuthenticationInfoResolverWrapper
	// credentials are what the proxy is sent.
	credentials string
}

var ways = []way{
	{"HTTPS_PROXY", listenTCP, func(_ *testing.T, p *proxy) webhookutil.AuthenticationInfoResolverWrapper {
		return throughProxy(p, "")
	}, basic()},
	{"egress selector", listenUnix, throughEgress, ""},
}

func listenTCP(t *testing.T) net.Listener { return listen(t, "tcp", "127.0.0.1:0") }

func listenUnix(t *testing.T) net.Listener {
	// Not t.TempDir, because the paths of sockets are short.
	dir, err := os.MkdirTemp("", "egress")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return listen(t, "unix", filepath.Join(dir, "s"))
}

func listen(t *testing.T, network, address string) net.Listener {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// throughProxy has the proxy that the environment would choose, and leads
// connections around it to the webhook.
func throughProxy(p *proxy, noProxy string) webhookutil.AuthenticationInfoResolverWrapper {
	address := p.listener.Addr().String()
	choose := (&httpproxy.Config{
		HTTPSProxy: "http://" + proxyUser + ":" + proxyPassword + "@" + address, NoProxy: noProxy,
	}).ProxyFunc()
	return wrapped(func(c *rest.Config) {
		c.Proxy = func(r *http.Request) (*url.URL, error) { return choose(r.URL) }
		c.Dial = func(ctx context.Context, network, to string) (net.Conn, error) {
			if to == address {
				return (&net.Dialer{}).DialContext(ctx, network, to)
			}
			return p.hook.listener.Dial(ctx)
		}
	})
}

// throughEgress has apiserver's own egress selector open the connections.
func throughEgress(t *testing.T, p *proxy) webhookutil.AuthenticationInfoResolverWrapper {
	t.Helper()
	selector, err := egressselector.NewEgressSelector(&apiserver.EgressSelectorConfiguration{
		EgressSelections: []apiserver.EgressSelection{{Name: "cluster", Connection: apiserver.Connection{
			ProxyProtocol: apiserver.ProtocolHTTPConnect,
			Transport:     &apiserver.Transport{UDS: &apiserver.UDSTransport{UDSName: p.listener.Addr().String()}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return webhookutil.NewDefaultAuthenticationInfoResolverWrapper(nil, selector, nil, noop.NewTracerProvider())
}

// wrapped changes the settings of each client.
func wrapped(change func(*rest.Config)) webhookutil.AuthenticationInfoResolverWrapper {
	return func(next webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
		return &webhookutil.AuthenticationInfoResolverDelegator{
			ClientConfigForServiceFunc: func(name, namespace string, port int) (*rest.Config, error) {
				c, err := next.ClientConfigForService(name, namespace, port)
				if err == nil {
					change(c)
				}
				return c, err
			},
		}
	}
}

// atClusterIP resolves each service to its cluster IP.
type atClusterIP struct{}

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (atClusterIP) ResolveEndpoint(string, string, int32) (*url.URL, error) {
	return &url.URL{Scheme: "https", Host: clusterIP}, nil
}

// through opens a side's plugin behind a proxy.
func (p *proxy) through(
	t *testing.T, side harness.Side, f fault, wrap webhookutil.AuthenticationInfoResolverWrapper,
) *host {
	t.Helper()
	seconds := int32(30)
	if f == hangs {
		seconds = 2
	}
	return p.hook.with(t, side, setup{
		kubeconfig: kubeconfig(t, map[string]any{"token": hookToken}),
		seconds:    seconds, wrap: wrap, services: atClusterIP{},
	})
}

type proxyRow struct {
	row
	fault fault
	// err is how the error ends.
	err string
}

// cut is how a connection ends, depending on how far the client has come.
const cut = `(EOF|connection reset by peer|broken pipe)$`

var proxyRows = []proxyRow{
	{row{"none", "the review goes through the tunnel"}, none, "^$"},
	{row{"dead", "connections end at once"}, dead, cut},
	{row{"hangs", "the call takes its timeout"}, hangs, "context deadline exceeded$"},
	{row{"407", "the proxy wants other credentials"}, refuses, "Proxy Authentication Required$"},
	{row{"hangs up", "the proxy closes the connection instead of answering"}, hangsUp, cut},
	{row{"ends the tunnel", "the proxy closes the connection after CONNECT"}, endsTunnel, cut},
	{row{"babbles", "what comes out of the tunnel is not TLS"}, babbles, "server gave HTTP response to HTTPS client$"},
}

// TestProxies: a proxy that fails ends a call as it does in kube-apiserver, and
// learns nothing; and the next call, when it works again, succeeds.
func TestProxies(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			testtable.Run(t, proxyRows, func(t *testing.T, r proxyRow) {
				for _, side := range sides {
					p := startProxy(t, way.listen(t), serve(t))
					h := p.through(t, side, r.fault, way.wrap(t, p))
					p.set(r.fault)
					err := h.call(t.Context())
					if text := check(t, err); !regexp.MustCompile(r.err).MatchString(text) {
						t.Errorf("%v: error %q, want %s", side, text, r.err)
					}
					p.set(none)
					if err := h.call(t.Context()); err != nil {
						t.Errorf("%v: after the proxy's fault: %v", side, err)
					}
					p.expect(t, clusterIP, way.credentials)
					if !p.hook.sent("Bearer " + hookToken) {
						t.Errorf("%v: the webhook was not sent its token", side)
					}
				}
			})
		})
	}
}

type noProxyRow struct {
	row
	noProxy string
	proxied bool
}

// TestNoProxy: NO_PROXY is compared with the address that a service resolves to,
// as in kube-apiserver, and not with its name.
func TestNoProxy(t *testing.T) {
	rows := []noProxyRow{
		{row{"empty", "the proxy is for all"}, "", true},
		{row{"name", "the request has the address already"}, ".svc,hook.test.svc", true},
		{row{"address", "the cluster IP"}, "10.96.0.1", false},
		{row{"range", "the range of cluster IPs"}, "10.96.0.0/12", false},
		{row{"other range", "another one"}, "10.0.0.0/16", true},
		{row{"all", "no proxy at all"}, "*", false},
	}
	testtable.Run(t, rows, func(t *testing.T, r noProxyRow) {
		for _, side := range sides {
			p := startProxy(t, listenTCP(t), serve(t))
			if err := p.through(t, side, none, throughProxy(p, r.noProxy)).call(t.Context()); err != nil {
				t.Errorf("%v: %v", side, err)
			}
			if proxied := len(p.targets) > 0; proxied != r.proxied {
				t.Errorf("%v: through the proxy: %v, want %v", side, proxied, r.proxied)
			}
		}
	})
}

// inEnvironment names the variable by which TestEnvironment tells the process
// that it starts what to expect.
const inEnvironment = "GATEHOUSE_TEST_PROXY"

// TestEnvironment has both sides find the proxy in the environment, which
// net/http reads once in a process: hence in another one.
func TestEnvironment(t *testing.T) {
	if address := os.Getenv(inEnvironment); address != "" {
		callThrough(t)
		return
	}
	for noProxy, proxied := range map[string]int{"": len(sides), "10.96.0.0/12": 0} {
		p := startProxy(t, listenTCP(t), serve(t))
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestEnvironment$")
		address := p.listener.Addr().String()
		cmd.Env = append(os.Environ(), inEnvironment+"="+address, "NO_PROXY="+noProxy, "no_proxy="+noProxy,
			"HTTPS_PROXY=http://"+proxyUser+":"+proxyPassword+"@"+address)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		if len(p.targets) != proxied {
			t.Errorf("NO_PROXY=%q: the proxy was asked for %q, want %d", noProxy, p.targets, proxied)
		}
	}
}

// callThrough has both sides call a webhook. Through the proxy they reach that of
// the other process, whose CA they do not know: the proxy has counted them then.
func callThrough(t *testing.T) {
	t.Helper()
	s := serve(t)
	for _, side := range sides {
		h := s.with(t, side, setup{services: atClusterIP{}, wrap: wrapped(func(c *rest.Config) {
			c.Dial = func(ctx context.Context, network, to string) (net.Conn, error) {
				if to != os.Getenv(inEnvironment) {
					return s.listener.Dial(ctx)
				}
				return (&net.Dialer{}).DialContext(ctx, network, to)
			}
		})})
		_ = h.call(t.Context())
	}
}

// TestProxyLogs: at any verbosity, no secret of a proxy or a webhook is in
// gatehouse's log. klog is global, so it does not run in parallel with others.
func TestProxyLogs(t *testing.T) {
	state := klog.CaptureState()
	t.Cleanup(state.Restore)
	var log bytes.Buffer
	var mu sync.Mutex
	handler := slog.NewTextHandler(writerFunc(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return log.Write(p)
	}), &slog.HandlerOptions{Level: slog.Level(-10)})
	klog.SetSlogLogger(slog.New(handler))
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	if err := flags.Set("v", "10"); err != nil {
		t.Fatal(err)
	}
	for _, way := range ways {
		p := startProxy(t, way.listen(t), serve(t))
		for f := none; f <= babbles; f++ {
			h := p.through(t, harness.Gatehouse, f, way.wrap(t, p))
			p.set(f)
			_ = h.call(t.Context())
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if !strings.Contains(log.String(), "hook.example.com") {
		t.Errorf("the log does not mention the failed calls:\n%s", &log)
	}
	for _, secret := range []string{confidential, hookToken, proxyUser, proxyPassword, basic()} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log contains %s:\n%s", secret, &log)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
