package faults

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/offline/inject"
	"example.com/gatehouse/test/faultserver"
)

// TestPrintedScripts: what `gatehouse faults NAME` prints is what --inject
// reads, and means the same.
func TestPrintedScripts(t *testing.T) {
	t.Parallel()
	for _, f := range faultserver.Named() {
		var text bytes.Buffer
		cmd := New()
		cmd.SetArgs([]string{f.Name})
		cmd.SetOut(&text)
		if err := cmd.Execute(); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		got, err := faultserver.Parse(text.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if diff := cmp.Diff(f.Script, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
	}
}

func TestFaultTable(t *testing.T) {
	t.Parallel()
	got := string(faultTable([]faultserver.Fault{{Name: "b", Summary: "first"}, {Name: "longer", Summary: "second"}}))
	if want := "b       first\nlonger  second\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDocumentedFaults keeps the names in the documents to those that there
// are.
func TestDocumentedFaults(t *testing.T) {
	t.Parallel()
	injected := regexp.MustCompile(`--inject [a-z0-9./-]+=([a-z0-9-]+)`)
	for file, pattern := range map[string]*regexp.Regexp{
		"../../../docs/tutorials/not-called.md": injected,
		"../../../docs/faults.md":               regexp.MustCompile(injected.String() + "|[|,] `([a-z0-9-]+)`"),
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		mentioned := pattern.FindAllSubmatch(text, -1)
		if len(mentioned) == 0 {
			t.Errorf("%s mentions no fault", file)
		}
		for _, m := range mentioned {
			if _, err := inject.Fault(string(bytes.Join(m[1:], nil))); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}
