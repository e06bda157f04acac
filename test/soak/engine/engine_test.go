package engine_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testtable"
	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/soak/engine"
	"example.com/gatehouse/test/soak/request"
)

// counted counts how often it is asked.
type counted struct {
	dispatcher.Client
	asked *atomic.Int64
}

func (c counted) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	c.asked.Add(1)
	return c.Client.Endpoint(ctx, w)
}

// TestEngine takes objects to webhooks with a URL and with a service, in both
// phases, and finds those that are not selected left alone.
func TestEngine(t *testing.T) {
	t.Parallel()
	deny, _ := faultserver.Lookup("deny")
	good, bad := serve(t, faultserver.Script{}), serve(t, deny.Script)
	mutate := engine.Webhook{
		Name: "mutate.example.com", Timeout: 30,
		Reach: registrationv1.WebhookClientConfig{URL: new(good.URL() + "/"), CABundle: good.CABundle()},
	}
	validate := engine.Webhook{
		Name: "validate.example.com", Timeout: 30, Selector: map[string]string{"denied": "yes"}, Policy: registrationv1.Ignore,
		Reach: registrationv1.WebhookClientConfig{CABundle: bad.CABundle(), Service: &registrationv1.ServiceReference{Namespace: "hooks", Name: "bad"}},
	}
	var asked atomic.Int64
	e, err := engine.Start([]runtime.Object{
		engine.Mutating("m", mutate.Mutating()), engine.Validating("v", validate.Validating()),
	}, engine.Options{
		Services: func(namespace, name string) string {
			if namespace != "hooks" || name != "bad" {
				t.Errorf("asked for %s/%s", namespace, name)
			}
			return bad.Address()
		},
		Wrap: func(next dispatcher.Client) dispatcher.Client { return counted{next, &asked} },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const denial = `admission webhook "validate.example.com" denied the request: denied by the fault server`
	for label, want := range map[string]string{"no": "", "yes": denial} {
		a, interfaces := request.Pod(1, map[string]string{"denied": label})
		if err := e.Mutating().Admit(t.Context(), a, interfaces); err != nil {
			t.Errorf("%s: %v", label, err)
		}
		if got := testtable.Text(e.Validating().Validate(t.Context(), a, interfaces)); got != want {
			t.Errorf("%s: got %q, want %q", label, got, want)
		}
	}
	if got := asked.Load(); got != 3 {
		t.Errorf("%d webhooks were reached, want 3", got)
	}
}

func TestStartSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	_, err := engine.Start([]runtime.Object{engine.Mutating("twice"), engine.Mutating("twice")}, engine.Options{})
	if got := testtable.Text(err); !strings.HasPrefix(got, "starting an engine: ") || !strings.Contains(got, `"twice"`) {
		t.Errorf("got %q", got)
	}
}

func TestReturns(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	if engine.Returns(10*time.Millisecond, func() { <-done }) {
		t.Error("what hangs is said to have returned")
	}
	close(done)
	if !engine.Returns(time.Minute, func() {}) {
		t.Error("what does nothing is said to hang")
	}
}

func serve(t *testing.T, script faultserver.Script) *faultserver.Server {
	t.Helper()
	server, err := faultserver.Listen(script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}
