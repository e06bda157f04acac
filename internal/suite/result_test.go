package suite_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/webhooktest"
)

type hintRow struct {
	row
	// webhooks is what the suite says of its webhooks, with SERVER for the
	// address at which they are configured.
	webhooks string
	options  func(address string) suite.EnvironmentOptions
	want     []string
}

// TestHints has calls of two webhooks of one name fail, open and closed,
// because no client trusts their server's certificate.
func TestHints(t *testing.T) {
	t.Parallel()
	none := func(string) suite.EnvironmentOptions { return suite.EnvironmentOptions{} }
	testtable.Run(t, []hintRow{
		{row{"no address", "once is enough for two calls"}, "", none, []string{"the suite does not say where here.example.com is: it was called at SERVER, as configured"}},
		{row{"entry", "the author knows where it is"}, "webhooks: [{address: 'SERVER'}]\n", none, nil},
		{row{"address of the program", "so does the program's"}, "", func(address string) suite.EnvironmentOptions {
			return suite.EnvironmentOptions{Address: func(*admission.Webhook) (string, []byte) { return address, nil }}
		}, nil},
		{row{"handler", "it was not called anywhere"}, "", func(string) suite.EnvironmentOptions {
			return suite.EnvironmentOptions{Handlers: func(*admission.Webhook) http.Handler { return http.NotFoundHandler() }}
		}, nil},
		{row{"denial", "a webhook that denies is reachable"}, "", func(string) suite.EnvironmentOptions { return all(deny) }, nil},
	}, func(t *testing.T, r hintRow) {
		address := webhooktest.Serve(t, answer(reviewtest.Allow)).Address
		client := fmt.Sprintf("{url: 'https://%s/'}", address)
		s := load(t, map[string]string{
			"suite.yaml": head + "configurations: [here.yaml]\n" + strings.ReplaceAll(r.webhooks, "SERVER", address) + "cases:\n" + caseOf("a", "{}"),
			"here.yaml": hook("Mutating", "open", "here.example.com", client, "  failurePolicy: Ignore") +
				hook("Validating", "closed", "here.example.com", client, ""),
		})
		result := start(t, s, r.options(address)).Run(t.Context(), s.Cases[0])
		if result.Passed() {
			t.Error("it passed")
		}
		got := result.Hints
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], address, "SERVER")
		}
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", result.Failures, diff)
		}
	})
}

type addressRow struct {
	row
	webhooks string
	want     []string
}

// TestHasAddress asks which webhooks have an address in the suite.
func TestHasAddress(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []addressRow{
		{row{"nothing said", "they are where they are configured"}, "", nil},
		{row{"all", "the entry has no name"}, "- {address: 127.0.0.1:1}\n", []string{"label.example.com", "policy.example.com"}},
		{row{"one", "the other is not meant"}, "- {name: policies/policy.example.com, address: 127.0.0.1:1}\n", []string{"policy.example.com"}},
		{row{"command", "it has none until it runs"}, "- {exec: {command: [x]}}\n", nil},
		{row{"command and address", "the name is stronger"}, "- {name: label.example.com, exec: {command: [x]}}\n- {address: 127.0.0.1:1}\n", []string{"policy.example.com"}},
	}, func(t *testing.T, r addressRow) {
		webhooks := ""
		if r.webhooks != "" {
			webhooks = "webhooks:\n" + r.webhooks
		}
		s := load(t, map[string]string{"suite.yaml": head + "configurations: [label.yaml, policy.yaml]\n" + webhooks + "cases:\n" + caseOf("a", "{}")})
		var got []string
		for _, w := range s.Webhooks() {
			if s.HasAddress(w) {
				got = append(got, w.Name)
			}
		}
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
