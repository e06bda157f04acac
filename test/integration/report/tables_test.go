package report

import (
	"context"
	"testing"
)

const shownRows = "document.querySelectorAll('#skipped tbody tr').length"

func filterSkipped(t *testing.T, browser context.Context, width int64) {
	const text, stage, pass = "#skipped input", "#skipped select[aria-label*=stage]", "#skipped select[aria-label*=pass]"
	v := open(t, browser, width, pod(), "")
	v.wantText("#skipped", "digests.images.example.com", "no rule matches", "rules[0] lists deployments", "8 of 8 shown")
	want(v, shownRows, 8)
	v.enter(text, "VAULT")
	want(v, shownRows, 2)
	v.choose(stage, "namespaceSelector")
	want(v, shownRows, 1)
	v.wantText("#skipped", "1 of 8 shown", "namespace prod lacks the label vault=enabled")
	v.enter(text, " ")
	v.choose(stage, "")
	v.choose(pass, "Validating")
	want(v, shownRows, 2)
	want(v, "document.querySelectorAll('#skipped tbody a[tabindex=\"0\"]').length", 1)
}

func readOverview(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, several(), "")
	v.wantText("main", "9 requests", "7 admitted", "2 denied", "Who was denied by whom", "Slowest webhooks", "Latencies of calls")
	v.wantText("#requests", "CREATE pods prod/web-7d9f4c", "limits.example.com")
	want(v, "document.querySelectorAll('#requests tbody tr').length", 9)
	want(v, "document.querySelectorAll('#slowest tbody tr').length", 10)
	want(v, "[...document.querySelectorAll('.histogram .n')].reduce((sum, n) => sum + Number(n.textContent), 0)", 64)
	v.picture("overview", true)
	v.click("//section[@id='requests']//a[contains(., 'web-7d9f4c')]")
	v.see("//h1[contains(., 'web-7d9f4c')]")
	want(v, "location.hash", "#item-8")
	want(v, "document.querySelector('nav [aria-current]').getAttribute('href')", "#item-8")
	want(v, "document.activeElement.id", "title")
	v.picture("one-of-several", false)
}
