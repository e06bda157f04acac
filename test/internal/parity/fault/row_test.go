package fault

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/parity/harness"
)

type row = testtable.Row

type loadCase struct {
	row
	text string
	want string // part of the error
}

// with is a valid row with some members replaced.
func with(members string) string { return `{"id":"A1","fault":"none",` + members + `}` }

func TestBadTables(t *testing.T) {
	t.Parallel()
	good := with(`"upstream":[{"class":"A"}]`)
	testtable.Run(t, []loadCase{
		{row{"no JSON", "the line is named"}, good + "\n{", "faults.jsonl:2:"},
		{row{"more than JSON", "what follows would be lost"}, good + "}", "something follows the JSON"},
		{row{"unknown field", "a promise that is misspelt would never be held against anything"},
			with(`"upstream":[{"class":"A"}],"defualt":[]`), `unknown field "defualt"`},
		{row{"unknown field of the request", "the request would be the usual one"},
			with(`"setup":{"request":{"dryrun":true,"dry":1}},"upstream":[{"class":"A"}]`), `unknown field "dry"`},
		{row{"unknown field of a webhook", "the webhook would be the usual one"},
			with(`"setup":{"webhooks":[{},{"timeout":1}]},"upstream":[{"class":"A"}]`), `webhook 1: json: unknown field "timeout"`},
		{row{"unknown resolver", "it would resolve"}, with(`"setup":{"resolver":"eror"},"upstream":[{"class":"A"}]`), `no resolver "eror"`},
		{row{"twice", "ids are what documents refer to"}, good + "\n" + good, "A1 is there twice"},
		{row{"no id", "documents refer to rows by ID"}, `{"fault":"none","upstream":[{"class":"A"}]}`, "a row needs an id"},
		{row{"no class", "of that name"}, with(`"upstream":[{"class":"X9"}]`), `there is no class "X9"`},
		{row{"a bad script", "it would not run"}, with(`"script":{"listen":"maybe"},"upstream":[{"class":"A"}]`), "listen"},
	}, testLoadError)
}

func TestBadPromises(t *testing.T) {
	t.Parallel()
	const silent, hangs, panics = `{"class":"A"}`, `{"class":"H"}`, `{"class":"P"}`
	testtable.Run(t, []loadCase{
		{row{"silence", "every combination has to be promised something"},
			with(`"upstream":[{"when":"mutating","class":"A"}]`), "nothing is promised for validating/Fail"},
		{row{"silence about exact", "the other lists count as well"},
			with(`"upstream":[` + silent + `],"exact":[{"when":"Fail","class":"A"}]`), "nothing is promised for mutating/Ignore"},
		{row{"unknown combination", "the promise would never apply"},
			with(`"upstream":[{"when":"mutation","class":"R1"},` + silent + `]`), `there is no combination "mutation"`},
		{row{"hidden promise", "nothing would be held against it"},
			with(`"upstream":[` + silent + `,{"when":"Fail","class":"R1"}]`), `the promise for "Fail" applies nowhere`},
		{row{"hidden by two", "each of which hides a part"},
			with(`"upstream":[{"when":"Fail","class":"A"},{"when":"Ignore","class":"A"},{"when":"mutating","class":"R1"}]`), "applies nowhere"},
		{row{"upstream hangs", "a run that does not return shows nothing"}, with(`"upstream":[` + hangs + `]`), "can only be recorded"},
		{row{"all hang", "what is left out is promised as well"}, with(`"recorded":true,"upstream":[` + hangs + `]`), "gatehouse may not have hung"},
		{row{"gatehouse hangs", "it is there to return"},
			with(`"recorded":true,"upstream":[` + silent + `],"default":[{"when":"validating/Ignore","class":"H"},` + silent + `]`),
			"validating/Ignore: gatehouse may not have hung"},
		{row{"gatehouse hangs if exact", "no option brings that back"},
			with(`"upstream":[` + silent + `],"exact":[` + hangs + `]`), "gatehouse exact: mutating/Fail: gatehouse may not have hung"},
		{row{"gatehouse panics", "panics are contained"}, with(`"upstream":[` + panics + `]`), "gatehouse may not have panicked"},
		{row{"no object", "what the object has become is what such a row is about"},
			with(`"upstream":[{"class":"A+"}]`), `class A+ and the object ""`},
		{row{"an object that does not change", "the class includes it"}, with(`"upstream":[{"class":"A","object":"{}"}]`), `class A and the object "{}"`},
		{row{"less than no time", "it would be true of any run on sockets"}, with(`"upstream":[{"class":"A","took":"-1s"}]`), "nothing takes -1s"},
	}, testLoadError)
}

func testLoadError(t *testing.T, tc loadCase) {
	file := filepath.Join(t.TempDir(), "faults.jsonl")
	if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(file); err == nil || !strings.Contains(err.Error(), tc.want) {
		t.Errorf("want an error with %q, got %v", tc.want, err)
	}
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
	p := Promise{Class: class}
	if class == "A+" {
		p.Object = "{}"
	}
	o, err := p.Outcome(c)
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
	got := map[harness.Side]string{}
	for _, side := range []harness.Side{harness.Upstream, harness.Gatehouse, harness.Exact} {
		got[side] = r.Promises(side)[0].Class
	}
	if diff := cmp.Diff(map[harness.Side]string{harness.Upstream: "A", harness.Gatehouse: "R1", harness.Exact: "A"}, got); diff != "" {
		t.Error(diff)
	}
}
