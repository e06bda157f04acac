package policy

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// staticCase is a manifest.
type staticCase struct {
	row
	given Object
	// problems are those of ValidateStatic, refusal that of CheckManifest.
	problems, refusal string
}

func TestStatic(t *testing.T) {
	t.Parallel()
	policy := func(edits ...func(*vap)) *vap {
		return validating(append(edits, func(p *vap) { p.Name = "p.static.k8s.io" })...)
	}
	mutator := func(edits ...func(*mpol)) *mpol {
		return mutating(append(edits, func(p *mpol) { p.Name = "p.static.k8s.io" })...)
	}
	bound := func(name string, ref *registrationv1.ParamRef) *vapb {
		return validatingBound(func(b *vapb) { b.Name, b.Spec.PolicyName, b.Spec.ParamRef = "b.static.k8s.io", name, ref })
	}
	ref := &registrationv1.ParamRef{Name: "a", ParameterNotFoundAction: new(registrationv1.DenyAction)}
	testtable.Run(t, []staticCase{
		{row{"policy", "the reserved name is right here"}, policy(), "", ""},
		{row{"mutating policy", "the same"}, mutator(), "", ""},
		{row{"binding", "of a policy in a manifest"}, bound("p.static.k8s.io", nil), "", ""},
		{row{"invalid policy", "the other rules apply"}, policy(func(p *vap) { p.Spec.FailurePolicy = nil }), `spec.failurePolicy: Required value`, ""},
		{row{"no name", "the server generates none"}, validating(func(p *vap) { p.ObjectMeta = metav1.ObjectMeta{GenerateName: "p-"} }),
			`metadata.name: Required value: name or generateName is required`, ""},
		{row{"generation", "the server does not set it"}, policy(func(p *vap) { p.Generation = -1 }),
			`metadata.generation: Invalid value: -1: must be greater than or equal to 0`, ""},
		{row{"no actions", "there are no tags: the function's text, in its order"}, validatingBound(func(b *vapb) { b.Spec.PolicyName, b.Spec.ValidationActions = "", nil }),
			list(`spec.policyName: Required value`, `spec.validationActions: Required value: at least one validation action is required`),
			`binding "config" must reference a policy (spec.policyName)`},
		{row{"params", "they would be objects of the API"}, policy(func(p *vap) { p.Spec.ParamKind = configMap() }), "",
			`ValidatingAdmissionPolicy "p.static.k8s.io": spec.paramKind is not supported for static manifests`},
		{row{"params of a mutating policy", "they would be objects of the API"}, mutator(func(p *mpol) { p.Spec.ParamKind = configMap() }), "",
			`MutatingAdmissionPolicy "p.static.k8s.io": spec.paramKind is not supported for static manifests`},
		{row{"policy of the API", "a manifest does not depend on one"}, bound("p", ref), "",
			`binding "b.static.k8s.io": spec.policyName "p" must end with ".static.k8s.io"`},
		{row{"paramRef", "its policy has no params"}, bound("p.static.k8s.io", ref), "",
			`binding "b.static.k8s.io": spec.paramRef is not supported for static manifests`},
		{row{"mutating binding", "the same rules"}, mutatingBound(), "", `binding "config": spec.policyName "p" must end with ".static.k8s.io"`},
		{row{"v1beta1", "manifests are of v1"}, asVersion(t, policy(), "v1beta1"), "", `unsupported resource type *v1beta1.ValidatingAdmissionPolicy`},
	}, func(t *testing.T, tc staticCase) {
		wantText(t, tc.given, ValidateStatic(tc.given), tc.problems)
		if got := testtable.Text(CheckManifest(tc.given)); got != tc.refusal {
			t.Errorf("CheckManifest = %q, want %q", got, tc.refusal)
		}
	})
}

// warningsCase is an object that is written.
type warningsCase struct {
	row
	given Object
	want  []string
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	const name = `metadata.name: names ending with ".static.k8s.io" will be reserved for static manifest-based configurations when the ManifestBasedAdmissionControlConfig feature gate is enabled`
	static := mutating(func(p *mpol) { p.Name = "p.static.k8s.io" })
	testtable.Run(t, []warningsCase{
		{row{"v1", "nothing to warn of"}, validating(), nil},
		{row{"mutating v1beta1", "deprecated since v1.37"}, asVersion(t, mutating(), "v1beta1"),
			[]string{"admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy is deprecated in v1.37+, unavailable in v1.40+; use admissionregistration.k8s.io/v1 MutatingAdmissionPolicy"}},
		{row{"binding v1alpha1", "deprecated since v1.35, and without a replacement"}, asVersion(t, mutatingBound(), "v1alpha1"),
			[]string{"admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBinding is deprecated in v1.35+, unavailable in v1.38+"}},
		{row{"validating v1beta1", "the text of the last server that served it"}, asVersion(t, validating(), "v1beta1"),
			[]string{"admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy is deprecated in v1.31+, unavailable in v1.34+"}},
		{row{"reserved name", "R-061: an update may have it"}, static, []string{name}},
		{row{"both", "the version comes first"}, asVersion(t, static, "v1alpha1"),
			[]string{"admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy is deprecated in v1.35+, unavailable in v1.38+", name}},
		{row{"excluded resource", "only webhooks cause a warning"}, validating(func(p *vap) {
			p.Spec.MatchConstraints.ResourceRules[0].Resources = []string{"tokenreviews"}
			p.Spec.MatchConstraints.ResourceRules[0].APIGroups = []string{"authentication.k8s.io"}
		}), nil},
	}, func(t *testing.T, tc warningsCase) {
		if got := Warnings(tc.given); len(got) != len(tc.want) || len(got) > 0 && list(got...) != list(tc.want...) {
			t.Errorf("warnings are %q, want %q", got, tc.want)
		}
	})
}
