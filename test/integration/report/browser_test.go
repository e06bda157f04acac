package report

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"example.com/gatehouse/internal/testutil/testenv"
)

var screenshots = flag.String("screenshots", "", "the folder for pictures; the default is each test's own")

// patience is how long one test may take, on a machine that does other things
// too.
const patience = 90 * time.Second

// settling is how long a page may take to become what it has to be.
const settling = 2 * time.Minute

// executable finds a browser, or skips the test.
func executable(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	testenv.Missing(t, "there is no chromium, chromium-browser or google-chrome in the PATH")
	return ""
}

// start starts a browser that ends with the test.
func start(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(executable(t)),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("font-render-hinting", "none"),
	)
	if os.Geteuid() == 0 {
		// Chromium's sandbox does not work for root, who runs containers.
		options = append(options, chromedp.NoSandbox)
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, leave := chromedp.NewContext(allocated)
	t.Cleanup(leave)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	return ctx
}
