package registration

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

const (
	mutatingV1   = `"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration"`
	validatingV1 = `"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration"`
)

type decodeCase struct {
	row
	data string
	want Configuration
}

func TestDecode(t *testing.T) {
	t.Parallel()
	typed := func(version, kind string) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/" + version, Kind: kind}
	}
	testtable.Run(t, []decodeCase{{
		row:  row{"mutating v1", "one of four types; nothing is defaulted"},
		data: `{` + mutatingV1 + `,"metadata":{"name":"a"},"webhooks":[{"name":"w"}]}`,
		want: &registrationv1.MutatingWebhookConfiguration{
			TypeMeta:   typed("v1", "MutatingWebhookConfiguration"),
			ObjectMeta: metav1.ObjectMeta{Name: "a"},
			Webhooks:   []registrationv1.MutatingWebhook{{Name: "w"}},
		},
	}, {
		row:  row{"validating v1 in YAML", "users write YAML"},
		data: "# mine\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nwebhooks:\n- timeoutSeconds: 3\n",
		want: &registrationv1.ValidatingWebhookConfiguration{
			TypeMeta: typed("v1", "ValidatingWebhookConfiguration"),
			Webhooks: []registrationv1.ValidatingWebhook{{TimeoutSeconds: new(int32(3))}},
		},
	}, {
		row:  row{"mutating v1beta1", "another type, because its defaults differ (R-010)"},
		data: `{"apiVersion":"admissionregistration.k8s.io/v1beta1","kind":"MutatingWebhookConfiguration"}`,
		want: &registrationv1beta1.MutatingWebhookConfiguration{TypeMeta: typed("v1beta1", "MutatingWebhookConfiguration")},
	}, {
		row:  row{"validating v1beta1", "the fourth"},
		data: `{"apiVersion":"admissionregistration.k8s.io/v1beta1","kind":"ValidatingWebhookConfiguration"}`,
		want: &registrationv1beta1.ValidatingWebhookConfiguration{TypeMeta: typed("v1beta1", "ValidatingWebhookConfiguration")},
	}}, func(t *testing.T, tc decodeCase) {
		for _, mode := range []FieldValidation{Ignore, Warn, Strict, ""} {
			got, warnings, err := Decode([]byte(tc.data), mode)
			if err != nil || warnings != nil {
				t.Fatalf("%q: warnings %q and error %v", mode, warnings, err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", mode, diff)
			}
		}
	})
}

type modeCase struct {
	row
	data string
	// warnings are those of mode Warn, strict is the error of mode Strict.
	warnings []string
	strict   string
	// name is the name of the only webhook, in the modes that give one.
	name string
}

func TestDecodeModes(t *testing.T) {
	t.Parallel()
	testtable.Run(t, modeCases(), func(t *testing.T, tc modeCase) {
		for mode, want := range map[FieldValidation][]string{Ignore: nil, Warn: tc.warnings, "": tc.warnings} {
			c, warnings, err := Decode([]byte(tc.data), mode)
			if err != nil {
				t.Fatalf("%q: %v", mode, err)
			}
			if diff := cmp.Diff(want, warnings); diff != "" {
				t.Errorf("%q: warnings (-want +got):\n%s", mode, diff)
			}
			if got := c.(*registrationv1.MutatingWebhookConfiguration).Webhooks[0].Name; got != tc.name {
				t.Errorf("%q: name %q, want %q", mode, got, tc.name)
			}
		}
		c, warnings, err := Decode([]byte(tc.data), Strict)
		if diff := cmp.Diff(tc.strict, testtable.Text(err)); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
		if c != nil || warnings != nil {
			t.Errorf("the error came with %v and %q", c, warnings)
		}
	})
}

func modeCases() []modeCase {
	return []modeCase{{
		row:      row{"unknown", "the path tells where it is"},
		data:     `{` + mutatingV1 + `,"webhooks":[{"name":"a","timeout":3}]}`,
		warnings: []string{`unknown field "webhooks[0].timeout"`},
		strict:   `strict decoding error: unknown field "webhooks[0].timeout"`,
		name:     "a",
	}, {
		row:      row{"wrong case", "an API server matches field names exactly"},
		data:     `{` + mutatingV1 + `,"webhooks":[{"name":"a","Name":"b"}]}`,
		warnings: []string{`unknown field "webhooks[0].Name"`},
		strict:   `strict decoding error: unknown field "webhooks[0].Name"`,
		name:     "a",
	}, {
		row:      row{"duplicate", "the last one counts"},
		data:     `{` + mutatingV1 + `,"webhooks":[{"name":"a","name":"b"}]}`,
		warnings: []string{`duplicate field "webhooks[0].name"`},
		strict:   `strict decoding error: duplicate field "webhooks[0].name"`,
		name:     "b",
	}, {
		row:      row{"several", "each is a warning of its own, in their order, and all are one error"},
		data:     `{` + mutatingV1 + `,"webhook":[],"webhooks":[{"name":"a","name":"b","x":1}],"kind":"MutatingWebhookConfiguration"}`,
		warnings: []string{`unknown field "webhook"`, `duplicate field "webhooks[0].name"`, `unknown field "webhooks[0].x"`, `duplicate field "kind"`},
		strict: `strict decoding error: unknown field "webhook", duplicate field "webhooks[0].name", ` +
			`unknown field "webhooks[0].x", duplicate field "kind"`,
		name: "b",
	}, {
		row: row{"duplicates in YAML", "the parser knows their lines, and packs them into one error"},
		data: "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\n" +
			"webhooks:\n- name: a\n  name: b\n  rules: []\n  rules: []\nwebhook: []\n",
		warnings: []string{`line 5: key "name" already set in map`, `line 7: key "rules" already set in map`, `unknown field "webhook"`},
		strict: "strict decoding error: yaml: unmarshal errors:\n  line 5: key \"name\" already set in map\n" +
			"  line 7: key \"rules\" already set in map, unknown field \"webhook\"",
		name: "b",
	}}
}

type refusedCase struct {
	row
	data string
	mode FieldValidation
	err  string
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	none := "a webhook configuration must be an object with apiVersion and kind"
	testtable.Run(t, []refusedCase{
		{row{"nothing", "an empty file is no configuration"}, "", Ignore, none},
		{row{"null", "neither is null"}, "null", Ignore, none},
		{row{"list", "one configuration is read, not several"}, "[]", Ignore, none},
		{row{"no apiVersion", "it cannot be guessed"}, `{"kind":"MutatingWebhookConfiguration"}`, Ignore, "apiVersion is missing"},
		{row{"no kind", "it cannot be guessed"}, `{"apiVersion":"v1","Kind":"x"}`, Ignore, "kind is missing"},
		{row{"number for kind", "YAML makes numbers of some names"}, "apiVersion: v1\nkind: 1", Ignore, "kind must be a string"},
		{row{"other kind", "the message says what would be right"}, `{"apiVersion":"v1","kind":"Pod"}`, Ignore,
			"v1 Pod is not a MutatingWebhookConfiguration or ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1 or v1beta1"},
		{row{"other version", "no other version was ever served"}, "apiVersion: admissionregistration.k8s.io/v2\nkind: MutatingWebhookConfiguration", Ignore,
			"admissionregistration.k8s.io/v2 MutatingWebhookConfiguration is not a MutatingWebhookConfiguration or " +
				"ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1 or v1beta1"},
		{row{"wrong type", "no mode accepts it"}, `{` + mutatingV1 + `,"webhooks":[{"timeoutSeconds":"3"}]}`, Ignore,
			"json: cannot unmarshal string into Go struct field MutatingWebhook.webhooks.timeoutSeconds of type int32"},
		{row{"wrong type beside an unknown field", "what cannot be read comes first"},
			`{` + validatingV1 + `,"x":1,"webhooks":{}}`, Strict,
			"json: cannot unmarshal object into Go struct field ValidatingWebhookConfiguration.webhooks of type []v1.ValidatingWebhook"},
		{row{"bad caBundle", "the message must not repeat it"},
			`{` + mutatingV1 + `,"webhooks":[{"clientConfig":{"caBundle":"secret!"}}]}`, Strict,
			"illegal base64 data at input byte 6"},
		{row{"two documents", "the second must not be lost"}, "a: b\n---\nc: d\n", Ignore, "there is more than one YAML document"},
		{row{"neither JSON nor YAML", "the parser says where"}, "a: b\n c: d", Ignore,
			"yaml: line 2: mapping values are not allowed in this context"},
		{row{"unknown mode", "a mode that was misspelt must not be lenient"}, `{` + mutatingV1 + `}`, "strict",
			`fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"`},
	}, func(t *testing.T, tc refusedCase) {
		c, warnings, err := Decode([]byte(tc.data), tc.mode)
		if diff := cmp.Diff(tc.err, testtable.Text(err)); diff != "" {
			t.Errorf("error (-want +got):\n%s", diff)
		}
		if c != nil || warnings != nil {
			t.Errorf("the error came with %v and %q", c, warnings)
		}
	})
}
