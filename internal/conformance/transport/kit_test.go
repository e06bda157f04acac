package transport

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func TestMain(m *testing.M) { leaktest.Main(m) }

// meet returns the one webhook that the handler is, in-process. It is called as
// the client configuration says, if there is one.
func meet(t *testing.T, handler http.Handler, where *registrationv1.WebhookClientConfig, requests ...*admission.Request) (*probe.Collection, *probe.Webhook) {
	t.Helper()
	configuration := probetest.Mutating("defaults", "/defaults", func(w *registrationv1.MutatingWebhook) {
		if where != nil {
			w.ClientConfig = *where
		}
	})
	c := probetest.New(t, handler, []runtime.Object{configuration}, requests...)
	c.Calls = 100 // C-CONCURRENCY has all its rounds
	return c, c.Webhooks[0]
}

// created is what webhooks are asked by default.
func created() *admission.Request { return probetest.Pod(admissionv1.Create) }

// dialed returns a webhook that connections are made to, at a server that start
// starts.
func dialed(t *testing.T, handler http.Handler, where *registrationv1.WebhookClientConfig, start func(*httptest.Server)) *probe.Webhook {
	t.Helper()
	c, w := meet(t, probetest.Good(), where, created())
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that fail on purpose
	start(server)
	t.Cleanup(server.Close)
	c.OwnServer = false
	c.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	return w
}

// service is where most webhooks are.
func service(bundle []byte) *registrationv1.WebhookClientConfig {
	return &registrationv1.WebhookClientConfig{
		CABundle: bundle, Service: &registrationv1.ServiceReference{Name: "hook", Namespace: "shop"},
	}
}

// secure starts a server with a configuration of TLS.
func secure(config *tls.Config) func(*httptest.Server) {
	return func(s *httptest.Server) {
		s.TLS = config
		s.StartTLS()
	}
}

func authority(t *testing.T) *certs.Authority {
	t.Helper()
	a, err := certs.NewAuthority("test authority")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// outcome is what came of some checks: the messages of those that failed, and
// why those that were skipped were.
type outcome struct {
	failed  map[string][]string
	skipped map[string]string
}

// fails is the outcome if one check fails, and the others pass.
func fails(id string, messages ...string) outcome {
	return outcome{failed: map[string][]string{id: messages}}
}

// expect runs the checks.
func expect(t *testing.T, checks []check.Check, w *probe.Webhook, want outcome) {
	t.Helper()
	got := outcome{failed: map[string][]string{}, skipped: map[string]string{}}
	for _, c := range checks {
		r := &check.Record{}
		c.Run(t.Context(), w, r)
		result := r.Result(&c, "")
		if result.Verdict == report.Skip {
			got.skipped[c.ID] = result.Message
		}
		for _, f := range result.Findings {
			got.failed[c.ID] = append(got.failed[c.ID], settled(f.Message))
		}
	}
	if diff := cmp.Diff(want.failed, got.failed, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.skipped, got.skipped, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

// settled returns a message without what is a matter of luck: how it shows that
// a connection is gone.
func settled(message string) string {
	for _, gone := range []string{"unexpected EOF", "EOF", "connection reset by peer", "broken pipe", "http2: client conn could not be established"} {
		if head, ok := strings.CutSuffix(message, gone); ok {
			head, _, _ = strings.Cut(head, "read tcp ")
			head, _, _ = strings.Cut(head, "write tcp ")
			return head + "broken"
		}
	}
	return message
}

// only returns the checks of HTTP with these IDs.
func only(ids ...string) []check.Check {
	return slices.DeleteFunc(HTTP(), func(c check.Check) bool { return !slices.Contains(ids, c.ID) })
}
