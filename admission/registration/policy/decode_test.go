package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/internal/testutil/testtable"
)

// decodeCase is a text that is an object.
type decodeCase struct {
	row
	data string
	want Object
}

func TestDecode(t *testing.T) {
	t.Parallel()
	var rows []decodeCase
	for _, version := range append(oldVersions(), "v1") {
		for _, o := range []Object{&vap{}, &vapb{}, &mpol{}, &mapb{}} {
			want := asVersion(t, o, version)
			kind, err := kindOf(want)
			if err != nil {
				t.Fatal(err)
			}
			want.GetObjectKind().SetGroupVersionKind(kind)
			want.SetName("a")
			rows = append(rows, decodeCase{row{version + " " + kind.Kind, "kube-apiserver knows the version"},
				"apiVersion: " + kind.GroupVersion().String() + "\nkind: " + kind.Kind + "\nmetadata: {name: a}\n", want})
		}
	}
	testtable.Run(t, rows, func(t *testing.T, tc decodeCase) {
		got, warnings, err := Decode([]byte(tc.data), registration.Strict)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("error %v, warnings %q", err, warnings)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// refusedCase is a text that is none.
type refusedCase struct {
	row
	data string
	mode registration.FieldValidation
	want string
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	const (
		head  = `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy"`
		other = " is not a ValidatingAdmissionPolicy, MutatingAdmissionPolicy or binding of one of admissionregistration.k8s.io/v1, v1beta1 or v1alpha1"
	)
	testtable.Run(t, []refusedCase{
		{row{"nothing", "an empty file is no policy"}, "", registration.Warn, "an admission policy or binding must be an object with apiVersion and kind"},
		{row{"webhook configuration", "package registration has those"},
			"apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration", registration.Warn,
			"admissionregistration.k8s.io/v1 MutatingWebhookConfiguration" + other},
		{row{"list", "one object is decoded"}, "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyList", registration.Warn,
			"admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyList" + other},
		{row{"other version", "no server knew it"}, "apiVersion: admissionregistration.k8s.io/v2\nkind: ValidatingAdmissionPolicy", registration.Warn,
			"admissionregistration.k8s.io/v2 ValidatingAdmissionPolicy" + other},
		{row{"unknown field", "mode Strict"}, head + `,"spec":{"validations":[{"expr":"true"}]}}`, registration.Strict,
			`strict decoding error: unknown field "spec.validations[0].expr"`},
		{row{"wrong type", "no mode accepts it"}, head + `,"spec":{"variables":{}}}`, registration.Ignore,
			"json: cannot unmarshal object into Go struct field ValidatingAdmissionPolicySpec.spec.variables of type []v1.Variable"},
		{row{"two documents", "the second must not be lost"}, "a: b\n---\nc: d\n", registration.Ignore, "there is more than one YAML document"},
		{row{"unknown mode", "a mode that is misspelt must not be lenient"}, head + `}`, "strict",
			`fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"`},
	}, func(t *testing.T, tc refusedCase) {
		o, warnings, err := Decode([]byte(tc.data), tc.mode)
		if diff := cmp.Diff(tc.want, testtable.Text(err)); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
		if o != nil || warnings != nil {
			t.Errorf("the error came with %v and %q", o, warnings)
		}
	})
}

// TestDecodeWarns returns unknown and duplicate fields beside the object.
func TestDecodeWarns(t *testing.T) {
	t.Parallel()
	const data = "apiVersion: admissionregistration.k8s.io/v1beta1\nkind: MutatingAdmissionPolicyBinding\nspec: {policyName: a, policyName: b, validationActions: [Deny]}\n"
	for mode, want := range map[registration.FieldValidation][]string{
		registration.Warn:   {`line 3: key "policyName" already set in map`, `unknown field "spec.validationActions"`},
		registration.Ignore: nil,
	} {
		o, warnings, err := Decode([]byte(data), mode)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, warnings); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", mode, diff)
		}
		if b, ok := Convert(o).(*mapb); !ok || b.Spec.PolicyName != "b" {
			t.Errorf("%s: the object is %v", mode, o)
		}
	}
}
