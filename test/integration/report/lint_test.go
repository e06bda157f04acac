package report

import (
	"context"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"example.com/gatehouse/internal/cli/lint"
	"example.com/gatehouse/internal/report"
	"example.com/gatehouse/internal/testutil/reportsample"
)

// secret is in the data of a Secret among the inputs; the page must not have it.
const secret = "c2VjcmV0LW9mLXRoZS1rZXk="

// flawed are webhooks with many mistakes, one of which is silenced, and a Secret.
func flawed(t *testing.T) []string {
	t.Helper()
	silenced := "metadata: {name: slow, annotations: {lint.gatehouse/timeout-long: '<b>we</b> measure first'}}"
	return []string{
		guards(t),
		input(t, "<img src=x onerror=alert(1)>.yaml", `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
`+silenced+`
webhooks:
- name: slow.example.com
  clientConfig: {service: {namespace: slow, name: slow}}
  rules: [{operations: ["*"], apiGroups: [""], apiVersions: ["*"], resources: ["configmaps"]}]
  timeoutSeconds: 30
  sideEffects: None
  admissionReviewVersions: [v1]
---
apiVersion: v1
kind: Secret
metadata: {name: serving, namespace: slow}
type: kubernetes.io/tls
data: {tls.crt: `+secret+`, tls.key: `+secret+`}
`),
	}
}

func visitLint(t *testing.T, browser context.Context, width int64, fragment string) *tab {
	t.Helper()
	return visit(t, browser, width, printed(t, lint.New(), append(flawed(t), "--level", "info")...), fragment)
}

func readFindings(t *testing.T, browser context.Context, width int64) {
	v := visitLint(t, browser, width, "")
	v.wantText("main", "1 error", "warning", "1 silenced", "rules checked", "skipped")
	v.wantText("#error", "Webhooks wait for each other after an outage.", "deadlock", "Why", "Fix", "Sources",
		"hooks-a/a needs hooks-b/b: A pod of the webhook is created.")
	v.wantText("#silenced", "slow.example.com", "timeout-long", "<b>we</b> measure first", "<img src=x onerror=alert(1)>.yaml: document 1")
	v.wantText("#skipped", "Not checked", "EndpointSlice", "service-without-endpoints")
	want(v, "[...document.links].filter((a) => a.href.startsWith('https://') && a.rel === 'noopener noreferrer').length > 5", true)
	want(v, "document.documentElement.outerHTML.includes('"+secret+"')", false)
	want(v, "document.images.length", 0)
	checkNames(v, "the findings", "searchbox", "combobox", "option", "table", "link", "DisclosureTriangle")
	want(v, brokenWords, "")
	checkLooks(v, "lint")
	v.picture("lint-whole", true)
}

func replayFinding(t *testing.T, browser context.Context, width int64) {
	own := input(t, "own.yaml", hook("Validating", "own", "pods", "Fail", 5, "kube-system"))
	v := visit(t, browser, width, printed(t, lint.New(), own), "")
	const proof = "//article[.//code[text()='blocks-own-pods']]//summary"
	v.click(proof)
	v.wantText("details[open] .folded", "What breaks: ", "Explanation", "failed closed", "connection refused",
		"gatehouse lint -f FILES --witness blocks-own-pods/", "gatehouse run -f FILES --inject '*=allow' --inject 'own/own.example.com=refuse'")
	v.click(proof)
	want(v, "document.querySelectorAll('details[open]').length", 0)
	v.script("dispatchEvent(new Event('beforeprint'))")
	want(v, "document.querySelectorAll('details:not([open])').length", 0)
}

const ownFindings = "document.querySelectorAll('.own > li').length"

func filterFindings(t *testing.T, browser context.Context, width int64) {
	v := visitLint(t, browser, width, "")
	all := evaluate[int](v, ownFindings)
	v.choose("select[aria-label*=level]", "error")
	want(v, "document.querySelectorAll('.findings > section').length", 1)
	if n := evaluate[int](v, ownFindings); n == 0 || n >= all {
		t.Errorf("%d of %d findings are errors", n, all)
	}
	v.choose("select[aria-label*=level]", "silenced")
	want(v, ownFindings, 0)
	v.wantText("#silenced", "slow.example.com")
	v.choose("select[aria-label*=level]", "")
	v.choose("select[aria-label*=rule]", "deadlock")
	want(v, "document.querySelectorAll('.rule').length", 1)
	v.choose("select[aria-label*=rule]", "")
	v.choose("select[aria-label*=file]", evaluate[string](v, "[...document.querySelectorAll('select[aria-label*=file] option')].map((o) => o.value).find((n) => n.endsWith('guards.yaml'))"))
	want(v, "document.querySelectorAll('#silenced').length", 0)
	v.enter("input[type=search]", "B.EXAMPLE.COM")
	if n := evaluate[int](v, ownFindings); n == 0 || n >= all {
		t.Errorf("%d of %d findings are about b", n, all)
	}
	v.enter("input[type=search]", "no such thing")
	want(v, ownFindings, 0)
	v.wantText("[role=status]", "0 of ")
}

func useFindingsByKeyboard(t *testing.T, browser context.Context, width int64) {
	v := visitLint(t, browser, width, "")
	tabTo(v, "document.activeElement.matches('.own summary')")
	want(v, "getComputedStyle(document.activeElement).outlineStyle", "solid")
	v.press(kb.Enter)
	v.see("details[open] .tree, details[open] pre")
	v.follow("#finding-1")
	want(v, "document.querySelector(':target').id", "finding-1")
}

func openHostileFindings(t *testing.T, browser context.Context, width int64) {
	v := visit(t, browser, width, written(t, report.WriteLint, reportsample.HostileFindings()), "")
	v.script("document.querySelectorAll('summary').forEach((s) => s.parentElement.open || s.click())")
	harmless(v)
	v.picture("lint-hostile", true)
}

func openNoFindings(t *testing.T, browser context.Context, width int64) {
	good := hook("Validating", "calm", "widgets", "Ignore", 3, "x")
	v := visit(t, browser, width, printed(t, lint.New(), input(t, "calm.yaml", good), "--only", "deadlock"), "")
	v.wantText("main", "No findings", "1 rule checked")
	want(v, "document.querySelectorAll('.filters').length", 0)
	v = visit(t, browser, width, written(t, report.WriteLint, &report.Page{Title: "nothing", Data: map[string]any{}}), "#finding-9")
	v.wantText("main", "No findings")
	want(v, "document.querySelectorAll('.problem').length", 0)
}

func lintWithoutScripts(t *testing.T, browser context.Context, width int64) {
	v := visitLint(t, browser, width, "")
	v.reloadWithoutScripts()
	v.see(".plain")
	v.wantText(".plain", "findings of gatehouse lint", "deadlock: ", "Silenced: <b>we</b> measure first")
}
