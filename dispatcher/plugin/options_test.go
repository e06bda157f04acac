package plugin_test

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/testutil/testtable"
)

// optionRow is an answer that an option makes a difference to.
type optionRow struct {
	row
	options []plugin.Option
	answer  http.HandlerFunc
	edits   []func(*registrationv1.MutatingWebhook)
	// gone cancels the request when the webhook has received it.
	gone bool
	// mutating and validating end the texts of the plugins' errors; empty for
	// none.
	mutating, validating string
}

func optionRows() []optionRow {
	const timedOut = "Timeout: request did not complete within requested timeout"
	remove := patches(`[{"op":"remove","path":"/metadata/labels/none"}]`)
	ignore := func(w *registrationv1.MutatingWebhook) { w.FailurePolicy = new(registrationv1.Ignore) }
	noPatch := func(answer http.HandlerFunc) optionRow {
		return optionRow{answer: answer, edits: []func(*registrationv1.MutatingWebhook){ignore}}
	}
	strict, forgiving := noPatch(remove), noPatch(remove)
	strict.row, strict.mutating = row{"patch", "S-250: no policy helps"}, "missing value"
	forgiving.row, forgiving.options = row{"patch under the policy", "the host has set the option"}, []plugin.Option{plugin.WithPatchFailurePolicy()}
	return []optionRow{
		strict,
		forgiving,
		{
			row:      row{"limit", "limits reach the engine, and the error names the first one that is exceeded"},
			options:  []plugin.Option{plugin.WithLimits(limits.Limits{ResponseBody: 10})},
			answer:   allows(),
			mutating: "more than 10 bytes (Limits.ResponseBody)", validating: "more than 10 bytes (Limits.ResponseBody)",
		},
		{
			row:      row{"headers", "limits reach the client, which reads no further"},
			options:  []plugin.Option{plugin.WithLimits(limits.Limits{ResponseHeader: 10})},
			answer:   allows(),
			mutating: "(Limits.ResponseHeader)", validating: "(Limits.ResponseHeader)",
		},
		{
			row:     row{"large headers", "the client reads as far as the limit"},
			options: []plugin.Option{plugin.WithLimits(limits.Limits{ResponseHeader: 1 << 20})},
			answer: func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Large", strings.Repeat("x", 100_000))
				allows()(w, r)
			},
		},
		{
			row:      row{"dial policy", "it reaches the client"},
			options:  []plugin.Option{plugin.WithDialPolicy(client.DialPolicy{DenyLoopback: true})},
			answer:   allows(),
			mutating: `"127.0.0.1" leads to a loopback address, which the dial policy denies`, validating: `"127.0.0.1" leads to a loopback address, which the dial policy denies`,
		},
		{
			row:     row{"dial policy and failurePolicy", "a denied address is a failed call, of which failurePolicy decides"},
			options: []plugin.Option{plugin.WithDialPolicy(client.DialPolicy{DenyLoopback: true})},
			answer:  denies("it was called"),
			edits:   []func(*registrationv1.MutatingWebhook){ignore},
		},
		{
			row:      row{"caller goes away", "N2: one answer for all"},
			answer:   allows(),
			edits:    []func(*registrationv1.MutatingWebhook){ignore},
			gone:     true,
			mutating: timedOut, validating: timedOut,
		},
		{
			row:      row{"caller goes away, exactly", "N2: while validating, a canceled request is allowed"},
			options:  []plugin.Option{plugin.WithExact()},
			answer:   allows(),
			edits:    []func(*registrationv1.MutatingWebhook){ignore},
			gone:     true,
			mutating: timedOut,
		},
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	runTable(t, optionRows(), func(t *testing.T, name string, tc optionRow) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if tc.gone {
			tc.answer = leaves(cancel)
		}
		h := host{cluster: newCluster(configured(name, "a", backend(t, tc.answer), tc.edits...)), options: tc.options}
		want := tc.mutating
		if name == plugin.ValidatingName {
			want = tc.validating
		}
		got := testtable.Text(admit(ctx, h.open(t, name)))
		if !strings.HasSuffix(got, want) || (got == "") != (want == "") {
			t.Errorf("error %q, want %q at its end", got, want)
		}
	})
}

// TestBudgetIsShared has a validating webhook hold what the mutating plugin
// would need.
func TestBudgetIsShared(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	budget := limits.NewBudget(size)
	// Small answers need nothing of the budget.
	large := func(r *admissionv1.AdmissionResponse) {
		r.AuditAnnotations = map[string]string{"k": strings.Repeat("x", 100_000)}
	}
	var text string
	var mutating apiadmission.Interface
	validating := (&host{
		cluster: newCluster(configured(plugin.ValidatingName, "a", backend(t, says(large)))),
		options: []plugin.Option{plugin.WithLimits(limits.Limits{Budget: budget})},
	}).open(t, plugin.ValidatingName)
	mutating = (&host{
		cluster: newCluster(configured(plugin.MutatingName, "a", backend(t, says(func(r *admissionv1.AdmissionResponse) {
			text = "asked"
			large(r)
		})))),
		options: []plugin.Option{plugin.WithLimits(limits.Limits{Budget: budget})},
	}).open(t, plugin.MutatingName)
	if err := budget.Reserve(size); err != nil {
		t.Fatal(err)
	}
	for _, p := range []apiadmission.Interface{mutating, validating} {
		if err := admit(t.Context(), p); err == nil || !strings.HasSuffix(err.Error(), "(Limits.Budget)") {
			t.Errorf("error %v, want one of the budget", err)
		}
	}
	budget.Release(size)
	for _, p := range []apiadmission.Interface{mutating, validating} {
		if err := admit(t.Context(), p); err != nil {
			t.Errorf("error %v although the budget is free", err)
		}
	}
	if text == "" {
		t.Error("the webhook was never called")
	}
}

func TestLimitsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	h := host{cluster: newCluster()}
	for _, name := range bothPlugins() {
		plugins := apiadmission.NewPlugins()
		plugin.Register(plugins, plugin.WithLimits(limits.Limits{Warnings: -1}))
		_, err := plugins.InitPlugin(name, nil, h.initializers(t))
		if want := "Config.Limits: Warnings is -1 and must not be negative"; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
	}
}

func TestDialPolicyThatMakesNoSense(t *testing.T) {
	t.Parallel()
	h := host{cluster: newCluster()}
	for _, name := range bothPlugins() {
		plugins := apiadmission.NewPlugins()
		plugin.Register(plugins, plugin.WithDialPolicy(client.DialPolicy{Allow: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}))
		_, err := plugins.InitPlugin(name, nil, h.initializers(t))
		if want := "the dial policy allows exceptions, but denies no addresses"; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
	}
}
