package report

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"example.com/gatehouse/internal/cli/outage"
	"example.com/gatehouse/internal/report"
	"example.com/gatehouse/internal/testutil/reportsample"
)

// hook is a webhook configuration.
func hook(kind, name, resources, policy string, timeout int, exempt string) string {
	return fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: %sWebhookConfiguration
metadata: {name: %[2]s}
webhooks:
- name: %[2]s.example.com
  clientConfig: {service: {namespace: hooks-%[2]s, name: %[2]s}}
  rules: [{operations: [CREATE, UPDATE], apiGroups: ["*"], apiVersions: ["*"], resources: [%s]}]
  failurePolicy: %s
  timeoutSeconds: %d
  sideEffects: None
  admissionReviewVersions: [v1]
  namespaceSelector:
    matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [%s]}]
---
`, kind, name, resources, policy, timeout, exempt)
}

// guards are two webhooks that wait for each other, one that changes pods if it can, and one
// that slows down leases.
func guards(t *testing.T) string {
	t.Helper()
	return input(t, "guards.yaml",
		hook("Validating", "a", "pods", "Fail", 5, "hooks-a, kube-system")+
			hook("Validating", "b", "pods", "Fail", 5, "hooks-b, kube-system")+
			hook("Mutating", "sidecar", "pods", "Ignore", 10, "kube-system")+
			hook("Validating", "leases", "leases", "Ignore", 3, "kube-system"))
}

func visitOutage(t *testing.T, browser context.Context, width int64, fragment string) *tab {
	t.Helper()
	return visit(t, browser, width, printed(t, outage.New(), guards(t)), fragment)
}

// cellAt selects the cell of a request in a column of the matrix, from 1.
func cellAt(request string, column int) string {
	return fmt.Sprintf("//main//tr[th//code[text()='%s']]/td[%d]", request, column)
}

func readOutage(t *testing.T, browser context.Context, width int64) {
	v := visitOutage(t, browser, width, "")
	v.wantText("main", "requests", "4 backends", "can be refused", "backends never come up again")
	v.wantText("#backends", "hooks-leases/leases", "3 s")
	v.wantText("#matrix", "of 122 requests, 4 of 4 backends", "A user creates a pod.", "pod-create")
	v.wantText("#pairs", "hooks-a/a and hooks-sidecar/sidecar", "refused after 15 s")
	v.wantText("#coldstart", "hooks-a/a waits for hooks-b/b", "A pod of the webhook is created.",
		"The fewest exclusions that free all", "Exempt namespace hooks-a from b/b.example.com", "without labels")
	checkNames(v, "the outages", "searchbox", "combobox", "button", "table", "link", "checkbox")
	want(v, brokenWords, "")
	checkLooks(v, "outage")
	v.script("document.getElementById('matrix').scrollIntoView()")
	v.picture("outage-matrix", false)
}

func openCell(t *testing.T, browser context.Context, width int64) {
	v := visitOutage(t, browser, width, "")
	v.click(cellAt("pod-create", 2))
	want(v, "location.hash", "#pod-create/0/hangs")
	v.wantText("dialog[open]", "A user creates a pod.", "refused after 5 s while hooks-a/a hangs", "because a/a.example.com fails",
		"What breaks: ", "worst case: all backends hang", "15 s", "34 s", "failed closed in 5s", "failurePolicy Fail ends the request",
		"CREATE pods", "jane", "validating")
	checkNames(v, "a cell", "dialog", "button", "link")
	checkLooks(v, "outage-cell")
	v.click("//dialog//a[text()='While it refuses']")
	v.wantText("dialog[open]", "refused while hooks-a/a refuses connections", "connection refused")
	v.press(kb.Escape)
	v.gone("dialog[open]")
	want(v, "location.hash", "")

	// What goes through has reasons, too.
	v.follow("#pod-create/3/hangs")
	v.wantText("dialog[open]", "mutation lost, +10 s", "It succeeds without the changes of sidecar/sidecar.example.com.", "failed open in 10s")
	v.follow("#pod-create/2/hangs")
	v.wantText("dialog[open]", "not sent there", "no webhook of hooks-leases/leases receives this request", "not called: rules")
	v.follow("#node-lease-renew/2/hangs")
	v.wantText("dialog[open]", "+3 s while hooks-leases/leases hangs", "It succeeds after it waited", "10 s")
	v.follow("#node-lease-renew/2/refuses")
	v.wantText("dialog[open]", "goes through", "the failure of leases/leases.example.com is ignored")
	v.follow("#pair-1")
	v.wantText("dialog[open]", "while hooks-a/a and hooks-sidecar/sidecar hang", "failed open in 10s", "failed closed in 5s")
	v.follow("#nothing/7/at-all")
	v.gone("dialog[open]")
}

func walkMatrix(t *testing.T, browser context.Context, width int64) {
	v := visitOutage(t, browser, width, "")
	tabTo(v, "document.activeElement.matches('td')")
	want(v, "getComputedStyle(document.activeElement).outlineStyle", "solid")
	want(v, "document.querySelectorAll('.matrix td[tabindex=\"0\"]').length", 1)
	v.press(kb.ArrowDown, kb.ArrowRight, kb.ArrowRight, kb.ArrowLeft, kb.Enter)
	v.see("dialog[open]")
	hash := evaluate[string](v, "location.hash")
	if !strings.HasSuffix(hash, "/0/hangs") {
		t.Errorf("down, right, right and left is %s", hash)
	}
	v.press(kb.Escape)
	v.gone("dialog[open]")
	want(v, "location.hash", "") // the page, which is told later, moves the focus, too
	want(v, "document.activeElement.matches('td.hangs')", true)
	v.press(kb.End)
	want(v, "document.activeElement.matches('td.all')", true)
	v.press(kb.Home)
	want(v, "document.activeElement.matches('td.refuses')", true)
	v.press(" ")
	v.see("dialog[open]")
	v.press(kb.Escape)
	v.gone("dialog[open]")
	want(v, "location.hash", "") // the page, which is told later, moves the focus, too
	// The matrix is one stop, so the next one is behind it.
	v.press(kb.Tab)
	want(v, "document.activeElement.matches('td')", false)
}

const (
	matrixRows    = "document.querySelectorAll('.matrix tr:not(.group) td:first-of-type').length"
	matrixColumns = "document.querySelectorAll('.matrix thead .backend:not(.all)').length"
)

func filterMatrix(t *testing.T, browser context.Context, width int64) {
	v := visitOutage(t, browser, width, "")
	const request, backend = "#matrix input[aria-label*=request]", "#matrix input[aria-label*=backend]"
	troubled := evaluate[int](v, matrixRows)
	if troubled < 5 || troubled > 60 {
		t.Errorf("%d requests are in trouble", troubled)
	}
	v.click("#only-trouble")
	want(v, matrixRows, 122)
	v.enter(request, "NODE-LEASE")
	want(v, matrixRows, 2)
	v.enter(backend, "lease")
	want(v, matrixColumns, 1)
	v.wantText("#matrix [role=status]", "2 of 122 requests, 1 of 4 backends")
	v.enter(request, "no such request")
	v.wantText(".nothing", "Nothing fits the filters.")
	v.enter(request, " ")
	v.enter(backend, " ")
	v.choose("#matrix select", "Nodes")
	want(v, "document.querySelectorAll('.matrix .group').length", 1)
	v.choose("#matrix select", "")
	// A backend of the table is shown alone.
	v.click("//section[@id='backends']//button[contains(., 'hooks-sidecar')]")
	want(v, matrixColumns, 1)
	v.wantText(".matrix", "hooks-sidecar/")
}

// teams is the page of 60 backends, each of which receives something else, and of all
// requests. It is made for both widths at once, because it takes longest.
var teams struct {
	once sync.Once
	page []byte
}

func makeTeams(t *testing.T) {
	t.Helper()
	resources := []string{"pods", "deployments", "leases", "services", "configmaps", "secrets", "nodes", "namespaces", "jobs", "ingresses"}
	var all strings.Builder
	for i := range 60 {
		kind, policy := "Validating", "Fail"
		if i%2 == 0 {
			kind, policy = "Mutating", "Ignore"
		}
		all.WriteString(hook(kind, fmt.Sprintf("team-%02d", i), resources[i%len(resources)], policy, 5+i%5, fmt.Sprintf("hooks-team-%02d", i)))
	}
	teams.page = output(t, outage.New(), input(t, "teams.yaml", all.String()))
}

func openManyBackends(t *testing.T, browser context.Context, width int64) {
	teams.once.Do(func() { makeTeams(t) })
	page := kept(t, teams.page)
	if n := size(t, page); n > 600_000 {
		t.Errorf("the page has %d bytes", n)
	}
	v := visit(t, browser, width, page, "")
	v.wantText("main", "60 backends")
	want(v, matrixColumns, 60)
	v.picture("outage-many", false)
	v.click("#only-trouble")
	want(v, matrixRows, 122)
	if nodes := evaluate[int](v, "document.querySelectorAll('*').length"); nodes > 22_000 {
		t.Errorf("there are %d elements in the page", nodes)
	}
	v.enter("#matrix input[aria-label*=backend]", "team-42")
	want(v, matrixColumns, 1)
	want(v, "document.querySelectorAll('.problem').length", 0)
}

func openHostileOutage(t *testing.T, browser context.Context, width int64) {
	page := written(t, report.WriteOutage, reportsample.HostileOutage())
	for _, fragment := range []string{"", "#pod/0/refuses", "#pod/all/hangs", "#pair-1"} {
		v := visit(t, browser, width, page, fragment)
		if fragment != "" {
			v.see("dialog[open]")
		}
		v.script("document.querySelectorAll('summary').forEach((s) => s.parentElement.open || s.click())")
		harmless(v)
		v.picture("outage-hostile", false)
	}
}

func openCalmOutage(t *testing.T, browser context.Context, width int64) {
	calm := hook("Validating", "calm", "widgets", "Fail", 5, "x")
	v := visit(t, browser, width, printed(t, outage.New(), input(t, "calm.yaml", calm)), "")
	v.wantText("#matrix", "of 122 requests, 1 of 1 backend")
	want(v, matrixRows, 122) // nothing has trouble, so all are shown
	v.wantText("#coldstart", "All come up.")
	v.wantText("#matrix .key", "not sent there")
	empty := written(t, report.WriteOutage, &report.Page{Title: "nothing", Data: map[string]any{
		"requests": []any{}, "backends": []any{}, "outcomes": []any{}, "pairs": []any{}, "coldStart": map[string]any{},
	}})
	v = visit(t, browser, width, empty, "#a/0/hangs")
	v.wantText(".nothing", "There is no webhook among the inputs")
	want(v, "document.querySelectorAll('.problem').length", 0)
}

func outageWithoutScripts(t *testing.T, browser context.Context, width int64) {
	v := visitOutage(t, browser, width, "")
	v.reloadWithoutScripts()
	v.see(".plain")
	v.wantText(".plain", "Outages of 4 backends", "pod-create: refused while it refuses connections, refused after 5s while it hangs", "After all backends were down")
}
