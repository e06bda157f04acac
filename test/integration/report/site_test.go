package report

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// readDocumentation opens each page of the documentation.
func readDocumentation(t *testing.T, browser context.Context, width int64) {
	site := filepath.Join(t.TempDir(), "site")
	command := exec.CommandContext(t.Context(), "go", "run", ".", "-source=../..", "-o="+site)
	command.Dir = "../../../tools/site"
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	v := load(t, browser, width, "file://"+site, "/index.html", prefers("light"))
	v.wantText("main", "gatehouse runs the admission webhook phase")
	v.picture("site", false)
	opened := 0
	err := fs.WalkDir(os.DirFS(site), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") {
			return err
		}
		opened++
		v.do(chromedp.Navigate(v.home + "/" + path))
		for _, wide := range evaluate[[]string](v, overflowing) {
			v.Errorf("%s is wider than the window of %d pixels: %s", path, v.width, wide)
		}
		return nil
	})
	if err != nil || opened < 40 {
		t.Errorf("%d pages, %v", opened, err)
	}
}
