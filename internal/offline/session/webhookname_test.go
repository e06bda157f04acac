package session

import (
	"fmt"
	"testing"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestOtherHooks(t *testing.T) {
	t.Parallel()
	many := make([]*admission.Webhook, 12)
	for i := range many {
		many[i] = &admission.Webhook{Configuration: "c", Name: fmt.Sprintf("%c", 'a'+i)}
	}
	twice := []*admission.Webhook{{Configuration: "c", Name: "a.b.c"}, {Configuration: "c", Name: "a.b.c"}}
	type test struct {
		row
		word     string
		webhooks []*admission.Webhook
		want     string
	}
	rows := []test{
		{row{"none", "a list of nothing would look broken"}, "x", nil, "the inputs have no webhook"},
		{row{"both phases", "webhooks that share a name are listed once"}, "nothing", twice, "there are c/a.b.c"},
		{row{"many", "a long list is no help"}, "nothing", many, "there are c/a, c/b, c/c, c/d, c/e, c/f, c/g, c/h, c/i, c/j and 2 more"},
		{row{"bare", "who gives a bare name wants one"}, "b.b.c", twice, "did you mean a.b.c?"},
		{row{"full", "who gives a configuration wants it, too"}, "c/b.b.c", twice, "did you mean c/a.b.c?"},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		if got := suggestion(tc.word, tc.webhooks); got != tc.want {
			t.Errorf("got %q, want %q: %s", got, tc.want, tc.Why())
		}
	})
}
