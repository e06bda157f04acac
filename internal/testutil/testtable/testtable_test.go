package testtable_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// numbered is a row with a column.
type numbered struct {
	row
	n int
}

// recorder is a test that has somewhere to fail. Its Fatalf ends the goroutine,
// as a test's own does.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestChecked(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		rows []numbered
		want string
	}
	testtable.Run(t, []test{
		{row{"in order", "what is in order must not be refused"},
			[]numbered{{row{"a", "why"}, 1}, {row{"b", "why"}, 2}}, ""},
		{row{"no rows", "a function that makes rows may make none, and the test would pass"}, nil, "the table has no rows: it tests nothing"},
		{row{"name twice", "a report names one row only"},
			[]numbered{{row{"a", "why"}, 1}, {row{"b", "why"}, 2}, {row{"a", "another"}, 3}}, `row "a" needs a unique name and a reason`},
		{row{"no name", "it could not be selected with -run"},
			[]numbered{{row{"", "why"}, 1}}, `row "" needs a unique name and a reason`},
		{row{"no reason", "the reader would not know what it protects"},
			[]numbered{{row{"a", "why"}, 1}, {row{"b"}, 2}}, `row "b" needs a unique name and a reason`},
	}, func(t *testing.T, tc test) {
		r := &recorder{}
		var got []numbered
		done := make(chan struct{})
		go func() {
			defer close(done)
			got = testtable.Checked(r, tc.rows)
		}()
		<-done
		if r.failure != tc.want {
			t.Errorf("failed with %q, want %q", r.failure, tc.want)
		}
		if tc.want == "" && len(got) != len(tc.rows) {
			t.Errorf("got %d rows, want %d", len(got), len(tc.rows))
		}
	})
}

// failing makes TestRun run a table with two failing rows.
const failing = "GATEHOUSE_FAILING_TABLE"

// TestRun looks at the report of another process, because a table that fails
// would take this test with it.
func TestRun(t *testing.T) {
	t.Parallel()
	if os.Getenv(failing) != "" {
		testtable.Run(t, []numbered{
			{row{"good", "it passes"}, 0}, {row{"bad", "it is fatal"}, 1}, {row{"late", "it fails at the end"}, 2},
		}, func(t *testing.T, r numbered) {
			switch r.n {
			case 1:
				t.Fatal("on purpose")
			case 2:
				t.Cleanup(func() { t.Error("on purpose") })
			}
		})
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRun$", "-test.v")
	cmd.Env = append(os.Environ(), failing+"=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("the table did not fail: %v\n%s", err, out)
	}
	for line, want := range map[string]bool{
		"--- PASS: TestRun/good":   true,
		"--- FAIL: TestRun/bad":    true,
		"=== PAUSE TestRun/bad":    true,
		"why: it is fatal":         true,
		"why: it fails at the end": true,
		"why: it passes":           false,
	} {
		if strings.Contains(string(out), line) != want {
			t.Errorf("%q is in the report: %t, want %t\n%s", line, !want, want, out)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	if got := testtable.Text(nil) + testtable.Text(errors.New("it broke")); got != "it broke" {
		t.Errorf("got %q", got)
	}
}
