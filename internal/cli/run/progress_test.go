package run

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/testutil/testtable"
)

// silent is a printer that prints nothing.
type silent struct{}

func (silent) Print(*session.Result) error { return nil }
func (silent) End() error                  { return nil }

// TestProgress: many objects get a line on a terminal, and nothing else does.
func TestProgress(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		terminal bool
		total    int
		want     string
	}
	const erase = "\r\x1b[K"
	testtable.Run(t, []test{
		{testtable.Row{"many", "they take a while"}, true, 201, erase + "2 of 201 objects, 1 denied" + erase},
		{testtable.Row{"few", "it is over at once"}, true, 200, ""},
		{testtable.Row{"no terminal", "the summary is enough"}, false, 201, ""},
	}, func(t *testing.T, tc test) {
		var out strings.Builder
		p := newProgress(&out)
		p.Terminal = tc.terminal
		p.total = tc.total // begin would refresh the line by the clock
		for _, allowed := range []bool{true, false} {
			c := counted{silent{}, p}
			if err := c.Print(&session.Result{Response: &admission.Response{Allowed: allowed}}); err != nil {
				t.Fatal(err)
			}
		}
		p.Tick(time.Now().Add(time.Hour))
		p.End()
		if diff := cmp.Diff(tc.want, out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}
