package policy

import (
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// noPolicy has the methods of an Object.
type noPolicy struct{ metav1.PartialObjectMetadata }

// unusableCase is something that is no policy.
type unusableCase struct {
	row
	given Object
	want  string
}

func TestUnusable(t *testing.T) {
	t.Parallel()
	good := validating()
	testtable.Run(t, []unusableCase{
		{row{"nil", "an interface may be empty"}, nil, `<nil> is not an admission policy or binding`},
		{row{"nil policy", "or hold nothing"}, (*vap)(nil), `there is no object behind the *v1.ValidatingAdmissionPolicy`},
		{row{"nil v1alpha1", "or hold nothing"}, (*registrationv1alpha1.MutatingAdmissionPolicyBinding)(nil),
			`there is no object behind the *v1alpha1.MutatingAdmissionPolicyBinding`},
		{row{"another type", "whatever has the methods"}, &noPolicy{}, `*policy.noPolicy is not an admission policy or binding`},
		{row{"a webhook configuration", "package registration has those"}, &registrationv1.MutatingWebhookConfiguration{},
			`*v1.MutatingWebhookConfiguration is not an admission policy or binding`},
	}, func(t *testing.T, tc unusableCase) {
		want := `kind: Internal error: ` + tc.want
		wantText(t, tc.given, Validate(tc.given), want)
		wantText(t, tc.given, ValidateStatic(tc.given), want)
		wantText(t, tc.given, ValidateUpdate(tc.given, good), want)
		wantText(t, tc.given, ValidateUpdate(good, tc.given), strings.Replace(want, "error: ", "error: what is updated: ", 1))
		if got := testtable.Text(CheckManifest(tc.given)); got != tc.want {
			t.Errorf("CheckManifest = %q, want %q", got, tc.want)
		}
		if got := Warnings(tc.given); got != nil {
			t.Errorf("Warnings = %q, want none", got)
		}
		Default(tc.given)
		if got := Convert(tc.given); got != tc.given {
			t.Errorf("Convert = %v, want the argument", got)
		}
	})
}

// TestKindsDoNotMix refuses to compare what no server would.
func TestKindsDoNotMix(t *testing.T) {
	t.Parallel()
	p, b := validating(), validatingBound()
	wantText(t, p, ValidateUpdate(p, b), `kind: Internal error: *v1.ValidatingAdmissionPolicy cannot replace *v1.ValidatingAdmissionPolicyBinding`)
}
