package behaviour

import (
	"testing"

	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// TestDefinitions: reports, docs and examples go by the definitions.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range Checks() {
		if seen[c.ID] || c.Group != report.Behaviour || c.Title == "" || c.Why == "" || c.Fix == "" {
			t.Errorf("%s: a definition is incomplete, of another group or there twice: %+v", c.ID, c.Check)
		}
		if seen[c.ID] = true; (c.Each == nil) == (c.All == nil) {
			t.Errorf("%s looks at each webhook and at all, or at none", c.ID)
		}
	}
}
