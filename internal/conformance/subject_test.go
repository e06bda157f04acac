package conformance_test

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type mistakeCase struct {
	row
	subject conformance.Subject
	kind    string
	want    string
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	const address = "https://hook.example.com/"
	configurations := []runtime.Object{probetest.Wanting("a", "pods")}
	unnamed := probetest.Mutating("a", "/a", func(w *registrationv1.MutatingWebhook) { w.Name = "short" })
	testtable.Run(t, []mistakeCase{
		{row{"nothing", "there is nothing to look at"}, conformance.Subject{}, "usage",
			"there is no webhook: give configurations or a URL"},
		{row{"both", "which of the two is meant?"}, conformance.Subject{URL: address, Configurations: configurations}, "usage",
			"a URL is for a webhook without a configuration: give one of them"},
		{row{"plain http", "no server calls that"}, conformance.Subject{URL: "http://hook.example.com/"}, "usage",
			`the URL "http://hook.example.com/": want one with https and a host, without user, query and fragment`},
		{row{"no URL", "a host is not enough"}, conformance.Subject{URL: "hook.example.com"}, "usage",
			`the URL "hook.example.com": want one with https and a host, without user, query and fragment`},
		{row{"phase", "a configuration says it by its kind"}, conformance.Subject{Configurations: configurations, Phase: admission.Validating}, "usage",
			"the phase is for a URL only: a configuration has its own"},
		{row{"no phase", "there are two"}, conformance.Subject{URL: address, Phase: 7}, "usage",
			"phase 7: want mutating or validating"},
		{row{"calls", "fewer than none"}, conformance.Subject{URL: address, Calls: -1}, "usage",
			"-1 calls: want at least 1"},
		{row{"nil request", "a mistake of the caller"}, conformance.Subject{URL: address, Requests: []*admission.Request{nil}}, "usage",
			"a request is nil"},
		{row{"nil configuration", "another one"}, conformance.Subject{Configurations: []runtime.Object{nil}}, "usage",
			"configuration 1 is a <nil>: want a webhook configuration of admissionregistration.k8s.io/v1"},
		{row{"beta", "its defaults are others"}, conformance.Subject{Configurations: []runtime.Object{&registrationv1beta1.MutatingWebhookConfiguration{}}}, "usage",
			"configuration 1 is a *v1beta1.MutatingWebhookConfiguration: want a webhook configuration of admissionregistration.k8s.io/v1"},
		{row{"configuration", "no server would take it"}, conformance.Subject{Configurations: []runtime.Object{probetest.Wanting("a", "pods"), unnamed}}, "usage",
			`configuration 2: webhooks[0].name: Invalid value: "short": should be a domain with at least three segments separated by dots`},
		{row{"only", "an ID that no check has"}, conformance.Subject{URL: address, Only: []string{"C-UDI"}}, "usage",
			`unknown check "C-UDI": did you mean C-UID?`},
		{row{"skip", "nor anything like it"}, conformance.Subject{URL: address, Skip: []string{"everything"}}, "usage",
			`unknown check "everything": docs/conformance.md lists them`},
		{row{"resolve", "it says where, too"}, conformance.Subject{URL: address, Resolve: []string{"hook.example.com"}}, "usage",
			`--resolve "hook.example.com": want HOST:PORT:ADDR or HOST:PORT:ADDR:PORT, with IPv6 addresses in brackets`},
		{row{"missing file", "it is not there"}, conformance.Subject{Files: []string{"testdata/missing.yaml"}}, "input",
			"testdata/missing.yaml: cannot be read: no such file or directory"},
		{row{"twice", "no server has two of one name"}, conformance.Subject{Configurations: []runtime.Object{probetest.Wanting("a", "pods"), probetest.Wanting("a", "pods")}}, "other",
			`loading the webhook configurations: configuration 2: MutatingWebhookConfiguration "a" is already defined in configuration 1`},
	}, func(t *testing.T, tc mistakeCase) {
		r, err := conformance.Run(t.Context(), tc.subject)
		if r != nil || testtable.Text(err) != tc.want || kindOf(err) != tc.kind {
			t.Errorf("got %v, %s error\n%v, want %s error\n%s", r, kindOf(err), err, tc.kind, tc.want)
		}
	})
}

// TestNoWebhooks keeps a run that looked at nothing from looking like one that
// found nothing.
func TestNoWebhooks(t *testing.T) {
	t.Parallel()
	r, err := conformance.Run(t.Context(), conformance.Subject{Files: []string{file(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")}})
	if r != nil || kindOf(err) != "input" || !strings.HasPrefix(err.Error(), "there is no webhook to check") {
		t.Errorf("got %v, %v", r, err)
	}
}

// TestWants runs the checks that are wanted, and no others.
func TestWants(t *testing.T) {
	t.Parallel()
	s := conformance.Subject{URL: "https://hook.example.com/", Handler: probetest.Good(), Requests: []*admission.Request{probetest.Pod(admissionv1.Create)}}
	s.Only, s.Skip = []string{"C-UID", "C-ALLOWED"}, []string{"C-ALLOWED"}
	r, err := conformance.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Checks) != 1 || r.Checks[0].ID != "C-UID" || len(r.Results) != 1 {
		t.Errorf("got %v, want C-UID alone", r.Checks)
	}
}
