package probe_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// signing is a server whose webhooks a and b each sign the object with a label,
// of as many x as there were labels.
func signing() http.Handler {
	mux := http.NewServeMux()
	for _, name := range []string{"a", "b"} {
		mux.Handle("/"+name, probetest.Handler(func(r probe.Review, response map[string]any) {
			metadata, _ := r.Object()["metadata"].(map[string]any)
			labels, _ := metadata["labels"].(map[string]any)
			if labels[name] == nil {
				response["patchType"] = "JSONPatch"
				response["patch"] = []byte(`[{"op":"add","path":"/metadata/labels/` + name + `","value":"` + strings.Repeat("x", len(labels)) + `"}]`)
			}
		}))
	}
	return mux
}

// visited lists the webhooks that were called, and in which round.
func visited(response *admission.Response) []string {
	var all []string
	for _, call := range response.Calls {
		all = append(all, call.Webhook.Configuration+string(rune('0'+call.Round)))
	}
	return all
}

type runCase struct {
	testtable.Row
	// order has the webhooks by their index.
	order  []int
	policy registrationv1.ReinvocationPolicyType
	want   []string
}

func TestRunVariants(t *testing.T) {
	t.Parallel()
	r := probetest.Pod(admissionv1.Create)
	own := func(w *registrationv1.MutatingWebhook) {
		w.ReinvocationPolicy = new(registrationv1.IfNeededReinvocationPolicy)
	}
	configurations := []runtime.Object{probetest.Mutating("a", "/a", own), probetest.Mutating("b", "/b")}
	testtable.Run(t, []runCase{
		{testtable.Row{"own policies", "a is called again after b"}, []int{0, 1}, "", []string{"a0", "b0", "a1"}},
		{testtable.Row{"other order", "no webhook after b would be called again"}, []int{1, 0}, "", []string{"b0", "a0"}},
		{testtable.Row{"all if needed", "b is called again after a"}, []int{1, 0}, registrationv1.IfNeededReinvocationPolicy, []string{"b0", "a0", "b1"}},
		{testtable.Row{"never", "one pass is all there is"}, []int{0, 1}, registrationv1.NeverReinvocationPolicy, []string{"a0", "b0"}},
		{testtable.Row{"some", "the others might as well not exist"}, []int{1}, "", []string{"b0"}},
		{testtable.Row{"none", "the object goes through"}, nil, "", nil},
	}, func(t *testing.T, tc runCase) {
		c := probetest.New(t, signing(), configurations, r)
		v := probe.Variant{Reinvocation: tc.policy}
		for _, i := range tc.order {
			v.Webhooks = append(v.Webhooks, c.Webhooks[i])
		}
		got, err := c.Run(t.Context(), r, v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, visited(got)); diff != "" || !got.Allowed {
			t.Errorf("allowed is %t, calls (-want +got):\n%s", got.Allowed, diff)
		}
		if *c.Webhooks[0].ReinvocationPolicy != registrationv1.IfNeededReinvocationPolicy {
			t.Error("a variant has changed the webhook itself")
		}
	})
}

// TestRunFails: what a webhook with failurePolicy Ignore does not answer is
// seen.
func TestRunFails(t *testing.T) {
	t.Parallel()
	r := probetest.Pod(admissionv1.Create)
	ignore := func(w *registrationv1.MutatingWebhook) { w.FailurePolicy = new(registrationv1.Ignore) }
	c := probetest.New(t, http.NotFoundHandler(), []runtime.Object{probetest.Mutating("a", "/a", ignore)}, r)
	got, err := c.Webhooks[0].Alone(t.Context(), r)
	if err != nil || got.Allowed || len(got.Calls) != 1 || got.Calls[0].Outcome != admission.FailedClosed {
		t.Errorf("got %+v and error %v, want a call that failed", got, err)
	}
}

func TestRunErrors(t *testing.T) {
	t.Parallel()
	r := probetest.Pod(admissionv1.Create)
	c := probetest.New(t, probetest.Good(), []runtime.Object{probetest.Mutating("a", "/a")}, r)
	anonymous := *r
	anonymous.User = nil
	want := "admitting CREATE pods/web in shop: simulating an admission request: Request.User is required: the review holds the user"
	if _, err := c.Webhooks[0].Alone(t.Context(), &anonymous); testtable.Text(err) != want {
		t.Errorf("error %q, want %q", testtable.Text(err), want)
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	if _, err := c.Webhooks[0].Alone(ctx, r); !errors.Is(err, enough) {
		t.Errorf("error %v, want %v", err, enough)
	}
}

// TestExchanges: they are the evidence of checks that use the engine.
func TestExchanges(t *testing.T) {
	t.Parallel()
	r := probetest.Pod(admissionv1.Create)
	c := probetest.New(t, signing(), []runtime.Object{probetest.Mutating("a", "/a"), probetest.Mutating("b", "/b")}, r)
	response, err := c.Run(t.Context(), r, probe.Variant{Webhooks: c.Webhooks})
	if err != nil {
		t.Fatal(err)
	}
	got := probe.Exchanges(response)
	if len(got) != 2 {
		t.Fatalf("%d exchanges, want 2", len(got))
	}
	for i, path := range []string{"/a", "/b"} {
		x := got[i]
		patched, err := x.Patched()
		signed := strings.Contains(string(patched), `"`+path[1:]+`":"x`)
		if err != nil || !signed || !strings.Contains(x.URL, path+"?") || x.Status != http.StatusOK || x.Sample != "CREATE pods/web in shop" {
			t.Errorf("exchange %d is %+v, patched to %s with error %v", i, x, patched, err)
		}
	}
}
