package fault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/kubernetes/fake"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/testutil/dialtest"
	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/parity/harness"
)

// host is one side's plugin of one phase, with its own cluster.
type host struct {
	*Runner
	row     *Row
	phase   Phase
	plugin  apiadmission.Interface
	server  *faultserver.Server
	factory *harness.Factory
	stop    chan struct{}
	dir     string // "" if there is none
}

func (r *Runner) open(
	ctx context.Context, row *Row, c Combination, side harness.Side, server *faultserver.Server,
) (*host, error) {
	known, err := row.Setup.cluster(c, server)
	if err != nil {
		return nil, err
	}
	kube := fake.NewClientset(known...)
	h := &host{Runner: r, row: row, phase: c.Phase, server: server, factory: harness.NewFactory(kube),
		stop: make(chan struct{})}
	config, err := h.credentials()
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	if !row.Setup.Unsynced {
		// Plugins that find an informer that has not synced look again after
		// 100 ms, which would be taken for a request's time.
		h.factory.StartAll(h.stop)
		err = h.factory.Wait(ctx)
	}
	if err == nil {
		h.plugin, err = r.oracle.Plugins(side).
			InitPlugin(c.name(), config, apiadmission.PluginInitializers{
				initializer.New(kube, nil, h.factory, nil, utilfeature.DefaultFeatureGate, nil, h.stop, nil),
				r.oracle.Reach(h.wrap, h),
			})
	}
	if err == nil && !row.Setup.Unsynced {
		err = h.factory.Wait(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

// name is that of the phase's plugin.
func (c Combination) name() string {
	if c.Phase == Mutating {
		return plugin.MutatingName
	}
	return plugin.ValidatingName
}

// close ends the plugin's informers and waits for them.
func (h *host) close() error {
	close(h.stop)
	h.factory.Shutdown()
	if h.dir == "" {
		return nil
	}
	return os.RemoveAll(h.dir)
}

// credentials writes the kubeconfig, and returns the plugin's own
// configuration.
func (h *host) credentials() (io.Reader, error) {
	if h.row.Setup.Kubeconfig == "" {
		return nil, nil
	}
	var err error
	if h.dir, err = os.MkdirTemp("", "fault-"); err != nil {
		return nil, err
	}
	file := filepath.Join(h.dir, "kubeconfig")
	if err := os.WriteFile(
		file,
		[]byte(strings.NewReplacer(h.names()...).Replace(h.row.Setup.Kubeconfig)),
		0o600,
	); err != nil {
		return nil, err
	}
	return strings.NewReader(fmt.Sprintf(
		`{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration","kubeConfigFile":%q}`,
		file,
	)), nil
}

// names are the placeholders of a setup, each followed by its value.
func (h *host) names() []string {
	list := []string{"{{address}}", h.server.Address()}
	if other := h.server.Other(); other != nil {
		list = append(list, "{{other}}", other.Address())
	}
	if h.dir != "" {
		list = append(list, "{{dir}}", h.dir)
	}
	return list
}

// placeholders puts the placeholders back.
func (h *host) placeholders() *strings.Replacer {
	list := h.names()
	for i := 0; i < len(list); i += 2 {
		list[i], list[i+1] = list[i+1], list[i]
	}
	return strings.NewReplacer(list...)
}

// writeLate writes the file that is late.
func (h *host) writeLate() error {
	if h.row.Setup.Late == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(h.dir, "late"), []byte(h.row.Setup.Late), 0o600)
}

// wrap has all connections end at the server.
func (h *host) wrap(
	next webhookutil.AuthenticationInfoResolver,
) webhookutil.AuthenticationInfoResolver {
	return dialtest.Through(h.dial, next)
}

// dial connects to the server, or returns a resolver's error for an unknown
// host.
func (h *host) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if name, _, err := net.SplitHostPort(address); err == nil && name == "no-such-host.invalid" {
		return nil, &net.OpError{
			Op:  "dial",
			Net: network,
			Err: &net.DNSError{Err: "no such host", Name: name, IsNotFound: true},
		}
	}
	return h.server.Dial(ctx, network, address)
}

// ResolveEndpoint implements webhookutil.ServiceResolver.
func (h *host) ResolveEndpoint(_, name string, _ int32) (*url.URL, error) {
	switch h.row.Setup.Resolver {
	case "error":
		return nil, fmt.Errorf("no endpoints available for service %q", name)
	case "panic":
		panic("boom")
	}
	return &url.URL{Scheme: "https", Host: h.server.Address()}, nil
}
