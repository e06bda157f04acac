package plugin_test

import (
	"testing"

	"go.uber.org/goleak"

	"example.com/gatehouse/admission/plugin"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// row is what every row of every table has to say about itself.
type row struct{ name, why string }

func (r row) self() row { return r }

// runTable runs a table for both plugins, and refuses rows without a unique name
// and a reason.
func runTable[C interface{ self() row }](t *testing.T, rows []C, run func(t *testing.T, name string, row C)) {
	t.Helper()
	seen := map[string]bool{}
	for _, tc := range rows {
		r := tc.self()
		if r.name == "" || seen[r.name] || r.why == "" {
			t.Fatalf("row %q needs a unique name and a reason", r.name)
		}
		seen[r.name] = true
		for _, name := range bothPlugins() {
			t.Run(r.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				run(t, name, tc)
				if t.Failed() {
					t.Logf("why: %s", r.why)
				}
			})
		}
	}
}

func bothPlugins() []string { return []string{plugin.MutatingName, plugin.ValidatingName} }

// text returns the whole text of an error, and the empty string for none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
