package formats

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"

	"example.com/gatehouse/internal/testutil/testenv"
	"example.com/gatehouse/internal/testutil/testtable"
)

// xmllint returns a command that holds standard input against the schema, or
// skips the test.
func xmllint(t *testing.T) *exec.Cmd {
	t.Helper()
	const unpacked = "../../../bin/libxml2-utils/usr"
	path, err := exec.LookPath("xmllint")
	environment := os.Environ()
	if err != nil {
		path = unpacked + "/bin/xmllint"
		if _, err := os.Stat(path); err != nil {
			testenv.Missing(t, "there is no xmllint in the PATH, and none in bin/, where .ci/xmllint puts it")
		}
		libraries, err := filepath.Glob(unpacked + "/lib/*")
		if err != nil {
			t.Fatal(err)
		}
		environment = append(environment, "LD_LIBRARY_PATH="+strings.Join(libraries, ":"))
	}
	cmd := exec.CommandContext(t.Context(), path, "--nonet", "--noout", "--schema", "testdata/junit.xsd", "-")
	cmd.Env = environment
	return cmd
}

func TestJUnit(t *testing.T) {
	t.Parallel()
	xmllint(t) // or skip it before anything is produced
	testtable.Run(t, useCases(), func(t *testing.T, tc useCase) { lintXML(t, tc.produce(t, "junit")) })
}

func TestSuitesJUnit(t *testing.T) {
	t.Parallel()
	xmllint(t)
	testtable.Run(t, suiteCases(), func(t *testing.T, tc suiteCase) { lintXML(t, tc.produce(t, "junit")) })
}

// lintXML reports what the schema has against a text.
func lintXML(t *testing.T, text []byte) {
	t.Helper()
	cmd := xmllint(t)
	cmd.Stdin = bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s in\n%s", err, out, text)
	}
}

// TestJUnitRefuses what is not quite JUnit XML.
func TestJUnitRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`<testsuites/>`,
		`<testsuites tests="1" failures="0" errors="0"><testsuite name="" tests="0" failures="0" errors="0" skipped="0"/></testsuites>`,
		`<testsuites tests="1" failures="0" errors="0"><testsuite name="a" tests="0" failures="0" errors="0" skipped="0"><testcase name="a"><skipped/><failure/></testcase></testsuite></testsuites>`,
	} {
		cmd := xmllint(t)
		cmd.Stdin = strings.NewReader(text)
		if cmd.Run() == nil {
			t.Errorf("the schema takes %s", text)
		}
	}
}

// TestJUnitIsRead as it is meant, by a reader that is not gatehouse's.
func TestJUnitIsRead(t *testing.T) {
	t.Parallel()
	want := map[string]counts{
		"nothing wrong":       {passed: 3},
		"a must and a should": {passed: 4, failed: 1, skipped: 2},
		"hostile":             {passed: 3, failed: 1},
		"page":                {passed: 1, failed: 1},
		"unvisited":           {passed: 2, broken: 1, skipped: 1},
	}
	testtable.Run(t, useCases(), func(t *testing.T, tc useCase) {
		want, ok := want[tc.Name()]
		if !ok {
			t.Skip("how many checks there are is not said here")
		}
		if got := ingest(t, tc.produce(t, "junit")); got != want {
			t.Errorf("%s: got %+v, want %+v", tc.Why(), got, want)
		}
	})
}

// TestSuitesJUnitIsRead likewise.
func TestSuitesJUnitIsRead(t *testing.T) {
	t.Parallel()
	testtable.Run(t, suiteCases(), func(t *testing.T, tc suiteCase) {
		if got := ingest(t, tc.produce(t, "junit")); got != tc.want {
			t.Errorf("%s: got %+v, want %+v", tc.Why(), got, tc.want)
		}
	})
}

// counts are what a reader finds.
type counts struct{ passed, failed, broken, skipped int }

func ingest(t *testing.T, text []byte) counts {
	t.Helper()
	suites, err := junit.Ingest(text)
	if err != nil {
		t.Fatal(err)
	}
	var got counts
	for _, suite := range suites {
		got.passed, got.failed = got.passed+suite.Totals.Passed, got.failed+suite.Totals.Failed
		got.broken, got.skipped = got.broken+suite.Totals.Error, got.skipped+suite.Totals.Skipped
	}
	return got
}
