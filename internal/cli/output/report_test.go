package output

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

func TestReplace(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		prepare func(t *testing.T, path string)
		want    string // empty if it cannot be replaced
		left    int    // how many files there are then
	}
	write := func(t *testing.T, path string) {
		t.Helper()
		if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	testtable.Run(t, []test{
		{row{"new", "there was none"}, func(*testing.T, string) {}, "after", 1},
		{row{"old", "it is replaced"}, write, "after", 1},
		{row{"left behind", "a process that was killed must not be in the way"}, func(t *testing.T, path string) {
			t.Helper()
			write(t, tempName(path))
		}, "after", 1},
		{row{"folder", "it came into being meanwhile; nothing is left beside it"}, func(t *testing.T, path string) {
			t.Helper()
			if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "", 1},
	}, func(t *testing.T, tc test) {
		folder := t.TempDir()
		path := filepath.Join(folder, "report.html")
		tc.prepare(t, path)
		err := replace(path, []byte("after"))
		content, _ := os.ReadFile(path)
		if (err != nil) != (tc.want == "") || string(content) != tc.want {
			t.Errorf("error %v, content %q", err, content)
		}
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != tc.left {
			t.Errorf("error %v, %d files: %v", err, len(entries), entries)
		}
	})
}
