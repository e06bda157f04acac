package expect_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/expect"
	"example.com/gatehouse/internal/testutil/testtable"
)

type mistakeCase struct {
	row
	expect string
	want   []string
}

func TestCompileMistakes(t *testing.T) {
	t.Parallel()
	const all = "labels.example.com, mesh.example.com, policy.example.com"
	testtable.Run(t, []mistakeCase{
		{row{"message", "a pattern that does not compile matches nothing"}, `{message: "("}`, []string{"message: error parsing regexp: missing closing ): `(`"}},
		{row{"all patterns", "an author wants to see all mistakes at once"},
			`{warnings: [a, "["], auditAnnotations: {b: "*", a: null}, webhooks: [{name: mesh.example.com, why: "("}, {name: mesh.example.com, warnings: ["("], auditAnnotations: {a: "("}}]}`, []string{
				"warnings[1]: error parsing regexp: missing closing ]: `[`",
				"webhooks[0].why: error parsing regexp: missing closing ): `(`",
				"webhooks[1].warnings[0]: error parsing regexp: missing closing ): `(`",
				"webhooks[1].auditAnnotations: error parsing regexp: missing closing ): `(`",
				"auditAnnotations: error parsing regexp: missing argument to repetition operator: `*`"}},
		{row{"misspelled webhook", "it is the one that is meant"}, `{called: [polcy.example.com]}`,
			[]string{`called[0]: there is no webhook "polcy.example.com": did you mean policy.example.com? There are ` + all}},
		{row{"unknown webhook", "these are all that could be meant"}, `{webhooks: [{name: quota.example.org}]}`,
			[]string{`webhooks[0].name: there is no webhook "quota.example.org", but there is ` + all}},
		{row{"unknown configuration", "who writes them wants to read them"}, `{called: [company/mesh.example.com]}`,
			[]string{`called[0]: there is no webhook "company/mesh.example.com", but there is platform/labels.example.com, ` +
				`platform/mesh.example.com, company/policy.example.com, team/policy.example.com`}},
		{row{"webhook of two configurations", "what one of them does must not pass for what the other does"}, `{called: [policy.example.com], webhooks: [{name: policy.example.com}]}`,
			[]string{"called[0]: policy.example.com is in company and team: write company/policy.example.com",
				"webhooks[0].name: policy.example.com is in company and team: write company/policy.example.com"}},
		{row{"webhook under two names", "it is one, and would be missed as the other"},
			`{called: [platform/mesh.example.com, mesh.example.com], webhooks: [{name: labels.example.com}, {name: platform/labels.example.com}]}`, []string{
				`called[1]: "mesh.example.com": is already listed, as "platform/mesh.example.com"`,
				`webhooks[1].name: "platform/labels.example.com": is already listed, as "labels.example.com"`}},
		{row{"object", "an object has fields"}, `{object: [a]}`, []string{"object: must be a map, a part of the final object"}},
		{row{"empty object", "in YAML that is null, and the field is incomplete"}, `{object: }`, []string{"object: must be a map, a part of the final object"}},
		{row{"operations", "what is misspelled would never be compared"},
			`{patch: [add, {op: add}, {path: /x}, {op: 1, path: /x}, {op: add, path: /x, valeu: 1}, {op: add, path: /x, value: null}]}`, []string{
				"patch[0]: must be a map, an operation of a JSON patch", `patch[1]: needs "path", a string`, `patch[2]: needs "op", a string`,
				`patch[3]: needs "op", a string`, `patch[4]: operations of JSON patches have no "valeu"`}},
	}, func(t *testing.T, tc mistakeCase) {
		if d := cmp.Diff(tc.want, mistakes(t, tc.expect, webhooks())); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

func TestCompileWithoutWebhooks(t *testing.T) {
	t.Parallel()
	got := mistakes(t, `{called: [x]}`, nil)
	if want := []string{`called[0]: there is no webhook "x": there are no webhooks or policies`}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// TestCompileManyConfigurations has more of them than fit into a sentence.
func TestCompileManyConfigurations(t *testing.T) {
	t.Parallel()
	var all []*admission.Webhook
	for i := range 8 {
		all = append(all, &admission.Webhook{Phase: admission.Validating, Configuration: fmt.Sprintf("c%d", i), Name: "x"})
	}
	for n, want := range map[int]string{3: "x is in c0, c1 and c2: write c0/x", 8: "x is in c0, c1, c2, c3, c4 and 3 more: write c0/x"} {
		if got := mistakes(t, `{called: [x]}`, all[:n]); !slices.Equal(got, []string{"called[0]: " + want}) {
			t.Errorf("got %v", got)
		}
	}
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		expect string
		want   bool
	}
	testtable.Run(t, []test{
		{row{"nothing", "most requests are to be admitted"}, `{}`, true},
		{row{"said", "it is what is said"}, `{allowed: false}`, false},
		{row{"code", "only a denial has one"}, `{code: 403}`, false},
		{row{"reason", "also an empty one"}, `{reason: ""}`, false},
		{row{"message", "only a denial has one"}, `{message: x}`, false},
		{row{"warnings", "both may have them"}, `{warnings: []}`, true},
	}, func(t *testing.T, tc test) {
		for _, allowed := range []bool{true, false} {
			failures := compile(t, tc.expect).Check(&admission.Response{Allowed: allowed})
			missed := slices.ContainsFunc(failures, func(f expect.Failure) bool { return f.Field == "allowed" })
			if missed != (allowed != tc.want) {
				t.Errorf("allowed %t: got %v", allowed, failures)
			}
		}
	})
}
