//go:build unix

package process

import (
	"errors"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestLines looks at the lines that become of what is written.
func TestLines(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("x", n) }
	const most = maxOutput - len("\n")
	type test struct {
		row
		written string
		want    []string
	}
	testtable.Run(t, []test{
		{row{"nothing", "there is no line then, not even an empty one"}, "", nil},
		{row{"lines", "each is written by itself, so that others can come between"}, "a\nb\n", []string{"a\n", "b\n"}},
		{row{"end of a line", "what is after the last newline was printed too, and others follow on a line of their own"}, "a\nb", []string{"a\n", "b\n"}},
		{row{"empty lines", "they are lines"}, "\n\na\n", []string{"\n", "\n", "a\n"}},
		{row{"bytes", "nothing is lost of what is not text"}, "\x00\xff\r\n\x1b", []string{"\x00\xff\r\n", "\x1b\n"}},
		{row{"longest line", "this is how long a line is"}, long(most-1) + "\nb\n", []string{long(most-1) + "\n", "b\n"}},
		{row{"just too long", "the newline that does not fit is no empty line"}, long(most) + "\nb\n", []string{long(most) + "\n", "b\n"}},
		{row{"too long", "memory is bounded, nothing is lost"}, long(2*most+5) + "\n\n", []string{long(most) + "\n", long(most) + "\n", "xxxxx\n", "\n"}},
	}, func(t *testing.T, tc test) {
		var got []string
		o := newOutput(writer(func(line string) { got = append(got, line) }), nil)
		write(t, o, tc.written)
		o.finish(time.Minute)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("lines (-want +got):\n%s", diff)
		}
	})
}

// write writes to a stream of an output, and closes it.
func write(t *testing.T, o *output, text string) {
	t.Helper()
	to, err := o.stream()
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if _, err := to.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// TestKept writes more than is kept.
func TestKept(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	o := newOutput(nil, nil)
	for i := range 50_000 {
		line := "line " + strconv.Itoa(i)
		all.WriteString(line + "\n")
		o.handleLine([]byte(line))
		if len(o.end) > 5*maxOutput+len(line) {
			t.Fatalf("after line %d there are %d bytes", i, len(o.end))
		}
	}
	got := o.String()
	if !strings.HasSuffix(all.String(), "\n"+got) || len(got) > maxOutput || len(got) < maxOutput-len("line 50000\n") {
		t.Errorf("%d bytes are kept: %q…", len(got), got[:min(len(got), 50)])
	}
	o.handleLine([]byte(strings.Repeat("x", maxOutput-1)))
	if got := o.String(); len(got) != maxOutput || got[0] != 'x' {
		t.Errorf("of a line as long as fits, %d bytes are kept", len(got))
	}
}

// TestMatch waits for a line that has a carriage return, which is not part of
// the match.
func TestMatch(t *testing.T) {
	t.Parallel()
	o := newOutput(nil, regexp.MustCompile("^ready$"))
	write(t, o, "not ready\nready\r\nready\n")
	o.finish(time.Minute)
	if !isClosed(o.matched) {
		t.Error("no line matched")
	}
}

// TestBrokenOutput has the receiver of the output fail: the command must not
// notice.
func TestBrokenOutput(t *testing.T) {
	t.Parallel()
	closed, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	wantStopped(t, start(t, Config{Exec: as("server"), Output: closed}))
}

// TestChatter has a command print more on both streams than fits in any buffer.
func TestChatter(t *testing.T) {
	t.Parallel()
	lines := map[string]int{}
	count := writer(func(line string) { lines[strings.Fields(line)[0]]++ })
	_, err := Start(t.Context(), Config{Exec: as("chatter"), Output: count})
	failed, ok := errors.AsType[*Error](err)
	if !ok || !strings.HasSuffix(failed.Printed, " 19999\n") {
		t.Errorf("got error %v", err)
	}
	if diff := cmp.Diff(map[string]int{"line": 20_000, "error": 20_000}, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
