package manifest

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzSplit checks that pieces loses nothing: what is not in a piece is a
// separator, a blank line, a comment or a byte order mark.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"a\n---\nb", "--- a\n--- b", "...\n... a", "---", "\ufeff---\r\na\r\n---\r\n", "\ufeff\ufeff", "# a\n---\n\n", "a\n---b\n---\t#\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var got []byte
		for in := newInput(bytes.NewReader(input)); ; {
			p, err := in.piece(maxPiece)
			if err != nil {
				t.Fatal(err)
			}
			if p.start == 0 {
				break
			}
			if p.start < p.first || p.first < 1 {
				t.Fatalf("a piece from line %d starts on line %d", p.first, p.start)
			}
			got = append(append(got, p.content...), '\n')
		}
		if want, got := meaning(input, "\ufeff"), meaning(got, ""); want != got {
			t.Errorf("of %q the pieces hold %q", want, got)
		}
	})
}

// meaning returns the lines of a text that are not for splitters to drop,
// without the mark that each may begin with.
func meaning(text []byte, mark string) string {
	var kept []string
	for line := range strings.SplitSeq(string(text), "\n") {
		line = strings.TrimSuffix(strings.TrimPrefix(line, mark), "\r")
		if blank([]byte(line)) || separates([]byte(line)) && blank([]byte(line[3:])) {
			continue
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}
