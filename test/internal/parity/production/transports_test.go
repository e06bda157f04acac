package production

import (
	"context"
	"fmt"
	"maps"
	"net"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/metrics/legacyregistry"

	"example.com/gatehouse/internal/testutil/dialtest"
	"example.com/gatehouse/test/internal/parity/harness"
)

// TestTransportMetrics: a credential plugin is counted alike. Transports are not:
// gatehouse shares none with other clients of the process, so that they do not enter
// client-go's cache.
func TestTransportMetrics(t *testing.T) {
	const plugins = "rest_client_exec_plugin_call_total map[call_status:no_error code:0]"
	const created = "rest_client_transport_create_calls_total map[result:"
	for side, want := range map[harness.Side]map[string]float64{
		harness.Upstream:  {plugins: 1, created + "miss]": 1},
		harness.Gatehouse: {plugins: 1, created + "uncacheable]": 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, secret := serve(t), filepath.Join(t.TempDir(), "secret")
			writeExec(t, secret, map[string]any{"token": "token"}, time.Now().Add(time.Hour))
			before := processMetrics(t)
			h := s.with(t, side, setup{
				kubeconfig: kubeconfig(t, execUser(secret)), wrap: s.unproxied,
				services: webhookutil.NewDefaultServiceResolver(),
			})
			for range 3 {
				_ = h.call(t.Context()) // the environment may have a proxy
			}
			got := processMetrics(t)
			maps.DeleteFunc(got, func(series string, value float64) bool {
				got[series] = value - before[series]
				return value == before[series]
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v: -want +got:\n%s", side, diff)
			}
		})
	}
}

// unproxied connects to s without a proxy function: client-go caches no transport
// that has one.
func (s *server) unproxied(next webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
	return unproxied{dialtest.Through(func(ctx context.Context, _, _ string) (net.Conn, error) {
		return s.listener.Dial(ctx)
	}, next)}
}

type unproxied struct {
	webhookutil.AuthenticationInfoResolver
}

// ClientConfigForService implements webhookutil.AuthenticationInfoResolver.
func (u unproxied) ClientConfigForService(name, namespace string, port int) (*rest.Config, error) {
	config, err := u.AuthenticationInfoResolver.ClientConfigForService(name, namespace, port)
	if err == nil {
		config.Proxy = nil
	}
	return config, err
}

// processMetrics returns client-go's counters of clients. It leaves out what the
// garbage collector changes.
func processMetrics(t *testing.T) map[string]float64 {
	t.Helper()
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, f := range families {
		switch f.GetName() {
		case "rest_client_exec_plugin_call_total", "rest_client_transport_create_calls_total":
			for _, m := range f.GetMetric() {
				values[fmt.Sprint(f.GetName(), " ", labelsOf(m))] = m.GetCounter().GetValue()
			}
		}
	}
	return values
}
