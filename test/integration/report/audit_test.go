package report

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"example.com/gatehouse/internal/cli/audit"
	"example.com/gatehouse/internal/report"
	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/reportsample"
)

// configMap is an object with labels, such as "team":"a".
func configMap(labels string) string {
	return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"prices","namespace":"shop","labels":{` + labels + `}}}`
}

// quarrel is a log in which webhooks and controllers work against each other, one about an
// object of the operator and one about a Secret, among requests that are denied.
func quarrel() string {
	const add = `[{"op":"add","path":"/metadata/labels/team","value":"a"}]`
	of := audittest.Of("", "configmaps", "shop", "prices")
	evil := audittest.Of("", "configmaps", "shop", "<img src=x onerror=alert(1)>")
	password := `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db","namespace":"shop"},"data":{"key":"` + secret + `"}}`
	var log audittest.Log
	for i := range 7 {
		user := "system:serviceaccount:shop:operator"
		if i == 4 {
			user = "ann"
		}
		log.Add("update", user, configMap(``), of, audittest.Answer(configMap(`"team":"a"`)),
			audittest.Called(0, "team.example.com", add), audittest.Called(1, "idle.example.com", ""))
		if i > 4 {
			continue // the first loop has the most turns
		}
		log.Add("update", "keeper", password, audittest.Of("", "secrets", "shop", "db"),
			audittest.Called(0, "keys.example.com", `[{"op":"add","path":"/metadata/annotations","value":{"copy":"`+secret+`"}}]`))
		log.Add("create", "<b>eve</b>", configMap(``), evil,
			audittest.Called(0, "twice.example.com", add), audittest.CalledIn(1, 0, "twice.example.com", add))
	}
	log.Add("update", "bob", configMap(``), of, audittest.Refused(403, `admission webhook "guard.example.com" denied the request: no`))
	log.Add("update", "bob", configMap(``), of, audittest.Refused(422, `configmaps "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`))
	log.Add("update", "bob", configMap(``), of, audittest.Annotated("failed-open.validating.webhook.admission.k8s.io/round_0_index_0", "scan.example.com"),
		audittest.Annotated("guard.example.com/reason", "x"), audittest.Annotated("apiserver.latency.k8s.io/validating-webhook", "1.25s"))
	return log.Text() + "{<i>broken</i>\n"
}

func visitAudit(t *testing.T, browser context.Context, width int64) *tab {
	t.Helper()
	return visit(t, browser, width, printed(t, audit.New(), input(t, "audit.log", quarrel())), "")
}

func readAudit(t *testing.T, browser context.Context, width int64) {
	v := visitAudit(t, browser, width)
	v.wantText("#title", "3 loops")
	v.wantText("header.verdict", "20 events", "20 requests examined", "3 loops", "2 denied", "1 failed open", "1 part not read", "Not in the log")
	v.wantText("#loop-1", "repeats its change, which is undone by system:serviceaccount:shop:operator (manager), ann (manager)", "configmaps shop/prices",
		"metadata.labels.team", "6 times, ", "audit ID id-1", "gatehouse audit ", " --object configmaps/shop/prices")
	v.wantText("#webhooks", "team.example.com", "never changed or denied anything", "guard.example.com", "scan.example.com")
	v.wantText("#policies", "p", "b")
	v.wantText("#objects", "shop/<img src=x onerror=alert(1)>", "webhook twice.example.com/twice.example.com")
	v.wantText("#writers", "<b>eve</b> (manager)")
	v.wantText("#annotations", "guard.example.com/reason")
	v.wantText("#latency", "validating", "1.25 s")
	v.wantText("#unread", "audit.log:21: not an event")
	want(v, "document.documentElement.outerHTML.includes('"+secret+"')", false)
	want(v, "document.images.length", 0)
	checkNames(v, "the audit logs", "searchbox", "combobox", "option", "table", "link", "DisclosureTriangle", "region")
	want(v, brokenWords, "")
	want(v, "new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size === document.querySelectorAll('[id]').length", true)
	checkLooks(v, "audit")
	v.picture("audit-whole", true)
}

// rerun has the request that repeats a loop.
func rerun(t *testing.T, browser context.Context, width int64) {
	v := visitAudit(t, browser, width)
	const fold = "//article[@id='loop-2']//summary"
	v.click(fold)
	v.wantText("#loop-2 details[open]", `"kind": "AdmissionRequest"`, `"operation": "CREATE"`, `"username": "<b>eve</b>"`)
	want(v, "[...document.querySelectorAll('article')].filter((a) => a.textContent.includes('secrets')).some((a) => a.querySelector('details'))", false)
	v.script("dispatchEvent(new Event('beforeprint'))")
	want(v, "document.querySelectorAll('details:not([open])').length", 0)
}

const (
	loopsOnPage = "document.querySelectorAll('#loops article').length"
	hooksOnPage = "document.querySelectorAll('#webhooks tbody tr').length"
)

func filterAudit(t *testing.T, browser context.Context, width int64) {
	v := visitAudit(t, browser, width)
	want(v, loopsOnPage, 3)
	want(v, hooksOnPage, 6)
	v.choose("select[aria-label*=kind]", "doubled")
	want(v, loopsOnPage, 1)
	want(v, hooksOnPage, 6)
	v.choose("select[aria-label*=kind]", "")
	v.enter("main input[type=search]", "OPERATOR")
	want(v, loopsOnPage, 1)
	want(v, "document.querySelector('#webhooks').hidden", true)
	v.wantText("#objects", "shop/prices")
	v.wantText("[role=status]", "1 of 3 loops, ")
	v.enter("main input[type=search]", "no such thing")
	want(v, "[...document.querySelectorAll('main > section')].filter((s) => !s.hidden).map((s) => s.id).join(' ')", "latency unread")
	v.wantText("[role=status]", "0 of 3 loops, 0 of ")
	v.enter("main input[type=search]", "example.com")
	v.choose("select[aria-label*=webhooks]", "denials")
	want(v, "document.querySelector('#webhooks tbody .name').textContent", "guard.example.com")
}

func useAuditByKeyboard(t *testing.T, browser context.Context, width int64) {
	v := visitAudit(t, browser, width)
	tabTo(v, "document.activeElement.matches('#loop-1 h3 a')")
	want(v, "getComputedStyle(document.activeElement).outlineStyle", "solid")
	v.press(kb.Enter)
	want(v, "document.querySelector(':target').id", "loop-1")
	tabTo(v, "document.activeElement.matches('#loop-1 summary')")
	v.press(kb.Enter)
	v.see("#loop-1 details[open] pre")
}

// openManyLoops has as many loops, webhooks and objects as the page may have.
func openManyLoops(t *testing.T, browser context.Context, width int64) {
	var loops, hooks, objects []any
	writer := map[string]any{"user": "system:serviceaccount:shop:operator", "manager": "operator", "writes": 70}
	for i := range 1000 {
		moment := map[string]any{"time": "2026-11-26T10:00:00Z", "auditID": fmt.Sprint("id-", i)}
		name := fmt.Sprintf("gate-%d.example.com", i)
		loops = append(loops, map[string]any{
			"kind": []string{"undone", "repeated", "doubled"}[i%3], "title": "webhook " + name + " repeats its change, which is undone by ann",
			"where": "configmaps shop/prices", "webhook": name, "paths": []string{"metadata.labels.team"}, "times": 900, "rate": "60 an hour",
			"first": moment, "last": moment, "show": "gatehouse audit audit.log --object configmaps/shop/prices", "request": strings.Repeat("{}\n", 30),
		})
		hooks = append(hooks, map[string]any{"webhook": name, "configuration": name, "phase": "mutating", "calls": 9000, "changes": 1000 - i, "denials": i, "again": 1,
			"againChanges": 1, "failedOpen": 1, "failedClosed": 1, "slow": 1, "slowestNanoseconds": 1e9})
		objects = append(objects, map[string]any{"resource": "configmaps", "namespace": "shop", "name": name, "writes": 140, "writers": []any{writer, writer}})
	}
	rows := func(all []any) map[string]any { return map[string]any{"rows": all, "count": 1200} }
	page := written(t, report.WriteAudit, &report.Page{Title: "many", Data: map[string]any{
		"headline": "1000 loops", "events": 9_000_000, "loops": loops, "webhooks": rows(hooks), "objects": rows(objects),
	}})
	v := visit(t, browser, width, page, "")
	v.wantText("#loops", "Show the other 960 of 1000")
	v.wantText("#webhooks", "Show the other 900 of 1000", "200 more rows are not on this page.")
	if nodes := evaluate[int](v, "document.querySelectorAll('*').length"); nodes > 9000 {
		t.Errorf("there are %d elements in the page", nodes)
	}
	v.picture("audit-many", false)
	v.follow("#loop-430")
	v.see("#loop-430")
	want(v, "Math.abs(document.querySelector('#loop-430').getBoundingClientRect().top) < innerHeight", true)
	v.choose("select[aria-label*=webhooks]", "denials")
	want(v, "document.querySelector('#webhooks tbody .name').textContent", "gate-999.example.com")
	v.enter("main input[type=search]", "gate-77.example")
	want(v, loopsOnPage, 1)
	want(v, hooksOnPage, 1)
	want(v, "document.querySelectorAll('.problem').length", 0)
}

func openHostileAudit(t *testing.T, browser context.Context, width int64) {
	v := visit(t, browser, width, written(t, report.WriteAudit, reportsample.HostileAudit()), "#loop-2")
	v.script("document.querySelectorAll('summary').forEach((s) => s.parentElement.open || s.click())")
	harmless(v)
	v.picture("audit-hostile", true)
}

func openCalmAudit(t *testing.T, browser context.Context, width int64) {
	var log audittest.Log
	log.Add("get", "ann", ``)
	v := visit(t, browser, width, printed(t, audit.New(), input(t, "audit.log", log.Text())), "#loop-7")
	v.wantText("main", "No component repeatedly undoes the change of a webhook", "1 event", "0 loops")
	want(v, "document.querySelectorAll('main > section, .filters').length", 0)
	v = visit(t, browser, width, written(t, report.WriteAudit, &report.Page{Title: "nothing", Data: map[string]any{}}), "")
	v.wantText("main", "Nothing was read")
	want(v, "document.querySelectorAll('.problem').length", 0)
}

func auditWithoutScripts(t *testing.T, browser context.Context, width int64) {
	v := visitAudit(t, browser, width)
	v.reloadWithoutScripts()
	v.wantText(".plain", "gatehouse audit: 3 loops", "1. webhook team.example.com/team.example.com repeats its change",
		"configmaps shop/prices", "6 times, ", "6 webhooks", "team.example.com/team.example.com: calls 7, changes 7, denials 0, failures 0")
}

// openObject has the requests about one object, each with the log's event.
func openObject(t *testing.T, browser context.Context, width int64) {
	page := printed(t, audit.New(), input(t, "audit.log", quarrel()), "--object", "configmap/shop/prices")
	v := visit(t, browser, width, page, "")
	v.wantText("main", "Overview", "10 requests", "8 admitted", "2 denied", "UPDATE configmaps shop/prices", "2026-11-26T10:00:00Z, update, audit ID id-1, manager manager")
	v.wantText("nav", "UPDATE 2026-11-26T10:00:15Z")
	want(v, "document.querySelectorAll('#slowest, .time .bar').length", 0) // a log does not say how long calls took
	want(v, brokenWords, "")
	v.picture("audit-object", true)
	v.follow("#item-2")
	v.wantText("main", "2 in the log", "An audit log does not have them.", "Event", "2026-11-26T10:00:15Z, update, audit ID id-4, manager manager", "Admitted")
	v.wantText("#object", "team: a", "team.example.com")
	checkNames(v, "the requests about an object", "link", "option")
	v.picture("audit-object-request", true)
	page = printed(t, audit.New(), input(t, "audit.log", quarrel()), "--object", "secret/shop/db")
	v = visit(t, browser, width, page, "#item-2")
	v.wantText("main", "Not shown", "UPDATE secrets shop/db")
	want(v, "document.documentElement.outerHTML.includes('"+secret+"')", false)
}
