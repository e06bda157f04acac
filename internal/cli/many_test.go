package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/cli/program"
)

const (
	// manyPods are as many as it takes to see what is kept of each, and fewPods
	// enough to see that a form is read.
	manyPods = 2000
	fewPods  = 100
	// firstPods are those after which the memory in use is that of a command at
	// work: what is kept of the first reading is in it.
	firstPods = 500
	// growth is what may be in use later in addition. The other pods have 3.6 MB
	// as JSON, and more than that as requests.
	growth = 2 << 20
)

// pod is a pod of 2.4 kB, as a cluster has them.
func pod(i int) string {
	labels := fmt.Sprintf(`{"app":"web-%d","team":"%s"}`, i%50, strings.Repeat("t", 40))
	var env []string
	for n := range 24 {
		env = append(env, fmt.Sprintf(`{"name":"SETTING_%02d","value":"%s"}`, n, strings.Repeat("v", 60)))
	}
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-%d","namespace":"default","labels":%s},`+
		`"spec":{"containers":[{"name":"web","image":"registry.example.com/web:1","env":[%s]}]}}`, i, labels, strings.Join(env, ","))
}

// listOf is a list of pods as JSON.
func listOf(pods int) string {
	var all []string
	for i := range pods {
		all = append(all, pod(i))
	}
	return `{"apiVersion":"v1","items":[` + strings.Join(all, ",\n") + `],"kind":"List"}`
}

// podsIn are the pods in each form that there is.
func podsIn(t *testing.T, pods int) map[string]string {
	var all, yamls, items []string
	for i := range pods {
		text, err := yaml.JSONToYAML([]byte(pod(i)))
		if err != nil {
			t.Fatal(err)
		}
		all, yamls = append(all, pod(i)), append(yamls, string(text))
		items = append(items, "- "+strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\n", "\n  ")+"\n")
	}
	return map[string]string{
		"list.json":   listOf(pods),
		"lines.json":  strings.Join(all, "\n"),
		"stream.json": strings.Join(all, "\n---\n"),
		"stream.yaml": strings.Join(yamls, "---\n"),
		"list.yaml":   "apiVersion: v1\nitems:\n" + strings.Join(items, "") + "kind: List\n",
	}
}

// TestManyObjects admits objects without keeping them. With GATEHOUSE_MANY=FOLDER
// it writes 20,000 pods into files, for measurements of the command.
func TestManyObjects(t *testing.T) {
	if folder := os.Getenv("GATEHOUSE_MANY"); folder != "" {
		for name, text := range podsIn(t, 20000) {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	hooks := serveHooks(t)
	defer hooks.Close()
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	config := write("webhooks.yaml", `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: told},
webhooks: [{name: told.example.com, clientConfig: {service: {namespace: webhooks, name: hooks, path: /told}},
rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}], sideEffects: None, admissionReviewVersions: [v1]}]}`)
	ca := write("ca.crt", string(hooks.caBundle))
	for name, text := range podsIn(t, fewPods) {
		pods := fewPods
		if name == "list.json" {
			pods, text = manyPods, listOf(manyPods)
		}
		out := &watchedOutput{}
		var stderr bytes.Buffer
		status := program.Run(t.Context(), New(), []string{"run", "-f", config, "--ca-file", ca,
			"--resolve", "hooks.webhooks.svc:443:" + hooks.Listener.Addr().String(), write(name, text)},
			strings.NewReader(""), out, &stderr)
		if status != 0 || out.admitted != pods || out.disorder {
			t.Errorf("%s: status %d, %d admitted, in another order: %t; %s",
				name, status, out.admitted, out.disorder, &stderr)
		}
		t.Logf("%s: %d bytes in use, later at most %d", name, out.first, out.most)
		if out.most > out.first+growth {
			t.Errorf("%s: %d bytes more in use than after %d pods",
				name, out.most-out.first, firstPods)
		}
	}
}

// watchedOutput counts the objects in a table, and looks at the memory in use:
// after firstPods, and the most after as many more.
type watchedOutput struct {
	first, most uint64
	admitted    int
	disorder    bool
}

func (o *watchedOutput) Write(text []byte) (int, error) {
	head := fmt.Sprintf("admitted  pods/web-%d in default\n", o.admitted)
	o.disorder = o.disorder || !strings.HasPrefix(string(text), head)
	switch o.admitted++; {
	case o.admitted == firstPods:
		o.first = heapInUse()
	case o.admitted%firstPods == 0:
		o.most = max(o.most, heapInUse())
	}
	return len(text), nil
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
