package whatif_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/dispatcher/corpus"
)

// TestTogether plants several changes at once. The causes of a request are right if
// without them it ends as before, and if each of them is needed for that: the texts of
// the files are edited again without the changes, so that nothing of package changes
// is used.
func TestTogether(t *testing.T) {
	t.Parallel()
	text, entries := beforeText(t), requests(t)
	before := admitAll(t, text, entries)
	random := rand.New(rand.NewPCG(3, 4))
	checked := 0
	for range 6 {
		rows := compatible(text, random, 5)
		after := admitAll(t, with(t, text, rows), entries)
		for i, e := range entries {
			if i%6 != 0 || after[i] == before[i] {
				continue
			}
			checked++
			found := causesOf(t, text, rows, e)
			without := func(left []planted) string {
				return admitAll(t, with(t, text, left), []*corpus.Entry{e})[0]
			}
			rest := slices.DeleteFunc(slices.Clone(rows), func(r planted) bool { return contains(found, r) })
			if without(rest) != before[i] {
				t.Errorf("%s: without %v of %v it does not end as before", e.ID, names(found), names(rows))
			}
			for _, one := range found {
				if without(append(slices.Clone(rest), one)) == before[i] {
					t.Errorf("%s: %s is no cause among %v", e.ID, one.Name(), names(rows))
				}
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d requests ended in another way", checked)
	}
}

// compatible returns planted changes of one cause that can be made together, without
// those of names, which other files mention.
func compatible(text string, random *rand.Rand, count int) []planted {
	var chosen []planted
	all := plantedChanges()
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, row := range all {
		if len(chosen) == count {
			break
		}
		if row.least == 0 || len(row.want) > 1 || strings.Contains(row.want[0], "renamed") {
			continue
		}
		after := text
		apart := true
		for _, r := range append(slices.Clone(chosen), row) {
			for i := 0; i < len(r.edits); i += 2 {
				apart = apart && strings.Count(after, r.edits[i]) == 1
				after = strings.Replace(after, r.edits[i], r.edits[i+1], 1)
			}
		}
		subject, _, _ := strings.Cut(row.want[0], ": ")
		for _, r := range chosen {
			other, _, _ := strings.Cut(r.want[0], ": ")
			apart = apart && subject != other
		}
		if apart {
			chosen = append(chosen, row)
		}
	}
	return chosen
}

// with returns the text with all edits of the rows.
func with(t testing.TB, text string, rows []planted) string {
	for _, r := range rows {
		text = edited(t, text, r.edits)
	}
	return text
}

// causesOf returns the rows whose changes are the causes of one request.
func causesOf(t *testing.T, text string, rows []planted, e *corpus.Entry) []planted {
	t.Helper()
	r := compare(t, text, with(t, text, rows), []*corpus.Entry{e})
	var found []planted
	for _, c := range r.Causes {
		if len(c.Changes) == 0 {
			t.Errorf("%s: no cause was found", e.ID)
		}
		for _, changed := range texts(r, c.Changes) {
			i := slices.IndexFunc(rows, func(row planted) bool { return row.want[0] == changed })
			if i < 0 {
				t.Fatalf("%s: %q is none of %v", e.ID, changed, names(rows))
			}
			if !contains(found, rows[i]) {
				found = append(found, rows[i])
			}
		}
	}
	return found
}

func contains(rows []planted, one planted) bool {
	return slices.ContainsFunc(rows, func(r planted) bool { return r.Name() == one.Name() })
}

func names(rows []planted) []string {
	var all []string
	for _, r := range rows {
		all = append(all, r.Name())
	}
	return all
}
