package report

import (
	"context"
	"strings"
	"testing"

	"example.com/gatehouse/examples/quickstart"
	demo "example.com/gatehouse/internal/cli/demo/server"
	"example.com/gatehouse/internal/cli/explain"
)

// showQuickstart opens a pod of the quickstart, admitted by its webhooks: the picture of
// the README.
func showQuickstart(t *testing.T, browser context.Context, width int64) {
	v := visit(t, browser, width, quickstartPage(t), "", prefers("light"))
	v.wantText("main", "Admitted", "CREATE pods shop/web", "label-defaulter.quickstart.example.com", "Mutating, round 1")
	v.picture("quickstart", false)
}

// quickstartPage starts the webhooks, explains the pod shop/web, and returns the address of
// the page.
func quickstartPage(t *testing.T) string {
	t.Helper()
	webhooks, err := demo.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := webhooks.Close(); err != nil {
			t.Error(err)
		}
	}()
	read := func(name string) string {
		content, err := quickstart.Files().ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	objects := strings.Split(read("objects.yaml"), "\n---\n") // the namespaces shop and tools, and pods
	files := []string{
		"-f", input(t, "webhooks.yaml", read("webhooks.yaml")), "-f", input(t, "shop.yaml", objects[0]),
		input(t, "pod.yaml", objects[2]),
		"--ca-file", input(t, "ca.pem", string(webhooks.CABundle())),
	}
	for _, service := range demo.Services() {
		files = append(files, "--resolve", service+":443:"+webhooks.Addr())
	}
	return printed(t, explain.New(), files...)
}
