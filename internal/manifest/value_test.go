package manifest_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestValue(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		input     io.Reader
		want, err string
	}
	text := func(s string) io.Reader { return strings.NewReader(s) }
	testtable.Run(t, []test{
		{row{"YAML", "as it is written on a command line"}, text("spec: {replicas: 3}"), `{"spec":{"replicas":3}}`, ""},
		{row{"JSON", "a list, as JSON patches are"}, text(`[{"op":"remove","path":"/a"}]`), `[{"op":"remove","path":"/a"}]`, ""},
		{row{"duplicate field", "a strict decoder has to notice"}, text("a: 1\na: 2\n"), `{"a":null,"a":2}`, ""},
		{row{"comments around it", "they are no documents"}, text("# a\n---\nb: c\n---\n# d\n"), `{"b":"c"}`, ""},
		{row{"nothing", "a variable that is not set"}, text(""), "", "patch: holds nothing"},
		{row{"comments", "a file that was cut off"}, text("# a\n"), "", "patch: holds nothing"},
		{row{"null", "it says nothing"}, text("null"), "", "patch: holds nothing"},
		{row{"two", "one would be lost"}, text("a: b\n---\nc: d\n"), "", "patch: holds 2 documents, but one is wanted"},
		{row{"not UTF-8", "binary data"}, text("\xff\xfe"), "", "patch: document 1 (line 1): the text is not UTF-8"},
		{row{"syntax", "with its line"}, text("a: b\n c: d\n"), "", "patch: document 1 (line 2): invalid YAML: mapping values are not allowed in this context"},
		{row{"too long", "nothing that could be sent is"}, text(strings.Repeat("a", 101)), "", "patch: has more than 100 bytes"},
		{row{"unreadable", "a disk that fails"}, iotest.ErrReader(errors.New("broken")), "", "patch: cannot be read: broken"},
	}, func(t *testing.T, tc test) {
		got, err := manifest.Value("patch", tc.input, 100)
		if string(got) != tc.want || testtable.Text(err) != tc.err {
			t.Errorf("%s:\n got %s, %v\nwant %s, %s", tc.Why(), got, err, tc.want, tc.err)
		}
	})
}
