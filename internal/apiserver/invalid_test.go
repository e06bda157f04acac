package apiserver

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/apiserver/registry"
)

var update = flag.Bool("update", false, "rewrite the table of rejected objects in docs/serve.md")

// changesOfEach is the number of invalid objects that TestInvalid creates of each
// resource.
const changesOfEach = 20

// change makes an object invalid. A path has the names of fields and the indexes
// of items; value is JSON, and "" removes the field.
type change struct{ path, value string }

// readChanges reads testdata/invalid.txt. The changes to what all resources have
// are under "metadata".
func readChanges(t *testing.T) map[string][]change {
	t.Helper()
	file, err := os.Open("testdata/invalid.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, roots, section := map[string][]change{}, map[string]string{}, ""
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		header, isHeader := strings.CutPrefix(strings.TrimSuffix(line, "]"), "[")
		path, value, _ := strings.Cut(line, "=")
		switch {
		case line == "" || line[0] == '#':
		case isHeader:
			resource, root, _ := strings.Cut(header, " ")
			section, roots[resource] = resource, root
		default:
			all[section] = append(all[section], change{path, value})
		}
	}
	for resource, root := range roots {
		for _, c := range all["pod"] {
			if root != "" {
				all[resource] = append(all[resource], change{root + "." + c.path, c.value})
			}
		}
	}
	return all
}

// TestInvalid counts the invalid objects of each resource that are rejected. The
// figures are in docs/serve.md.
func TestInvalid(t *testing.T) {
	t.Parallel()
	changes := readChanges(t)
	var rows []string
	var rejected, all int
	for _, r := range registry.Resources() {
		own := changes[r.Plural]
		own = own[:min(len(own), changesOfEach)]
		others := changes["metadata"][:changesOfEach-len(own)]
		ours := countRejected(t, r, own)
		theirs := countRejected(t, r, others)
		rejected, all = rejected+ours, all+len(own)
		rows = append(rows, fmt.Sprintf("| %s | %d of %d | %d of %d |\n", r.Plural, ours, len(own), theirs, len(others)))
	}
	slices.Sort(rows)
	rows = append(rows, fmt.Sprintf("| all | %d of %d, %d%% | |\n", rejected, all, 100*rejected/all))
	const page, header = "../../docs/serve.md", "| resource | its own fields | metadata |\n|---|---|---|\n"
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(old), header)
	if !ok {
		t.Fatalf("%s has no table %q", page, header)
	}
	end := strings.Index(rest, "\n\n") + 1
	want := before + header + strings.Join(rows, "") + rest[end:]
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(want, string(old)); diff != "" {
		t.Errorf("%s (-want +got); -update writes it:\n%s", page, diff)
	}
}

// countRejected creates a changed sample for each change, without storing it.
func countRejected(t *testing.T, r registry.Resource, changes []change) int {
	t.Helper()
	rejected, client := 0, reach(t, shared, r)
	for i, c := range changes {
		object := sample(t, r, nameOf(r, fmt.Sprintf("%s-%d", own(t), i)))
		object.Object = apply(t, object.Object, splitPath(c.path), c.value).(map[string]any)
		_, err := client.Create(t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		switch {
		case apierrors.IsInvalid(err) || apierrors.IsBadRequest(err):
			rejected++
		case err != nil:
			t.Errorf("%s %s=%s: %v; want it to be invalid", r.Plural, c.path, c.value, err)
		default:
			t.Logf("accepted: %s %s=%s", r.Plural, c.path, c.value)
		}
	}
	return rejected
}

var pathParts = regexp.MustCompile(`[^.\[\]]+`)

func splitPath(path string) []string { return pathParts.FindAllString(path, -1) }

// apply returns a value with the change at a path. It adds missing fields.
func apply(t *testing.T, value any, path []string, text string) any {
	t.Helper()
	if len(path) == 0 {
		var changed any
		if err := json.Unmarshal([]byte(text), &changed); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return changed
	}
	if items, ok := value.([]any); ok {
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(items) {
			t.Fatalf("%q is no index of %v", path[0], items)
		}
		items[i] = apply(t, items[i], path[1:], text)
		return items
	}
	fields, _ := value.(map[string]any)
	if fields == nil {
		fields = map[string]any{}
	}
	if len(path) == 1 && text == "" {
		delete(fields, path[0])
	} else {
		fields[path[0]] = apply(t, fields[path[0]], path[1:], text)
	}
	return fields
}
