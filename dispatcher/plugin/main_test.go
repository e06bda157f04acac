package plugin_test

import (
	"flag"
	"testing"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestMain draws few lives by default; make life draws more.
func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "5") // rapid has the flag
	leaktest.Main(m)
}

// row is what every row of every table has to say about itself.
type row = testtable.Row

// runTable runs a table for both plugins.
func runTable[R testtable.Tabled](t *testing.T, rows []R, run func(t *testing.T, name string, r R)) {
	t.Helper()
	testtable.Run(t, rows, func(t *testing.T, r R) {
		for _, name := range bothPlugins() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				run(t, name, r)
			})
		}
	})
}

func bothPlugins() []string { return []string{plugin.MutatingName, plugin.ValidatingName} }
