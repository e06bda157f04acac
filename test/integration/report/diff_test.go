package report

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"example.com/gatehouse/internal/cli/diff"
	"example.com/gatehouse/internal/report"
	"example.com/gatehouse/internal/testutil/reportsample"
)

// gated are the kinds that the webhooks of gates receive.
var gated = []struct{ kind, resource string }{
	{"ConfigMap", "configmaps"}, {"ServiceAccount", "serviceaccounts"}, {"Endpoints", "endpoints"},
}

// gates are webhooks that deny everything they receive: an operation of a kind each.
func gates(operation string) string {
	var all strings.Builder
	all.WriteString("apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n" +
		"metadata: {name: shop}\nwebhooks:\n")
	for i, of := range gated {
		fmt.Fprintf(&all, `- name: gate-%d.example.com
  clientConfig: {url: "https://gate-%[1]d.example.com"}
  rules: [{operations: [%s], apiGroups: [""], apiVersions: [v1], resources: [%s]}]
  admissionReviewVersions: [v1]
  sideEffects: None
`, i, operation, of.resource)
	}
	return all.String()
}

// asked is a line of a corpus: a request about a kind, which a webhook denied.
func asked(id string, gate int) string {
	of := gated[gate]
	return fmt.Sprintf(`{"apiVersion": "gatehouse/v1alpha1", "kind": "RecordedRequest", "id": %q, "source": "serve", `+
		`"review": {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "3b0c6fd5-4e0f-4d7e-a0b8-000000000001", `+
		`"kind": {"group": "", "version": "v1", "kind": %[2]q}, "resource": {"group": "", "version": "v1", "resource": %[3]q}, `+
		`"name": "web", "namespace": "blue", "operation": "CREATE", "userInfo": {"username": "ann"}, `+
		`"object": {"apiVersion": "v1", "kind": %[2]q, "metadata": {"name": "web", "namespace": "blue"}}}}, `+
		`"answers": [{"phase": "validating", "configuration": "shop", "webhook": "gate-%[4]d.example.com", "outcome": "rejected", `+
		`"response": {"allowed": false, "status": {"code": 403, "message": "<b>gate</b> %[4]d is closed"}}}]}`+"\n",
		id, of.kind, of.resource, gate)
}

// secretRequest is a request about a Secret, which a webhook quotes.
const secretRequest = `{"apiVersion": "gatehouse/v1alpha1", "kind": "RecordedRequest", "id": "of-a-secret", "source": "serve", ` +
	`"review": {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "3b0c6fd5-4e0f-4d7e-a0b8-000000000002", ` +
	`"kind": {"group": "", "version": "v1", "kind": "Secret"}, "resource": {"group": "", "version": "v1", "resource": "secrets"}, ` +
	`"name": "key", "namespace": "blue", "operation": "CREATE", "userInfo": {"username": "ann"}, ` +
	`"object": {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "key", "namespace": "blue"}, "data": {"key": "` + secret + `"}}}}, ` +
	`"answers": [{"phase": "validating", "configuration": "keys", "webhook": "keys.example.com", "outcome": "rejected", ` +
	`"response": {"allowed": false, "status": {"code": 403, "message": "not with ` + secret + `"}}}]}` + "\n"

const keys = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: keys}
webhooks:
- name: keys.example.com
  clientConfig: {url: "https://keys.example.com"}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [%s]}]
  admissionReviewVersions: [v1]
  sideEffects: None
`

// visitDiff opens the page of webhooks that receive UPDATE in place of CREATE, of one that
// receives something else than Secrets, and of one that nothing tests.
func visitDiff(t *testing.T, browser context.Context, width int64) *tab {
	t.Helper()
	var lines strings.Builder
	for i := range gated {
		lines.WriteString(asked(fmt.Sprintf("r%d", i), i) + asked(fmt.Sprintf("s%d", i), i))
	}
	after := gates("UPDATE") + `- name: new.example.com
  clientConfig: {url: "https://new.example.com"}
  admissionReviewVersions: [v1]
  sideEffects: None
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [nodes]}]
` + fmt.Sprintf(keys, "services")
	page := printed(t, diff.New(),
		"--before", input(t, "before.yaml", gates("CREATE")+fmt.Sprintf(keys, "secrets")),
		"--after", input(t, "<img src=x onerror=alert(1)>.yaml", after), "--broken", "skip",
		input(t, "corpus.jsonl", lines.String()+secretRequest+"no request\n"))
	return visit(t, browser, width, page, "")
}

func readDiff(t *testing.T, browser context.Context, width int64) {
	v := visitDiff(t, browser, width)
	v.wantText("#title", "7 of 7 requests end differently")
	v.wantText(".figures", "7 requests", "7 differ", "7 in the verdict")
	v.wantText("#causes", "4 of 4 causes shown", "Webhook gate-0.example.com of configuration shop: rules[0].operations: UPDATE instead of CREATE",
		"before.yaml: document 1 (line 7)", "<img src=x onerror=alert(1)>.yaml: document 1 (line 7)", "2 requests",
		"now allowed", "shop/gate-0.example.com is no longer called")
	v.wantText("#cause-1 details[open]", "CREATE configmaps/web in blue by ann", "r0", "<b>gate</b> 0 is closed", "not called: rules",
		"Other requests: s0", "gatehouse diff --before ", " --example r0 ")
	v.wantText("#untested", "Changes that affect no request: 1", "Either it has no effect", "new.example.com of configuration shop added", "document 1 (line 20)")
	v.wantText("#unread", "corpus.jsonl:8: ")
	v.wantText("#causes", "CREATE secrets/key in blue by ann")
	want(v, "document.documentElement.outerHTML.includes('"+secret+"')", false)
	want(v, "document.images.length", 0)
	// Before and after are side by side, or below each other where there is no room.
	want(v, `(() => {
		const [, before, after] = [...document.querySelector('.sides tbody tr').cells].map((c) => c.getBoundingClientRect());
		return after.left >= before.right - 1 ? 'beside' : after.top >= before.bottom - 1 ? 'below' : 'neither';
	})()`, map[bool]string{true: "beside", false: "below"}[width > 700])
	checkNames(v, "the changes", "searchbox", "combobox", "option", "table", "link", "DisclosureTriangle", "region")
	want(v, brokenWords, "")
	want(v, "new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size === document.querySelectorAll('[id]').length", true)
	checkLooks(v, "diff")
	v.picture("diff-whole", true)
}

const causesOnPage = "document.querySelectorAll('#causes article').length"

func filterCauses(t *testing.T, browser context.Context, width int64) {
	v := visitDiff(t, browser, width)
	want(v, causesOnPage, 4)
	v.enter("input[type=search]", "GATE-2.EXAMPLE.COM")
	want(v, causesOnPage, 1)
	v.wantText("[role=status]", "1 of 4 causes shown")
	v.enter("input[type=search]", "secrets/key")
	want(v, causesOnPage, 1)
	v.enter("input[type=search]", "no such thing")
	want(v, causesOnPage, 0)
	v.wantText("[role=status]", "0 of 4 ")
	v.enter("input[type=search]", " ")
	v.choose("select[aria-label*=kind]", "no longer called")
	want(v, causesOnPage, 4)
	want(v, "[...document.querySelectorAll('select option')].some((o) => o.value === 'now denied')", false)
	v.script("dispatchEvent(new Event('beforeprint'))")
	want(v, "document.querySelectorAll('main details:not([open])').length", 0)
}

func useCausesByKeyboard(t *testing.T, browser context.Context, width int64) {
	v := visitDiff(t, browser, width)
	tabTo(v, "document.activeElement.matches('#cause-2 summary')")
	want(v, "getComputedStyle(document.activeElement).outlineStyle", "solid")
	want(v, "document.querySelector('#cause-2 details').open", true)
	v.press(kb.Enter)
	want(v, "document.querySelector('#cause-2 details').open", false)
	tabTo(v, "document.activeElement.matches('#cause-3 h3 a')")
	v.press(kb.Enter)
	want(v, "document.querySelector(':target').id", "cause-3")
}

// openManyCauses has 500 causes with examples that are folded, and a link to one of the last.
func openManyCauses(t *testing.T, browser context.Context, width int64) {
	causes := []any{}
	for i := range 500 {
		text := fmt.Sprintf("webhook gate-%d.example.com of configuration shop: timeoutSeconds: 5 instead of 10", i)
		causes = append(causes, map[string]any{
			"title": text, "level": []string{"verdict", "object", "calls"}[i%3], "changeCount": 1,
			"changes":     []any{map[string]any{"text": text, "before": "before.yaml: document 1 (line 9)", "after": "after.yaml: document 1 (line 9)"}},
			"differences": map[string]int{"requests": 90}, "effectCount": 1,
			"effects": []any{map[string]any{"text": "now denied", "kind": "now denied", "level": "verdict", "requests": 90}},
			"id":      fmt.Sprintf("r%d", i), "argument": "r", "request": "CREATE pods/web in blue by ann", "itemCount": 1,
			"items": []any{map[string]any{"name": "verdict", "before": "allowed", "after": "denied (403): " + strings.Repeat("no ", 100)}},
		})
	}
	page := written(t, report.WriteDiff, &report.Page{Title: "many", Data: map[string]any{
		"headline": "45000 of 90000 requests end differently", "requests": 90_000, "differences": map[string]int{"requests": 45_000},
		"causes": causes, "causeCount": 700, "explain": []string{"gatehouse diff", "corpus"},
	}})
	v := visit(t, browser, width, page, "")
	v.wantText("#causes", "500 of 500 causes shown", "200 more causes are not on this page.", "Show the other 460 of 500")
	if nodes := evaluate[int](v, "document.querySelectorAll('*').length"); nodes > 3000 {
		t.Errorf("there are %d elements in the page", nodes)
	}
	want(v, "document.querySelectorAll('#causes details[open]').length", 0)
	v.picture("diff-many", false)
	v.follow("#cause-430")
	v.see("#cause-430")
	want(v, "Math.abs(document.querySelector('#cause-430').getBoundingClientRect().top) < innerHeight", true)
	v.enter("input[type=search]", "gate-77.example")
	want(v, causesOnPage, 1)
	want(v, "document.querySelectorAll('.problem').length", 0)
}

func openHostileDiff(t *testing.T, browser context.Context, width int64) {
	v := visit(t, browser, width, written(t, report.WriteDiff, reportsample.HostileDiff()), "#cause-2")
	v.script("document.querySelectorAll('summary').forEach((s) => s.parentElement.open || s.click())")
	harmless(v)
	v.picture("diff-hostile", true)
}

func openNoDiff(t *testing.T, browser context.Context, width int64) {
	set := input(t, "set.yaml", gates("CREATE"))
	v := visit(t, browser, width, printed(t, diff.New(), "--before", set, "--after", set,
		input(t, "corpus.jsonl", asked("r", 0))), "#cause-7")
	v.wantText("main", "None of 1 request ends differently", "1 request", "0 differ")
	want(v, "document.querySelectorAll('main > section, .filters').length", 0)
	v = visit(t, browser, width, written(t, report.WriteDiff, &report.Page{Title: "nothing", Data: map[string]any{}}), "")
	v.wantText("main", "Nothing was compared")
	want(v, "document.querySelectorAll('.problem').length", 0)
}

func diffWithoutScripts(t *testing.T, browser context.Context, width int64) {
	v := visitDiff(t, browser, width)
	v.reloadWithoutScripts()
	v.wantText(".plain", "gatehouse diff: 7 of 7 requests end differently", "1. webhook gate-0.example.com",
		"2 × now allowed", "Changes that affect no request: 1")
}
