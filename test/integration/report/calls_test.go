package report

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func openByClick(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, pod(), "")
	v.wantText("main", "Denied", "CREATE pods prod/web-7d9f4c", `container "web" has no memory limit`,
		"Mutating, round 0", "Mutating, round 1", "Validating", "one after the other", "at once")
	v.picture("report", true)

	v.click(`a.call[href="#item-1/call-2"]`)
	v.wantText("dialog[open]", "sidecar.mesh.example.com", "allowed, 2 changes",
		"TLS handshake", "spec.containers[1]", "image: registry.example.com/mesh/proxy:1.27",
		"spec.containers[1].imagePullPolicy", "the annotation mesh.example.com/inject is deprecated",
		"template", "10.96.14.2:443", "TLS 1.3", "/spec/containers/-")
	want(v, "location.hash", "#item-1/call-2")
	want(v, "document.querySelectorAll('dialog pre').length", 0)
	v.picture("call", false)

	v.click("//dialog//summary[text()='Response']")
	v.wantText("dialog pre", `"patchType": "JSONPatch"`)

	v.click("//dialog//a[text()='Next']")
	v.wantText("dialog #dialog-heading", "cost.finance.example.com")
	v.click("//dialog//button[text()='Close']")
	v.gone("dialog[open]")
	want(v, "location.hash", "#item-1")
	want(v, "document.activeElement.getAttribute('href')", "#item-1/call-3")
}

func openByKeyboard(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, pod(), "")
	tabTo(v, "document.activeElement.matches('a.call')")
	want(v, "getComputedStyle(document.activeElement).outlineStyle", "solid")
	v.press(kb.ArrowDown)
	v.press(kb.ArrowDown)
	v.press(kb.ArrowUp)
	want(v, "document.activeElement.getAttribute('href')", "#item-1/call-2")
	v.press(kb.End)
	want(v, "document.activeElement.getAttribute('href')", "#item-1/call-8")
	v.press(kb.Home)
	v.press(kb.Enter)
	v.wantText("dialog[open]", "teams.example.com", "metadata.labels['example.com/team']")
	want(v, "document.activeElement.closest('dialog') !== null", true)
	v.press(kb.Escape)
	v.gone("dialog[open]")
	// The browser gives the focus back at once; the page, which is told later, moves it too.
	want(v, "location.hash", "#item-1")
	want(v, "document.activeElement.getAttribute('href')", "#item-1/call-1")

	// The list is one stop, so the next one is behind it.
	v.press(kb.Tab)
	want(v, "document.activeElement.matches('a.call')", false)
}

// tabTo presses Tab until an expression is true.
func tabTo(v *tab, expression string) {
	v.Helper()
	for range 40 {
		v.press(kb.Tab)
		if evaluate[bool](v, expression) {
			return
		}
	}
	v.Fatalf("Tab never leads to where %s", expression)
}

func openSkipped(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, pod(), "")
	v.click(`//main//table//a[contains(., 'egress.network.example.com')]`)
	v.wantText("dialog[open]", "matchConditions", "Nearest miss", "has-egress", "false", "!request.userInfo.username.startsWith('system:node:')")
	v.picture("skipped", false)
}

func followLink(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, several(), "#item-8/call-6")
	v.wantText("dialog #dialog-heading", "limits.example.com")
	v.wantText("main h1", "CREATE pods prod/web-7d9f4c")
	v.press(kb.Escape)
	v.gone("dialog[open]")
	want(v, "location.hash", "#item-8")

	// The browser tells the page that the dialog is closed after the reader has
	// followed the next link.
	v.follow("#item-8/call-6")
	v.see("dialog[open]")
	v.script("document.querySelector('dialog').close(); location.hash = '#item-9'")
	v.see("//h1[contains(., 'DELETE deployments')]")
	v.wantText("main", "ended before any webhook")
	v.do(chromedp.NavigateBack())
	v.see("//h1[contains(., 'CREATE pods')]")
	v.follow("#item-77/call-1")
	v.see("//h1[text()='Overview']")
	v.follow("#%zz")
	want(v, "document.querySelector('h1').textContent", "Overview")
}
