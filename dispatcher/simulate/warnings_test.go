package simulate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// warningsRow is a sequence of warnings, and what a client sees of it.
type warningsRow struct {
	testtable.Row
	given []string
	want  []string
}

// TestWarningsInHeaders: the limits of S-301, one below, at and above each.
func TestWarningsInHeaders(t *testing.T) {
	t.Parallel()
	testtable.Run(t, slices.Concat(plainWarningRows(), cutWarningRows(), oddWarningRows()), func(t *testing.T, tc warningsRow) {
		w := &warnings{}
		for _, text := range tc.given {
			w.AddWarning("", text)
		}
		if diff := cmp.Diff(tc.want, w.sent()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// text returns n characters of two bytes each that begin with a letter.
func text(letter string, n int) string { return letter + strings.Repeat("é", n-1) }

// texts returns that many different ones of n characters each.
func texts(count, n int) []string {
	all := make([]string, count)
	for i := range all {
		all[i] = fmt.Sprintf("%03d", i) + strings.Repeat("é", n-3)
	}
	return all
}

func plainWarningRows() []warningsRow {
	return []warningsRow{
		{testtable.Row{"none", "no header is no warning"}, nil, nil},
		{testtable.Row{"empty", "a header without text is dropped"}, []string{"", "a", ""}, []string{"a"}},
		{testtable.Row{"repeated", "also when others come between"}, []string{"a", "b", "a", "b"}, []string{"a", "b"}},
		{testtable.Row{"long alone", "nothing is cut while there is room"}, []string{text("a", 4096)}, []string{text("a", 4096)}},
		{testtable.Row{"exactly full", "characters count, not bytes"}, []string{text("a", 4000), text("b", 96)}, []string{text("a", 4000), text("b", 96)}},
		{testtable.Row{"quotes", "they are escaped in the header, which clients undo, and count once"},
			[]string{strings.Repeat(`"`, 4096)}, []string{strings.Repeat(`"`, 4096)}},
	}
}

func cutWarningRows() []warningsRow {
	full := texts(16, 256)
	return []warningsRow{
		{testtable.Row{"too long alone", "it is what makes itself be cut"}, []string{text("a", 4097)}, []string{text("a", 256)}},
		{testtable.Row{"one too many", "those before it are cut with it"},
			[]string{text("a", 4000), "b", text("c", 96)}, []string{text("a", 256), "b", text("c", 96)}},
		{testtable.Row{"cut from then on", "256 stay, 257 do not"},
			[]string{text("a", 4097), text("b", 256), text("c", 257)}, []string{text("a", 256), text("b", 256), text("c", 256)}},
		{testtable.Row{"full again", "16 of 256 are all that there is room for"},
			append([]string{text("a", 4097)}, texts(20, 300)...), append([]string{text("a", 256)}, texts(15, 256)...)},
		{testtable.Row{"one before full again", "a warning that starts within the limit is kept whole"},
			append([]string{text("a", 4097)}, append(texts(14, 256), text("b", 255), text("c", 256), "d")...),
			append([]string{text("a", 256)}, append(texts(14, 256), text("b", 255), text("c", 256))...)},
		{testtable.Row{"full without cutting", "the one too many gets in, because the others have lost nothing"},
			append(slices.Clone(full), "x", "y"), append(slices.Clone(full), "x")},
		{testtable.Row{"same when cut", "that only their ends differ was worth a header each"},
			[]string{text("a", 4097), text("b", 256) + "1", text("b", 256) + "2"}, []string{text("a", 256), text("b", 256), text("b", 256)}},
		{testtable.Row{"same as one that was cut", "it is the whole text that must be new"},
			[]string{text("a", 4097), text("a", 256), text("a", 4097)}, []string{text("a", 256), text("a", 256)}},
	}
}

func oddWarningRows() []warningsRow {
	const broken = "\xff"
	return []warningsRow{
		{testtable.Row{"control characters", "no header can hold them"}, []string{"a\nb", "a\tb", "a\u0085b", "c"}, []string{"c"}},
		{testtable.Row{"no UTF-8", "no header can hold it"}, []string{"a" + broken, "c"}, []string{"c"}},
		{testtable.Row{"too long and no header", "what cannot be there takes no room"},
			[]string{text("a", 4096), text("b", 4097) + "\n"}, []string{text("a", 4096)}},
		{testtable.Row{"header once it is cut", "it had been given, and the cut takes away what was wrong"},
			[]string{text("a", 256) + "\n", text("b", 4097)}, []string{text("a", 256), text("b", 256)}},
		{testtable.Row{"no header when it is cut", "what is wrong is still there"},
			[]string{text("a", 4097), "\n" + text("b", 300)}, []string{text("a", 256)}},
		{testtable.Row{"no UTF-8 but cut", "cutting puts replacement characters there"},
			[]string{text("a", 4097), broken + text("b", 300), broken}, []string{text("a", 256), "\ufffd" + text("b", 255)}},
	}
}

// TestWarningsOfAgents: an agent's name has to fit into the header, too.
func TestWarningsOfAgents(t *testing.T) {
	t.Parallel()
	w := &warnings{}
	w.AddWarning("two words", "a")
	w.AddWarning("word", "a")
	w.AddWarning("word", "b")
	if diff := cmp.Diff([]string{"b"}, w.sent()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
