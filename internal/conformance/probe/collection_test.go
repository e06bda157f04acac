package probe

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestNames(t *testing.T) {
	hook := func(phase admission.Phase, uid string) *Webhook {
		return &Webhook{Webhook: &admission.Webhook{Phase: phase, Configuration: "c", Name: "w", UID: uid}}
	}
	other := hook(admission.Mutating, "c/x/0")
	other.Name = "x"
	testtable.Run(t, []nameRow{
		{
			Row:      testtable.Row{"alone", "nothing has to be told apart"},
			webhooks: []*Webhook{hook(admission.Mutating, "c/w/0"), other},
			want:     []string{"c/w", "c/x"},
		},
		{
			Row:      testtable.Row{"phases", "projects give the configurations of both phases one name"},
			webhooks: []*Webhook{hook(admission.Mutating, "c/w/0"), hook(admission.Validating, "c/w/0")},
			want:     []string{"c/w (mutating)", "c/w (validating)"},
		},
		{
			Row:      testtable.Row{"twins", "servers accept a name twice (S-062)"},
			webhooks: []*Webhook{hook(admission.Mutating, "c/w/0"), hook(admission.Mutating, "c/w/1")},
			want:     []string{"c/w (mutating) #0", "c/w (mutating) #1"},
		},
	}, func(t *testing.T, row nameRow) {
		nameWebhooks(row.webhooks)
		var got []string
		for _, w := range row.webhooks {
			got = append(got, w.FullName())
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("names (-want +got):\n%s", diff)
		}
	})
}

type nameRow struct {
	testtable.Row
	webhooks []*Webhook
	want     []string
}
