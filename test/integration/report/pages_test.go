package report

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report"
)

// printed runs a command that prints a page, with files as its input, and returns the
// address of the page.
func printed(t *testing.T, cmd *cobra.Command, files ...string) string {
	t.Helper()
	return kept(t, output(t, cmd, files...))
}

// output returns the page that a command prints.
func output(t *testing.T, cmd *cobra.Command, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	cmd.SetArgs(append(files, "-o", "html"))
	cmd.SetOut(&out)
	cmd.SetErr(io.Discard)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	if err := cmd.Execute(); err != nil && !errors.Is(err, message.ErrDenied) {
		t.Fatal(err)
	}
	return out.Bytes()
}

// kept writes a page to a file and returns its address.
func kept(t *testing.T, page []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(name, page, 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + name
}

// written writes the page of some data.
func written(t *testing.T, write func(io.Writer, *report.Page) error, p *report.Page) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, p); err != nil {
		t.Fatal(err)
	}
	return kept(t, out.Bytes())
}

// input writes an input file with a name.
func input(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// size returns the length of the page at an address.
func size(t *testing.T, address string) int64 {
	t.Helper()
	info, err := os.Stat(strings.TrimPrefix(address, "file://"))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// checkLooks takes pictures of a page in both colour schemes, and checks the contrast of its
// texts.
func checkLooks(v *tab, name string) {
	v.Helper()
	for _, scheme := range []string{"dark", "light"} {
		v.do(prefers(scheme))
		want(v, ground, map[string]string{"dark": dark, "light": light}[scheme])
		for _, problem := range evaluate[[]string](v, contrasts) {
			v.Errorf("%s: %s", scheme, problem)
		}
		v.picture(name+"-"+scheme, false)
	}
}

// harmless checks that texts of the user became neither elements nor links.
func harmless(v *tab) {
	v.Helper()
	want(v, "document.querySelectorAll('.problem').length", 0)
	want(v, "document.scripts.length", 2)
	want(v, "document.images.length", 0)
	want(v, `/\u202e/.test(document.body.innerText)`, false) // it would turn what follows it
	want(v, "[...document.links].filter((a) => !/^(#|https:)/.test(a.getAttribute('href'))).length", 0)
	want(v, "document.body.innerText.includes('<img src=x onerror=alert(1)>')", true)
}
