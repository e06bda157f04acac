package limits_test

import "testing"

// row is what every row of every table has to say about itself.
type row struct{ name, why string }

func (r row) self() row { return r }

// runTable runs a table, and refuses rows without a unique name and a reason.
func runTable[C interface{ self() row }](t *testing.T, cases []C, run func(*testing.T, C)) {
	t.Helper()
	seen := map[string]bool{}
	for _, tc := range cases {
		r := tc.self()
		if r.name == "" || seen[r.name] || r.why == "" {
			t.Fatalf("row %q needs a unique name and a reason", r.name)
		}
		seen[r.name] = true
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			run(t, tc)
			if t.Failed() {
				t.Logf("why: %s", r.why)
			}
		})
	}
}

// text returns the whole text of an error, and the empty string for none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
