package engine_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/soak/engine"
	"example.com/gatehouse/test/internal/soak/request"
)

// counted counts the calls of Endpoint.
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
		if err := e.Enter(t.Context(), admission.Mutating, a, interfaces); err != nil {
			t.Errorf("%s: %v", label, err)
		}
		if got := testtable.Text(e.Enter(t.Context(), admission.Validating, a, interfaces)); got != want {
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

// TestMutatingOf: a field that is forgotten, or that the API gets one day,
// shows.
func TestMutatingOf(t *testing.T) {
	t.Parallel()
	v := registrationv1.ValidatingWebhook{
		Name:                    "all.example.com",
		ClientConfig:            registrationv1.WebhookClientConfig{URL: new("https://127.0.0.1/")},
		Rules:                   []registrationv1.RuleWithOperations{{Operations: []registrationv1.OperationType{registrationv1.Create}}},
		FailurePolicy:           new(registrationv1.Ignore),
		MatchPolicy:             new(registrationv1.Exact),
		NamespaceSelector:       &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}},
		ObjectSelector:          &metav1.LabelSelector{MatchLabels: map[string]string{"c": "d"}},
		SideEffects:             new(registrationv1.SideEffectClassNone),
		TimeoutSeconds:          new(int32(7)),
		AdmissionReviewVersions: []string{"v1"},
		MatchConditions:         []registrationv1.MatchCondition{{Name: "e", Expression: "true"}},
	}
	for field, value := range reflect.ValueOf(v).Fields() {
		if value.IsZero() {
			t.Errorf("%s has no value here", field.Name)
		}
	}
	want, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(engine.MutatingOf(v))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestLate: only the transport's time or the caller's context ends a call; the
// webhook's timeout of a second does not.
func TestLate(t *testing.T) {
	t.Parallel()
	type lateCase struct {
		testtable.Row
		by   time.Duration
		lets time.Duration // after which Until is closed
		want time.Duration
	}
	testtable.Run(t, []lateCase{
		{testtable.Row{"by", "it is late by the given duration"}, 5 * time.Second, time.Hour, 5 * time.Second},
		{testtable.Row{"until", "a test can let go what would hang"}, time.Hour, 7 * time.Second, 7 * time.Second},
	}, func(t *testing.T, tc lateCase) {
		synctest.Test(t, func(t *testing.T) {
			until := make(chan struct{})
			timer := time.AfterFunc(tc.lets, func() { close(until) })
			defer timer.Stop()
			webhook := engine.Webhook{
				Name: "late.example.com", Timeout: 1, Policy: registrationv1.Ignore,
				Reach: registrationv1.WebhookClientConfig{URL: new("https://127.0.0.1:1/")},
			}
			e, err := engine.Start([]runtime.Object{engine.Mutating("m", webhook.Mutating())}, engine.Options{
				Wrap: func(next dispatcher.Client) dispatcher.Client {
					return engine.Late{Client: next, By: tc.by, Until: until}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			a, interfaces := request.Pod(1, nil)
			start := time.Now()
			err = e.Enter(t.Context(), admission.Mutating, a, interfaces)
			if took := time.Since(start); took != tc.want {
				t.Errorf("the call took %s, want %s, and ended with %v", took, tc.want, err)
			}
		})
	})
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
