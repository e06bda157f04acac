package registration

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// policyField is where only a mutating configuration can be wrong.
var policyField = regexp.MustCompile(`^webhooks\[\d+\]\.reinvocationPolicy$`)

// fataler is a test, be it of a table or of a property.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// asBeta returns what would be written in v1beta1 in the place of c. The
// versions have the same fields, so that JSON says the same in both.
func asBeta(t fataler, c Configuration) Configuration {
	t.Helper()
	var beta Configuration = &registrationv1beta1.ValidatingWebhookConfiguration{}
	if _, mutating := c.(*registrationv1.MutatingWebhookConfiguration); mutating {
		beta = &registrationv1beta1.MutatingWebhookConfiguration{}
	}
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatalf("encode %T: %v", c, err)
	}
	if err := json.Unmarshal(data, beta); err != nil {
		t.Fatalf("decode %T: %v", beta, err)
	}
	return beta
}

// TestBeta is about where v1beta1 was milder. No server is left to compare
// with.
func TestBeta(t *testing.T) {
	t.Parallel()
	const (
		class    = `webhooks[0].sideEffects: Unsupported value: "x": supported values: "None", "NoneOnDryRun", "Some", "Unknown"`
		absent   = `webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun, Some, Unknown`
		versions = `webhooks[0].admissionReviewVersions`
	)
	testtable.Run(t, []ruleCase{
		{row{"unknown side effects", "R-028: the default of v1beta1"}, hooks(bare(effects("Unknown"))), ""},
		{row{"some side effects", "R-028: accepted then"}, hooks(bare(effects("Some"))), ""},
		{row{"other side effects", "R-028: four were known"}, hooks(bare(effects("x"))), class},
		{row{"no side effects said", "R-028: Default sets it; a caller may forget to call it"}, hooks(bare()), absent},
		{row{"name twice", "R-038: accepted then"}, hooks(fine(), fine()), ""},
		{row{"bad name", "R-021: as in v1"}, hooks(fine(named("a.b"))),
			`webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots`},
		{row{"unspoken version", "R-037: as in v1"}, hooks(fine(func(w *hook) { w.AdmissionReviewVersions = []string{"v9"} })),
			versions + `: Invalid value: ["v9"]: must include at least one of v1, v1beta1`},
		{row{"no versions", "R-037: as in v1"}, hooks(fine(func(w *hook) { w.AdmissionReviewVersions = nil })),
			versions + `: Required value: must specify one of v1, v1beta1`},
		{row{"bad condition", "R-036: as in v1, though conditions are younger than v1beta1"}, hooks(fine(when("c", "6"))),
			`webhooks[0].matchConditions[0].expression: Invalid value: "6": must evaluate to bool but got int`},
	}, func(t *testing.T, tc ruleCase) {
		for _, c := range bothKinds(config(), tc.given) {
			beta := asBeta(t, c)
			wantText(t, beta, Validate(beta), tc.want)
			// However right the old one was, an update may become what may be
			// created.
			old := bothKinds(config(), nil)
			if _, mutating := c.(*registrationv1.MutatingWebhookConfiguration); !mutating {
				old = old[1:]
			}
			wantText(t, beta, ValidateUpdate(beta, old[0]), tc.want)
		}
	})
}

// TestVersionsMayChange updates what was written in v1beta1 by v1: the version
// of the new one counts, and the old one opens ratchets as any other does.
func TestVersionsMayChange(t *testing.T) {
	t.Parallel()
	for i, old := range bothKinds(config(), hooks(bare(effects("Some")))) {
		c := bothKinds(config(), hooks(bare(effects("Unknown")), fine()))[i]
		wantText(t, c, ValidateUpdate(c, asBeta(t, old)), `webhooks[1].name: Duplicate value: "webhook.k8s.io"`)
	}
}

// noConfiguration has the methods of a configuration.
type noConfiguration struct{ metav1.PartialObjectMetadata }

// unusableCase is something that is no configuration, beside one that is.
type unusableCase struct {
	row
	given Configuration
	want  string
}

func TestUnusable(t *testing.T) {
	t.Parallel()
	good := bothKinds(config(), hooks(fine()))[0]
	const nothing = `kind: Internal error: there is no object behind the `
	testtable.Run(t, []unusableCase{
		{row{"nil", "an interface may be empty"}, nil, `kind: Internal error: <nil> is not a webhook configuration`},
		{row{"nil mutating", "or hold nothing"}, (*registrationv1.MutatingWebhookConfiguration)(nil), nothing + `*v1.MutatingWebhookConfiguration`},
		{row{"nil validating", "or hold nothing"}, (*registrationv1.ValidatingWebhookConfiguration)(nil), nothing + `*v1.ValidatingWebhookConfiguration`},
		{row{"nil mutating v1beta1", "or hold nothing"}, (*registrationv1beta1.MutatingWebhookConfiguration)(nil), nothing + `*v1beta1.MutatingWebhookConfiguration`},
		{row{"nil validating v1beta1", "or hold nothing"}, (*registrationv1beta1.ValidatingWebhookConfiguration)(nil), nothing + `*v1beta1.ValidatingWebhookConfiguration`},
		{row{"another type", "whatever has the methods"}, &noConfiguration{}, `kind: Internal error: *registration.noConfiguration is not a webhook configuration`},
	}, func(t *testing.T, tc unusableCase) {
		wantText(t, tc.given, Validate(tc.given), tc.want)
		wantText(t, tc.given, ValidateUpdate(tc.given, good), tc.want)
		updated := strings.Replace(tc.want, "error: ", "error: what is updated: ", 1)
		wantText(t, tc.given, ValidateUpdate(good, tc.given), updated)
		if got := Warnings(tc.given); got != nil {
			t.Errorf("Warnings = %v, want none", got)
		}
	})
}

// TestKindsDoNotMix refuses to compare what no server would.
func TestKindsDoNotMix(t *testing.T) {
	t.Parallel()
	kinds := bothKinds(config(), hooks(fine()))
	wantText(t, kinds[0], ValidateUpdate(kinds[0], kinds[1]),
		`kind: Internal error: *v1.MutatingWebhookConfiguration cannot replace *v1.ValidatingWebhookConfiguration`)
}
