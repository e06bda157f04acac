package registration

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// staticCase is a configuration without webhooks, and what is wrong with it in
// a manifest.
type staticCase struct {
	testtable.Row
	spoil func(*registrationv1.MutatingWebhookConfiguration)
	want  string
}

// TestValidateStatic has what sets a manifest apart from a write (S-043).
func TestValidateStatic(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []staticCase{{
		Row:   testtable.Row{"reserved name", "R-039: it is for manifests that the name is reserved"},
		spoil: func(c *registrationv1.MutatingWebhookConfiguration) { c.Name = "a.static.k8s.io" },
	}, {
		Row:   testtable.Row{"other name", "S-044: whether the name ends as it has to is the loader's business"},
		spoil: func(*registrationv1.MutatingWebhookConfiguration) {},
	}, {
		Row:   testtable.Row{"generateName", "R-020: no server generates a name"},
		spoil: func(c *registrationv1.MutatingWebhookConfiguration) { c.Name, c.GenerateName = "", "a-" },
		want:  "metadata.name: Required value: name or generateName is required",
	}, {
		Row:   testtable.Row{"generation", "R-020: no server corrects it"},
		spoil: func(c *registrationv1.MutatingWebhookConfiguration) { c.Generation = -1 },
		want:  "metadata.generation: Invalid value: -1: must be greater than or equal to 0",
	}, {
		Row: testtable.Row{"webhook without a name", "R-021: the rules for webhooks are those of a creation"},
		spoil: func(c *registrationv1.MutatingWebhookConfiguration) {
			c.Webhooks = []registrationv1.MutatingWebhook{{
				ClientConfig: registrationv1.WebhookClientConfig{URL: new("https://a")}, AdmissionReviewVersions: []string{"v1"},
				SideEffects: new(registrationv1.SideEffectClassNone),
			}}
		},
		want: "webhooks[0].name: Required value",
	}}, func(t *testing.T, tc staticCase) {
		c := &registrationv1.MutatingWebhookConfiguration{}
		c.Name = "a"
		tc.spoil(c)
		Default(c)
		if got := testtable.Text(ValidateStatic(c).ToAggregate()); got != tc.want {
			t.Errorf("want %s, got %s", tc.want, got)
		}
	})
	if wrong := ValidateStatic(nil); len(wrong) != 1 {
		t.Errorf("nil: %v", wrong)
	}
}
