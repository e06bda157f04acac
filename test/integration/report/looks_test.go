package report

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

const (
	ground = "getComputedStyle(document.body).backgroundColor"
	light  = "rgb(250, 250, 250)"
	dark   = "rgb(22, 24, 27)"
)

func prefers(scheme string) step {
	return command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// medium is "print", or empty for what it is without.
func medium(name string) step {
	return command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name})
}

func toggleTheme(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, pod(), "", prefers("light"))
	want(v, ground, light)
	v.do(prefers("dark"))
	want(v, ground, dark)
	want(v, "document.querySelector('.theme').getAttribute('aria-pressed')", "true")
	v.picture("report-dark", true)
	v.click(".theme")
	want(v, ground, light)
	v.do(prefers("light"))
	v.click(".theme")
	want(v, ground, dark)
	v.do(chromedp.Reload())
	v.see("#title")
	want(v, ground, dark)
	v.click(`a.call[href="#item-1/call-6"]`)
	v.see("dialog[open]")
	v.picture("call-dark", false)
	v.script("localStorage.clear()")
}

func toggleWithoutStorage(t *testing.T, browser context.Context, width int64) {
	refuse := command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})",
	})
	v := open(t, browser, width, pod(), "", prefers("light"), refuse)
	v.click(".theme")
	want(v, ground, dark)
	v.click(".theme")
	want(v, ground, light)
}

func printIt(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, pod(), "")
	closed := evaluate[int](v, "document.querySelectorAll('main details:not([open])').length")
	v.script("dispatchEvent(new Event('beforeprint'))")
	v.do(medium("print"))
	want(v, "document.querySelectorAll('main details:not([open])').length", 0)
	want(v, "document.querySelectorAll('#printed article').length", 8)
	v.wantText("#printed", "spec.containers[1].imagePullPolicy", `"patchType": "JSONPatch"`)
	v.wantText("#object", "was unassigned by cost.finance.example.com")
	want(v, ground, "rgb(255, 255, 255)")
	v.script("dispatchEvent(new Event('afterprint'))")
	v.do(medium(""))
	want(v, "document.querySelectorAll('main details:not([open])').length", closed)
	want(v, "document.querySelectorAll('#printed').length", 0)

	paper, err := chromedp.Run(v.ctx, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	v.keep(fmt.Sprintf("print-%d.pdf", width), paper)
	// The browser has told the page by itself, before and after.
	want(v, "document.querySelectorAll('#printed').length", 0)
}

func withoutScripts(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, pod(), "")
	v.reloadWithoutScripts()
	v.wantText(".plain", "CREATE pods prod/web-7d9f4c: denied", "limits.example.com of platform-limits rejected", "Webhooks that were not called: 8")
	v.picture("no-scripts", true)
}

// reloadWithoutScripts shows the page as a browser does that runs no scripts.
func (v *tab) reloadWithoutScripts() {
	v.Helper()
	v.do(command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	v.do(chromedp.Reload())
	v.see(".plain")
}
