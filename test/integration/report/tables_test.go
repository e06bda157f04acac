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
	v.wantText("main", "9 requests", "7 admitted", "2 denied", "Requests", "Slowest webhooks", "Latencies of calls")
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

// brokenWords are the words of the page that continue on another line.
const brokenWords = `(() => {
	const broken = [];
	const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const text = texts.currentNode;
		for (const word of text.data.matchAll(/[A-Za-z]{2,}/g)) {
			const range = document.createRange();
			range.setStart(text, word.index);
			range.setEnd(text, word.index + word[0].length);
			if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) broken.push(word[0]);
		}
	}
	return broken.join(' ');
})()`

func readWords(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, several(), "")
	v.see("#slowest")
	want(v, brokenWords, "")
	v.follow("#item-8")
	v.see("#skipped")
	want(v, brokenWords, "")
}

func seeInjected(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, pod(), "")
	v.wantText("#timeline", "injected: refuse")
	want(v, "document.querySelectorAll('#timeline .chip').length", 1)
	want(v, "document.querySelectorAll('.call-bar.injected').length", 1)
}

// sameColumns: the columns on the right have the same place in both tables of
// the overview.
func sameColumns(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, several(), "")
	v.see("#slowest")
	left := func(table, label string) int {
		return evaluate[int](v, "Math.round([...document.querySelectorAll('"+table+" th')].find((th) => th.textContent === '"+label+"').getBoundingClientRect().left)")
	}
	if width > 700 && left("#requests", "Took") != left("#slowest", "Slowest") {
		t.Errorf("the columns begin at %d and %d", left("#requests", "Took"), left("#slowest", "Slowest"))
	}
}
