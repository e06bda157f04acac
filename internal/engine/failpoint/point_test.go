package failpoint_test

import (
	"testing"

	"example.com/gatehouse/internal/engine/failpoint"
)

// TestPointsHaveNames requires unique names, because a report has only the name
// of a point.
func TestPointsHaveNames(t *testing.T) {
	t.Parallel()
	named := map[string]bool{"": true, "unknown": true}
	for _, p := range append(failpoint.Points(), failpoint.BeforeEvaluation, failpoint.AfterEvaluation) {
		if named[p.String()] {
			t.Errorf("point %d is called %q, as another is, or nothing", p, p)
		}
		named[p.String()] = true
	}
	points := failpoint.Points()
	if first, last := points[0], points[len(points)-1]; first != failpoint.BeforeSnapshot || last != failpoint.AfterWriteBack {
		t.Errorf("the points go from %v to %v", first, last)
	}
	if got := (failpoint.AfterWriteBack + 1).String() + failpoint.Point(0).String(); got != "unknownunknown" {
		t.Errorf("what is no point is called %q", got)
	}
}
