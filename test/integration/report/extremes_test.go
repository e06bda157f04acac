package report

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/reportsample"
)

// soon is far more than it takes where nothing else runs, and less than a page
// that hangs.
const soon = 30 * time.Second

func openLarge(t *testing.T, browser context.Context, width int64) {
	d := reportsample.Many(20, 200)
	begin := time.Now()
	v := open(t, browser, width, d, "")
	v.wantText("main", "20 requests")
	v.follow("#item-20/call-60")
	v.wantText("dialog[open]", "hook-177.example.com")
	if took := time.Since(begin); took > soon {
		t.Errorf("a large report took %v", took)
	}
	if nodes := evaluate[int](v, "document.querySelectorAll('*').length"); nodes > 8000 {
		t.Errorf("there are %d elements in the page: it renders what is not shown", nodes)
	}
	v.picture("large", false)
}

func openHostile(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, reportsample.Document(reportsample.Hostile(), reportsample.Small()), "")
	v.picture("hostile-overview", true)
	for _, fragment := range []string{"#item-1", "#item-1/call-1", "#item-1/skip-1"} {
		v.follow("" + fragment + "")
		v.see("//h1[contains(., '<script>alert(1)')]")
		v.script("document.querySelectorAll('summary').forEach((s) => s.parentElement.open || s.click())")
		want(v, "document.querySelectorAll('.problem').length", 0)
		want(v, `/\u202e/.test(document.body.innerText)`, false) // it would turn what follows it
		want(v, "document.scripts.length", 2)
		// The field is found by its path, however hard that is to read.
		want(v, "document.querySelectorAll('.line.hue-0 .value').length", 1)
		want(v, "document.images.length", 0)
		want(v, "[...document.links].every((a) => a.getAttribute('href').startsWith('#'))", true)
	}
	v.picture("hostile", false)
	v.script("dispatchEvent(new Event('beforeprint'))")
	want(v, "document.querySelectorAll('.problem').length", 0)
}

func openEmpty(t *testing.T, browser context.Context, width int64) {
	bare := explain.Round{Webhooks: []explain.Webhook{{Called: true}, {}}}
	for _, d := range []*explain.Document{
		reportsample.Document(),
		reportsample.Document(&explain.Explanation{}),
		reportsample.Document(nil, reportsample.Small(), &explain.Explanation{Rounds: []explain.Round{bare}}),
	} {
		v := open(t, browser, width, d, "")
		want(v, "document.querySelectorAll('.problem').length", 0)
		v.follow("#item-2/call-1")
		v.follow("#item-2/skip-1")
		want(v, "document.querySelectorAll('.problem').length", 0)
	}
}

func openDeep(t *testing.T, browser context.Context, width int64) {
	e := reportsample.Pod()
	e.Object = json.RawMessage(strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000))
	v := open(t, browser, width, reportsample.Document(e), "")
	v.wantText("main", "CREATE pods prod/web-7d9f4c", "Mutating, round 0", "The object cannot be shown", "digests.images.example.com")
	v.follow("#item-1/call-1")
	v.wantText("dialog[open]", "teams.example.com")
}
