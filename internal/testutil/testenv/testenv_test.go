package testenv

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// recorder is a testing.TB that records how the test ended.
type recorder struct {
	testing.TB
	end string
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return "TestIt/part" }

func (r *recorder) Fatalf(format string, args ...any) {
	r.end = "failed: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Skip(args ...any) {
	r.end = "skipped: " + fmt.Sprint(args...)
	runtime.Goexit()
}

// TestEnds ends tests in both ways, in CI and elsewhere.
func TestEnds(t *testing.T) {
	type row struct {
		testtable.Row
		ci        string
		end       func(testing.TB, any)
		want      string
		wantNotes string
	}
	const noted = "TestIt/part: no kubectl\nTestIt/part: no kubectl\n"
	// One after the other, because the environment is the process's.
	for _, r := range testtable.Checked(t, []row{
		{testtable.Row{"missing", "a developer need not have everything"}, "", Missing, "skipped: no kubectl", noted},
		{testtable.Row{"missing in CI", "a check that was not made is not seen to have passed"}, "1", Missing, "failed: no kubectl (with GATEHOUSE_CI=1 nothing may be missing)", ""},
		{testtable.Row{"optional", "CI has no more to say of it"}, "", Optional, "skipped: no kubectl", noted},
		{testtable.Row{"optional in CI", "nor there"}, "1", Optional, "skipped: no kubectl", noted},
	}) {
		t.Run(r.Name(), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "skipped")
			t.Setenv(ci, r.ci)
			for _, name := range []string{"", file, file} {
				t.Setenv(skipped, name)
				if got := endOf(r.end); got != r.want {
					t.Errorf("got %q, want %q", got, r.want)
				}
			}
			if notes, _ := os.ReadFile(file); string(notes) != r.wantNotes {
				t.Errorf("noted %q, want %q", notes, r.wantNotes)
			}
		})
	}
}

// endOf returns how a test ends that lacks kubectl.
func endOf(end func(testing.TB, any)) string {
	r := &recorder{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		end(r, "no kubectl")
	}()
	<-done
	return r.end
}

// TestUnwritable: a test is not skipped if the reason cannot be written.
func TestUnwritable(t *testing.T) {
	folder := t.TempDir()
	t.Setenv(skipped, folder)
	if got, want := endOf(Optional), "failed: GATEHOUSE_SKIPPED: open "+folder+": is a directory"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
