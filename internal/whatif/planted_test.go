package whatif_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/replay"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/internal/whatif"
	"example.com/gatehouse/internal/whatif/changes"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// planted is a change of testdata/before.yaml.
type planted struct {
	row
	// edits are pairs of texts: each first one, which is once in the file, is
	// replaced by the second.
	edits []string
	// want are the causes, or the changes without effect if there are none.
	want []string
	// least is the least number of requests that end differently, so that the
	// corpus is known to exercise the change.
	least int
}

// TestPlanted: each change is the only cause of exactly the requests that end in
// another way, by a comparison of the results as text.
func TestPlanted(t *testing.T) {
	t.Parallel()
	text, entries := beforeText(t), requests(t)
	before := admitAll(t, text, entries)
	rows, effective := plantedChanges(), 0
	for _, tc := range rows {
		if tc.least > 0 {
			effective++
		}
	}
	if t.Logf("%d changes, %d of them with an effect", len(rows), effective); effective < 60 {
		t.Errorf("only %d changes have an effect", effective)
	}
	testtable.Run(t, rows, func(t *testing.T, tc planted) {
		after := edited(t, text, tc.edits)
		r := compare(t, text, after, entries)
		different := 0
		for i, now := range admitAll(t, after, entries) {
			if withNames(now, r.Changes) != before[i] {
				different++
			}
		}
		if r.Different != different || different < tc.least {
			t.Errorf("%s: %d requests differ, want %d, and at least %d", tc.Why(), r.Different, different, tc.least)
		}
		got := texts(r, r.Unused())
		if different > 0 {
			got = causes(r)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
		if len(r.Causes) == 1 && r.Causes[0].Requests != different {
			t.Errorf("%s: the cause has %d requests of %d", tc.Why(), r.Causes[0].Requests, different)
		}
	})
}

// causes returns the texts of the causes, sorted; of several changes joined.
func causes(r *whatif.Report) []string {
	var all []string
	for _, c := range r.Causes {
		all = append(all, strings.Join(texts(r, c.Changes), " + "))
	}
	slices.Sort(all)
	return all
}

func texts(r *whatif.Report, indexes []int) []string {
	var all []string
	for _, i := range indexes {
		all = append(all, r.Changes[i].Text)
	}
	return all
}

func beforeText(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/before.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// edited replaces texts that are once in a text.
func edited(t testing.TB, text string, edits []string) string {
	t.Helper()
	for i := 0; i < len(edits); i += 2 {
		if strings.Count(text, edits[i]) != 1 {
			t.Fatalf("%q is %d times in the file", edits[i], strings.Count(text, edits[i]))
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	return text
}

// admitAll returns how requests end, as text.
func admitAll(t testing.TB, text string, entries []*corpus.Entry) []string {
	t.Helper()
	engine, err := cached(builder(shop))(setOf(t, text).Documents())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		o, err := engine.Admit(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, textOf(t, o.Result))
	}
	return all
}

// index is the number of a call in the key of an annotation.
var index = regexp.MustCompile(`_index_[0-9]+`)

// textOf returns a result as text: without the object of a denied request, and without
// the order of the calls that are made at the same time.
func textOf(t testing.TB, result *replay.Result) string {
	t.Helper()
	r := *result
	r.Calls = slices.Clone(r.Calls)
	if !r.Allowed {
		r.Object = nil
	}
	key := func(c replay.Call) string { return c.Phase + c.Configuration + c.Webhook }
	slices.SortStableFunc(r.Calls, func(a, b replay.Call) int {
		if a.Phase != "validating" || b.Phase != "validating" {
			return 0
		}
		return strings.Compare(key(a), key(b))
	})
	text, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	return index.ReplaceAllString(string(text), "")
}

// withNames returns a result with the names before of what was renamed, where results
// have names of webhooks and policies.
func withNames(text string, all []changes.Change) string {
	for _, c := range all {
		if c.Kind != changes.Renamed {
			continue
		}
		for _, form := range []string{
			`"configuration":"%s"`, `"webhook":"%s"`, `"policy":"%s"`, `\"configuration\":\"%s\"`,
		} {
			text = strings.ReplaceAll(text, fmt.Sprintf(form, c.NameAfter), fmt.Sprintf(form, c.NameBefore))
		}
	}
	return text
}

func setOf(t testing.TB, text string) *changes.Set {
	t.Helper()
	set, err := changes.Read(changes.Files{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func compare(t testing.TB, before, after string, entries []*corpus.Entry) *whatif.Report {
	t.Helper()
	r, err := whatif.Run(t.Context(), &whatif.Options{
		Before: setOf(t, before), After: setOf(t, after), Build: cached(builder(shop)),
		Entries: all(entries), Parallel: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func all(entries []*corpus.Entry) iter.Seq2[*corpus.Entry, error] {
	return func(yield func(*corpus.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}
