package dispatcher_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// row is what every row of every table has to say about itself.
type row struct{ name, why string }

func (r row) self() row { return r }

// runTable runs a table, and refuses rows without a unique name and a reason.
func runTable[C interface{ self() row }](t *testing.T, cases []C, run func(*testing.T, C)) {
	t.Helper()
	seen := map[string]bool{}
	for _, tc := range cases {
		r := tc.self()
		if r.name == "" || seen[r.name] || r.why == "" {
			t.Fatalf("row %q needs a unique name and a reason", r.name)
		}
		seen[r.name] = true
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			run(t, tc)
			if t.Failed() {
				t.Logf("why: %s", r.why)
			}
		})
	}
}

// text returns the whole text of an error, and the empty string for none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// matchFile compares a text with the file that holds what it should be.
func matchFile(t *testing.T, got string, path ...string) {
	t.Helper()
	file := filepath.Join(append([]string{"testdata"}, path...)...)
	if *update {
		writeFile(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; the flag -update makes the file", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func writeFile(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
