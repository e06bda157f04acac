package fault

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testtable"
	"example.com/gatehouse/test/parity/world"
)

type row = testtable.Row

type loadCase struct {
	row
	text string
	want string // part of the error
}

func TestBadTables(t *testing.T) {
	t.Parallel()
	const good = `{"id":"A1","fault":"none","upstream":[{"class":"A"}]}`
	testtable.Run(t, []loadCase{
		{row{"no JSON", "the line is named"}, good + "\n{", "faults.jsonl:2:"},
		{row{"unknown field", "a promise that is misspelt would never be held against anything"},
			`{"id":"A1","fault":"none","upstream":[{"class":"A"}],"defualt":[]}`, `unknown field "defualt"`},
		{row{"twice", "ids are what documents refer to"}, good + "\n" + good, "A1 is there twice"},
		{row{"no id", "nobody could refer to it"}, `{"fault":"none","upstream":[{"class":"A"}]}`, "a row needs an id"},
		{row{"no class", "of that name"}, `{"id":"A1","fault":"none","upstream":[{"class":"X9"}]}`, `there is no class "X9"`},
		{row{"silence", "every combination has to be promised something"},
			`{"id":"A1","fault":"none","upstream":[{"when":"mutating","class":"A"}]}`, "nothing is promised for validating/Fail"},
		{row{"silence about exact", "the other lists count as well"},
			`{"id":"A1","fault":"none","upstream":[{"class":"A"}],"exact":[{"when":"Fail","class":"A"}]}`, "nothing is promised for mutating/Ignore"},
		{row{"a bad script", "it would not run"}, `{"id":"A1","fault":"none","script":{"listen":"maybe"},"upstream":[{"class":"A"}]}`, "listen"},
	}, func(t *testing.T, tc loadCase) {
		file := filepath.Join(t.TempDir(), "faults.jsonl")
		if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(file); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("want an error with %q, got %v", tc.want, err)
		}
	})
}

// TestClassesDiffer: an outcome that is promised one class and shows another is
// reported, whichever they are.
func TestClassesDiffer(t *testing.T) {
	t.Parallel()
	classes := []string{"A", "A+", "R400", "R403", "C400", "C503", "I", "I*", "B", "N403", "N504", "S", "P", "H"}
	for _, c := range Combinations() {
		for _, one := range classes {
			for _, other := range classes {
				differs := len(Diff(outcome(t, one, c), outcome(t, other, c))) > 0
				if differs != (one != other) {
					t.Errorf("%s: %s and %s differ: %v", c, one, other, differs)
				}
			}
		}
	}
}

func outcome(t *testing.T, class string, c Combination) Outcome {
	t.Helper()
	o, err := (&Promise{Class: class}).Outcome(c)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestPolicies: what a failed call means depends on the policy, what a denial
// means does not.
func TestPolicies(t *testing.T) {
	t.Parallel()
	all := Combinations()
	for i, want := range []Verdict{Denied, Allowed, Denied, Allowed} {
		if got := outcome(t, "C503", all[i]).Verdict; got != want {
			t.Errorf("%s: a failed call is %s, want %s", all[i], got, want)
		}
		if got := outcome(t, "R403", all[i]).Verdict; got != Denied {
			t.Errorf("%s: a rejection is %s", all[i], got)
		}
	}
}

func TestSidesThatDiffer(t *testing.T) {
	t.Parallel()
	r := Row{Upstream: []Promise{{Class: "A"}}, Default: []Promise{{Class: "R1"}}}
	got := map[world.Side]string{}
	for _, side := range []world.Side{world.Upstream, world.Gatehouse, world.Exact} {
		got[side] = r.Promises(side)[0].Class
	}
	if diff := cmp.Diff(map[world.Side]string{world.Upstream: "A", world.Gatehouse: "R1", world.Exact: "A"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestBrief: what is shortened still differs if what it stands for does.
func TestBrief(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	many := slices.Repeat([]string{"w"}, 100)
	of := func(message string, warnings []string) Outcome {
		o := Outcome{Message: message, Warnings: slices.Clone(warnings)}
		o.brief(strings.NewReplacer("here", "{{address}}"))
		return o
	}
	if lines := Diff(of(long+"a", many), of(long+"b", append(many, "v"))); len(lines) != 2 {
		t.Errorf("want two differences, got %q", lines)
	}
	if got, want := of("here 127.0.0.1:80 at 2026-01-02T03:04:05Z", nil).Message, "{{address}} {{port}} at {{time}}"; got != want {
		t.Errorf("want %q, got %q", want, got)
	}
}
