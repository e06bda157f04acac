package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestMain requires that the busy loops have ended.
func TestMain(m *testing.M) { leaktest.Main(m) }

// Tests that fail in their first run, in every run, and never.
const (
	once = `package once
import ("os"; "testing")
func TestOnce(t *testing.T) {
	t.Run("sub test", func(t *testing.T) {
		if os.Mkdir("ran", 0o700) == nil { t.Error("the first time") }
	})
}
func TestGood(t *testing.T) {}`
	panics = `package panics
import "testing"
func TestMain(*testing.M) { panic("no test is run") }`
	good = `package good
import "testing"
func TestGood(t *testing.T) {}`
)

// module writes a module and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files["go.mod"] = "module example.org/m\n"
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFlaky(t *testing.T) {
	t.Parallel()
	root := module(t, map[string]string{
		"once/once_test.go": once, "panics/panics_test.go": panics, "good/good_test.go": good,
		"broken/broken_test.go": "package broken\nvar a = b", "untested/untested.go": "package untested",
	})
	var out, said bytes.Buffer
	err := execute(t.Context(), []string{"-runs=3", root}, &out, &said)
	if testtable.Text(err) != "3 of 4 packages failed" {
		t.Errorf("error %v", err)
	}
	const want = `PACKAGE RUNS FAILED TESTS
example.org/m/broken 1 1 go: exit status 1 (1)
example.org/m/good 3 0 none
example.org/m/once 3 1 TestOnce (1), TestOnce/sub_test (1)
example.org/m/panics 3 3 panics.test: exit status 2 (3)
`
	var got strings.Builder
	for line := range strings.Lines(out.String()) {
		got.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
	for _, part := range []string{"-test.shuffle ", "the first time", "undefined: b"} {
		if !strings.Contains(said.String(), part) {
			t.Errorf("%q is not in what is said:\n%s", part, &said)
		}
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	type row struct {
		testtable.Row
		arguments []string
		err       string
	}
	root := module(t, map[string]string{"good/good_test.go": good, "panics/panics_test.go": panics})
	testtable.Run(t, []row{
		{testtable.Row{"some", "a developer works on one of them"}, []string{"-runs=1", "-packages=m/good$", root}, ""},
		{testtable.Row{"none", "a mistake in a pattern is not a run without failures"}, []string{"-packages=bad", root}, "-packages selects no package with tests"},
		{testtable.Row{"bad pattern", "nor is this"}, []string{"-packages=(", root}, "-packages: error parsing regexp: missing closing ): `(`"},
		{testtable.Row{"help", "it is no error"}, []string{"-help"}, ""},
	}, func(t *testing.T, tc row) {
		if err := execute(t.Context(), tc.arguments, &bytes.Buffer{}, &bytes.Buffer{}); testtable.Text(err) != tc.err {
			t.Errorf("got error %v, want %s", err, tc.err)
		}
	})
}

// TestInterrupt interrupts a test that would not end, and holds a connection as
// long as it runs.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	root := module(t, map[string]string{"endless/endless_test.go": `package endless
import ("net"; "testing")
func TestEndless(t *testing.T) {
	c, err := net.Dial("tcp", "` + listener.Addr().String() + `")
	if err != nil { t.Fatal(err) }
	_, _ = c.Read(make([]byte, 1))
}`})
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	ended := make(chan error, 1)
	go func() {
		ended <- execute(ctx, []string{root}, &bytes.Buffer{}, &bytes.Buffer{})
		_ = listener.Close() // a test that does not come to connect is not waited for
	}()
	connection, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	interrupt()
	if err := <-ended; !errors.Is(err, errInterrupted) {
		t.Errorf("error %v, want %v", err, errInterrupted)
	}
	if n, err := connection.Read(make([]byte, 1)); err == nil {
		t.Errorf("the test has sent %d bytes", n)
	}
}
