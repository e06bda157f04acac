package peers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// report is what is read of a Ginkgo report in JSON: one item for each suite.
type report []struct{ SpecReports []spec }

// spec is one spec, or a step of the suite such as BeforeSuite.
type spec struct {
	ContainerHierarchyTexts    []string
	LeafNodeType, LeafNodeText string
	State                      string
	NumAttempts                int
}

// outcome counts the specs that ran, and those that passed in the second attempt
// only, and names what failed.
type outcome struct {
	ran, repeated int
	failed        []string
}

func (o outcome) String() string {
	return fmt.Sprintf("%d of %d pass, %d in the second attempt", o.ran-len(o.failed), o.ran, o.repeated)
}

func readReport(text []byte) (outcome, error) {
	var suites report
	if err := json.Unmarshal(text, &suites); err != nil {
		return outcome{}, fmt.Errorf("Ginkgo's report: %w", err)
	}
	var o outcome
	for _, suite := range suites {
		for _, s := range suite.SpecReports {
			if s.State == "skipped" || s.State == "pending" {
				continue
			}
			if s.LeafNodeType == "It" {
				o.ran++
			}
			switch {
			case s.State != "passed":
				o.failed = append(o.failed, s.name())
			case s.NumAttempts > 1:
				o.repeated++
			}
		}
	}
	slices.Sort(o.failed)
	return o, nil
}

// name is the text of a spec with those of its containers, or the type of a step
// without a text.
func (s spec) name() string {
	text := strings.Join(append(slices.Clone(s.ContainerHierarchyTexts), s.LeafNodeText), " ")
	if strings.TrimSpace(text) == "" {
		return s.LeafNodeType
	}
	return text
}

func TestReadReport(t *testing.T) {
	t.Parallel()
	got, err := readReport([]byte(`[{"SpecReports":[
		{"LeafNodeType":"BeforeSuite","LeafNodeText":"","State":"failed"},
		{"LeafNodeType":"It","ContainerHierarchyTexts":["a","b"],"LeafNodeText":"c","State":"panicked"},
		{"LeafNodeType":"It","LeafNodeText":"d","State":"passed","NumAttempts":2},
		{"LeafNodeType":"It","LeafNodeText":"e","State":"pending"}]}]`))
	want := outcome{ran: 2, repeated: 1, failed: []string{"BeforeSuite", "a b c"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" || err != nil {
		t.Error(err, diff)
	}
}
