package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// sound returns a manifest of a configuration with one webhook and nothing
// wrong with it: seven lines, so that a second document begins on line nine.
func sound(kind, name string) string {
	return `apiVersion: admissionregistration.k8s.io/v1
kind: ` + kind + `
metadata: {name: ` + name + `}
webhooks:
- {name: w.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {
    url: "https://127.0.0.1/w"
  }}
`
}

type filesCase struct {
	row
	// files maps names in a folder of the test's own to contents.
	files map[string]string
	// paths are what is read, relative to that folder; nil is the folder.
	paths []string
	want  order
	// err is the whole error, with the folder written as DIR.
	err []string
}

func TestFiles(t *testing.T) {
	t.Parallel()
	testtable.Run(t, filesCases(), func(t *testing.T, tc filesCase) {
		dir := write(t, tc.files)
		paths := []string{dir}
		if tc.paths != nil {
			paths = nil
		}
		for _, p := range tc.paths {
			paths = append(paths, filepath.Join(dir, p))
		}

		list, err := Files(paths...)
		if diff := cmp.Diff(strings.Join(tc.err, "\n"), strings.ReplaceAll(testtable.Text(err), dir, "DIR")); diff != "" {
			t.Fatalf("error (-want +got):\n%s", diff)
		}
		if err != nil {
			if list != nil {
				t.Error("half a list came with an error")
			}
			return
		}
		if diff := cmp.Diff(tc.want, orderOf(current(t, list))); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
	})
}

// write puts files into a new folder and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func filesCases() []filesCase {
	return append(readableCases(), append(unreadableCases(), unsoundCases()...)...)
}

func readableCases() []filesCase {
	return []filesCase{{
		row: row{"folder", "all manifests of a folder make one list, sorted by name and not by file (S-061)"},
		files: map[string]string{
			"1.yaml":    sound(mutatingKind, "b"),
			"2.yml":     sound(mutatingKind, "a") + "---\n" + sound(validatingKind, "a"),
			"notes.txt": "not a manifest",
		},
		want: order{
			Mutating:   []string{"a/w.example.com/0", "b/w.example.com/0"},
			Validating: []string{"a/w.example.com/0"},
		},
	}, {
		row: row{"JSON and lists", "kubectl get -o json writes a v1 List"},
		files: map[string]string{"l.json": `{"apiVersion": "v1", "kind": "List", "items": [{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
			"metadata": {"name": "v"}, "webhooks": []
		}, {
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
			"metadata": {"name": "m"}, "webhooks": [{
				"name": "w.example.com", "sideEffects": "NoneOnDryRun", "admissionReviewVersions": ["v1"],
				"clientConfig": {"service": {"namespace": "n", "name": "s"}}
			}]
		}]}`},
		want: order{Mutating: []string{"m/w.example.com/0"}},
	}, {
		row: row{"v1beta1", "old files can still be used, by the rules of their time"},
		files: map[string]string{"a.yaml": "apiVersion: admissionregistration.k8s.io/v1beta1\nkind: MutatingWebhookConfiguration\n" +
			"metadata: {name: a}\nwebhooks:\n- {name: w.example.com, clientConfig: {url: \"https://127.0.0.1/w\"}}\n"},
		want: order{Mutating: []string{"a/w.example.com/0"}},
	}, {
		row:   row{"with a namespace", "an API server drops it, as there is none for configurations"},
		files: map[string]string{"a.yaml": strings.Replace(sound(mutatingKind, "a"), "{name: a}", "{name: a, namespace: b}", 1)},
		want:  order{Mutating: []string{"a/w.example.com/0"}},
	}, {
		row:   row{"chosen files", "what is not named is not read"},
		files: map[string]string{"a.yaml": sound(mutatingKind, "a"), "b.yaml": "}"},
		paths: []string{"a.yaml"},
		want:  order{Mutating: []string{"a/w.example.com/0"}},
	}}
}

func unreadableCases() []filesCase {
	return []filesCase{{
		row:   row{"no paths", "a forgotten argument must not look like a cluster without webhooks"},
		paths: []string{},
		err:   []string{"no files to read webhook configurations from"},
	}, {
		row:   row{"nothing there", "neither may an empty folder, an empty file or one that is missing"},
		files: map[string]string{"empty.yaml": "# nothing\n"},
		paths: []string{"", "empty.yaml", "missing.yaml"},
		err: []string{
			"DIR: holds no webhook configuration",
			"DIR/empty.yaml: holds no webhook configuration",
			"DIR/missing.yaml: cannot be read: no such file or directory",
		},
	}, {
		row:   row{"other version", "no API server ever served it"},
		files: map[string]string{"a.yaml": "kind: ValidatingWebhookConfiguration\napiVersion: admissionregistration.k8s.io/v2\n"},
		err: []string{"DIR/a.yaml: document 1 (line 1): admissionregistration.k8s.io/v2 ValidatingWebhookConfiguration " +
			"is not a MutatingWebhookConfiguration or ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1 or v1beta1"},
	}, {
		row: row{"other kinds", "each is named with its document, also in lists and in the same group"},
		files: map[string]string{"a.yaml": sound(mutatingKind, "a") + "---\napiVersion: v1\nkind: Pod\n---\n" +
			"apiVersion: v1\nkind: List\nitems:\n- kind: MutatingWebhookConfigurationList\n" +
			"  apiVersion: admissionregistration.k8s.io/v1\n"},
		err: []string{
			"DIR/a.yaml: document 2 (line 9): v1 Pod is not a MutatingWebhookConfiguration or " +
				"ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1 or v1beta1",
			"DIR/a.yaml: document 3 (line 15): items[0]: admissionregistration.k8s.io/v1 " +
				"MutatingWebhookConfigurationList is not a MutatingWebhookConfiguration or " +
				"ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1 or v1beta1",
		},
	}, {
		row: row{"unknown field", "a misspelt policy would otherwise mean its default"},
		files: map[string]string{"a.yaml": strings.Replace(sound(mutatingKind, "a"),
			"sideEffects", "failurepolicy: Ignore, sideEffects", 1)},
		err: []string{`DIR/a.yaml: document 1 (line 5): unknown field "webhooks[0].failurepolicy"`},
	}, {
		row: row{"name given twice", "the error names both documents, across files and lists"},
		files: map[string]string{
			"a.yaml": "apiVersion: v1\nkind: List\nitems:\n- apiVersion: admissionregistration.k8s.io/v1\n" +
				"  kind: MutatingWebhookConfiguration\n  metadata: {name: a}\n",
			"b.yaml": sound(validatingKind, "a") + "---\n" + sound(mutatingKind, "a"),
		},
		err: []string{`DIR/b.yaml: document 2 (line 11): MutatingWebhookConfiguration "a" is already defined in ` +
			`DIR/a.yaml: document 1 (line 4), items[0]`},
	}}
}

func unsoundCases() []filesCase {
	return []filesCase{{
		row: row{"several mistakes", "all of them are reported, with their fields, so that one run is enough"},
		files: map[string]string{
			"a.yaml": strings.Replace(sound(mutatingKind, `""`), "sideEffects: None", "timeoutSeconds: 31, timeout: 3, sideEffects: Some", 1),
			"b.yaml": strings.Replace(sound(validatingKind, "b"), "[v1]", "[]", 1),
		},
		err: []string{
			`DIR/a.yaml: document 1 (line 5): unknown field "webhooks[0].timeout"`,
			"DIR/a.yaml: document 1 (line 3): metadata.name: Required value: name or generateName is required",
			`DIR/a.yaml: document 1 (line 5): webhooks[0].sideEffects: Unsupported value: "Some": ` +
				`supported values: "None", "NoneOnDryRun"`,
			"DIR/a.yaml: document 1 (line 5): webhooks[0].timeoutSeconds: Invalid value: 31: " +
				"the timeout value must be between 1 and 30 seconds",
			"DIR/b.yaml: document 1 (line 5): webhooks[0].admissionReviewVersions: Required value: " +
				"must specify one of v1, v1beta1",
		},
	}, {
		row:   row{"fields twice", "the values would be ambiguous; the error names the lines of all duplicates"},
		files: map[string]string{"a.yaml": sound(mutatingKind, "a") + "metadata: {name: b}\nwebhooks: []\n"},
		err: []string{
			`DIR/a.yaml: document 1 (line 8): duplicate field "metadata"`,
			`DIR/a.yaml: document 1 (line 9): duplicate field "webhooks"`,
		},
	}, {
		row:   row{"unreadable value", "a document that does not decode has no other problems"},
		files: map[string]string{"a.yaml": strings.Replace(sound(mutatingKind, "a"), "None", "3", 1)},
		err:   []string{"DIR/a.yaml: document 1 (line 5): webhooks[0].sideEffects: must be a string, but is a number"},
	}, {
		row:   row{"name to be generated", "only an API server generates names"},
		files: map[string]string{"a.yaml": strings.Replace(sound(mutatingKind, "a"), "{name:", "{generateName:", 1)},
		err:   []string{"DIR/a.yaml: document 1 (line 3): metadata.name: Required value"},
	}, {
		row:   row{"reserved name", "a file is held to what an API server lets through its API (R-039)"},
		files: map[string]string{"a.yaml": sound(mutatingKind, "a.static.k8s.io")},
		err: []string{`DIR/a.yaml: document 1 (line 3): metadata.name: Invalid value: "a.static.k8s.io": ` +
			`names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API`},
	}, {
		row:   row{"mistakes and a name given twice", "the name is reported in the same run"},
		files: map[string]string{"a.yaml": strings.Replace(sound(mutatingKind, "a"), "[v1]", "[v0]", 1) + "---\n" + sound(mutatingKind, "a")},
		err: []string{
			`DIR/a.yaml: document 1 (line 5): webhooks[0].admissionReviewVersions: Invalid value: ["v0"]: must include at least one of v1, v1beta1`,
			`DIR/a.yaml: document 2 (line 11): MutatingWebhookConfiguration "a" is already defined in DIR/a.yaml: document 1 (line 1)`,
		},
	}}
}
