package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/report"
)

// step is something that is done in a tab.
type step = chromedp.Action[chromedp.Void]

// command is a step of the browser's protocol.
func command[P, R any](c cdp.Command[P, R], params P) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, c, params)
		return err
	})
}

// tab is a report in a tab of the browser. When its test ends, it fails the
// test for whatever a report must never do.
type tab struct {
	*testing.T
	ctx   context.Context
	width int64
	// home begins the addresses that the page may ask for. A report is one file.
	home string
	// tolerated is in the complaints that the test causes.
	tolerated string

	mu       sync.Mutex
	problems []string
}

// open writes a report and opens it, with a fragment that may be empty, after
// what else is to be done before.
func open(t *testing.T, browser context.Context, width int64, d *explain.Document, fragment string, before ...step) *tab {
	t.Helper()
	return visit(t, browser, width, "file://"+save(t, d), fragment, before...)
}

// visit opens the report at an address.
func visit(t *testing.T, browser context.Context, width int64, home, fragment string, before ...step) *tab {
	t.Helper()
	v := load(t, browser, width, home, fragment, before...)
	v.see("#title")
	return v
}

// load opens the page at an address.
func load(t *testing.T, browser context.Context, width int64, home, fragment string, before ...step) *tab {
	t.Helper()
	ctx, leave := chromedp.NewContext(browser)
	t.Cleanup(leave)
	ctx, stop := context.WithTimeout(ctx, patience)
	t.Cleanup(stop)
	v := &tab{T: t, ctx: ctx, width: width, home: home}
	if err := chromedp.Listen(ctx, v.watch); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.judge)
	v.do(command(log.Enable, cdp.Empty{}), command(network.Enable, network.EnableParams{}),
		command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 700,
		}))
	v.do(before...)
	v.do(chromedp.Navigate(v.home + fragment))
	return v
}

func save(t *testing.T, d *explain.Document) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "report.html")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := report.Write(file, d); err != nil {
		t.Fatal(err)
	}
	return name
}

// watch notes what a report must never do: ask for anything but itself,
// complain, fail, or run what a document says.
func (v *tab) watch(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if e.Request.URL != v.home && !strings.HasPrefix(e.Request.URL, v.home+"/") {
			v.problem("it asks for %s", e.Request.URL)
		}
	case *network.EventWebSocketCreated:
		v.problem("it connects to %s", e.URL)
	case *runtime.EventExceptionThrown:
		v.problem("an exception: %v", e.ExceptionDetails)
	case *runtime.EventConsoleAPICalled:
		v.problem("it writes to the console: %s %v", e.Type, e.Args)
	case *log.EventEntryAdded:
		v.problem("the browser complains: %s %s", e.Entry.Level, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		v.problem("it opens a dialog of the browser: %s", e.Message)
	}
}

func (v *tab) problem(format string, args ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.problems = append(v.problems, fmt.Sprintf(format, args...))
}

func (v *tab) judge() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, problem := range v.problems {
		if v.tolerated == "" || !strings.Contains(problem, v.tolerated) {
			v.Error(problem)
		}
	}
}

func (v *tab) do(steps ...step) {
	v.Helper()
	if err := chromedp.Do(v.ctx, steps...); err != nil {
		v.Fatal(err)
	}
}

// see waits until an element is visible, and gone until it is not there.
// Selectors are CSS, or XPath if they begin with a slash.
func (v *tab) see(selector string) {
	v.Helper()
	v.at(selector, chromedp.WaitVisible[chromedp.CSS], chromedp.WaitVisible[chromedp.Search])
}

func (v *tab) gone(selector string) {
	v.Helper()
	v.at(selector, chromedp.WaitNotPresent[chromedp.CSS], chromedp.WaitNotPresent[chromedp.Search])
}

func (v *tab) click(selector string) {
	v.Helper()
	v.at(selector, chromedp.Click[chromedp.CSS], chromedp.Click[chromedp.Search])
}

// query is a step for the element that a selector finds.
type query[S chromedp.Selectable] func(S, ...chromedp.QueryOption) step

func (v *tab) at(selector string, css query[chromedp.CSS], xpath query[chromedp.Search]) {
	v.Helper()
	found := css(chromedp.CSS(selector))
	if strings.HasPrefix(selector, "/") {
		found = xpath(chromedp.Search(selector))
	}
	if err := chromedp.Do(v.ctx, found); err != nil {
		v.Fatalf("%s: %v", selector, err)
	}
}

// enter types into an input, and choose chooses from a select.
func (v *tab) enter(selector, text string) {
	v.Helper()
	v.script(fmt.Sprintf("document.querySelector(%q).value = ''", selector))
	v.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

func (v *tab) choose(selector, value string) {
	v.Helper()
	v.script(fmt.Sprintf(`(() => {
		const select = document.querySelector(%q);
		select.value = %q;
		select.dispatchEvent(new Event('change'));
	})()`, selector, value))
}

// press presses keys, one after the other.
func (v *tab) press(keys ...string) {
	v.Helper()
	for _, key := range keys {
		v.do(chromedp.KeyEvent(key))
	}
}

// follow does what a link to a fragment does.
func (v *tab) follow(fragment string) {
	v.Helper()
	v.script(fmt.Sprintf("location.hash = %q", fragment))
}

// script runs a script in the page.
func (v *tab) script(text string) {
	v.Helper()
	if err := chromedp.Do(v.ctx, chromedp.Evaluate[chromedp.Void](text)); err != nil {
		v.Fatalf("%s: %v", text, err)
	}
}

// evaluate returns what an expression gives in the page.
func evaluate[T any](v *tab, expression string) T {
	v.Helper()
	got, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		v.Fatalf("%s: %v", expression, err)
	}
	return got
}

// want waits until an expression gives what it has to: the browser tells the
// page of some things, such as another colour scheme, with the next frame only.
func want[T comparable](v *tab, expression string, want T) {
	v.Helper()
	var got T
	if !v.soon(func() bool { got = evaluate[T](v, expression); return got == want }) {
		v.Errorf("%s is %v, want %v", expression, got, want)
	}
}

// wantText waits for an element and for texts in it.
func (v *tab) wantText(selector string, texts ...string) {
	v.Helper()
	v.see(selector)
	for _, text := range texts {
		var got string
		if !v.soon(func() bool {
			got = evaluate[string](v, fmt.Sprintf("document.querySelector(%q).innerText", selector))
			return strings.Contains(got, text)
		}) {
			v.Errorf("%s lacks %q:\n%s", selector, text, got)
		}
	}
}

// soon says whether something becomes true before it is no longer worth waiting
// for.
func (v *tab) soon(done func() bool) bool {
	for end := time.Now().Add(settling); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// overflowing finds what makes the page scroll sideways.
const overflowing = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5)
    .map((e) => e.outerHTML.slice(0, 120))`

// picture writes what is seen, all of it or what fits the window, and sees to
// it that nothing is wider than the window.
func (v *tab) picture(name string, whole bool) {
	v.Helper()
	for _, wide := range evaluate[[]string](v, overflowing) {
		v.Errorf("wider than the window of %d pixels: %s", v.width, wide)
	}
	want(v, "[...document.querySelectorAll('dialog[open]')].some((d) => d.scrollWidth > d.clientWidth)", false)
	take := chromedp.CaptureScreenshot()
	if whole {
		take = chromedp.FullScreenshot(100)
	}
	image, err := chromedp.Run(v.ctx, take)
	if err != nil {
		v.Fatal(err)
	}
	v.keep(fmt.Sprintf("%s-%d.png", name, v.width), image)
}

func (v *tab) keep(name string, content []byte) {
	v.Helper()
	folder := *screenshots
	if folder == "" {
		folder = v.ArtifactDir()
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		v.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
		v.Fatal(err)
	}
}
