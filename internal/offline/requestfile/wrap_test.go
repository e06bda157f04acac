package requestfile_test

import (
	"errors"
	"testing"

	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestWrap is about mistakes that are found later.
func TestWrap(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		input, want string
	}
	testtable.Run(t, []test{
		{row{"request", "the field of a file is that of the request"}, head + pod + "resource: pots\n",
			"a.yaml: document 1 (line 4): resource: there are no pots"},
		{row{"review", "the field of a review is one deeper"}, review("", `"resource":{"group":"","version":"v1","resource":"pots"}`),
			"a.yaml: document 1 (line 5): request.resource: there are no pots"},
	}, func(t *testing.T, tc test) {
		r, err := requestfile.Read(only(t, tc.input))
		if err != nil {
			t.Fatal(err)
		}
		cause := errors.New("there are no pots")
		wrapped := r.Wrap("resource", cause)
		if testtable.Text(wrapped) != tc.want || !errors.Is(wrapped, cause) {
			t.Errorf("\n got %v\nwant %s, around the cause", wrapped, tc.want)
		}
		if err := r.Wrap("resource", nil); err != nil {
			t.Errorf("wrapping no error gave %v", err)
		}
	})
}
