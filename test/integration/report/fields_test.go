package report

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	lines    = "document.querySelectorAll('[role=option]').length"
	contest  = `//div[@role='option'][contains(., 'cost-center')]`
	lineText = "document.activeElement.querySelector('code').innerText"
)

func readFields(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, pod(), "")
	v.wantText("#object", "example.com/generation: 9007199254740993", "- name: proxy", "overwritten in turns", "overwritten")
	v.do(chromedp.ScrollIntoView(chromedp.Search(contest)))
	v.click(contest)
	v.wantText(".inspector", "metadata.labels['example.com/cost-center']", "cc-42", "teams.example.com in round 1",
		"unassigned", "cost.finance.example.com", "Webhooks overwrote each other")
	want(v, "document.activeElement.getAttribute('aria-selected')", "true")
	v.picture("fields", false)

	v.press(kb.ArrowDown)
	want(v, lineText, "example.com/team: shop")
	v.wantText(".inspector", "metadata.labels['example.com/team']", "shop", "teams.example.com")
	v.press(kb.Home)
	want(v, lineText, "apiVersion: v1")

	// What an inspector says is linked to the call.
	v.do(chromedp.ScrollIntoView(chromedp.Search(contest)))
	v.click(contest)
	v.click("//aside//a[contains(., 'in round 1')]")
	v.wantText("dialog[open]", "teams.example.com", "mutating, round 1")
}

func filterFields(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, pod(), "")
	all := evaluate[int](v, lines)
	finance := "//div[@class='legend']//button[contains(., 'cost.finance')]"
	v.click(finance)
	// Its two fields, and the four lines that lead to them.
	want(v, lines, 6)
	v.click("//div[@class='legend']//button[contains(., 'overwritten in turns')]")
	want(v, lines, 8)
	want(v, "document.querySelectorAll('.legend [aria-pressed=true]').length", 2)
	v.click(finance)
	v.click("//div[@class='legend']//button[contains(., 'overwritten in turns')]")
	want(v, lines, all)
}
