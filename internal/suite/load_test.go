package suite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/testutil/testenv"
	"example.com/gatehouse/internal/testutil/testtable"
)

// smallest is a suite without a name of its own.
const smallest = head + "configurations: [policy.yaml]\ncases:\n- name: a\n  request: {object: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}\n  expect: {}\n"

// deeper is smallest in a folder of the folder.
func deeper() string { return strings.ReplaceAll(smallest, "policy.yaml", "../policy.yaml") }

func called(name, text string) string { return strings.Replace(text, head, head+"name: "+name+"\n", 1) }

type loadRow struct {
	row
	files map[string]string
	// paths are relative to the folder; "-" is stdin, "." the folder.
	paths   []string
	stdin   string
	want    []string
	problem string
}

func TestLoad(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []loadRow{
		{row{"file", "the name is the file's"}, map[string]string{"a.yaml": smallest}, []string{"a.yaml"}, "", []string{"a"}, ""},
		{row{"folders", "suites lie where their webhooks are, in the order of their paths"},
			map[string]string{"z.yml": smallest, "b/a.yaml": deeper(), "b/c.json": "{}", "a/x.yaml": deeper()}, []string{"."}, "", []string{"x", "a", "z"}, ""},
		{row{"several in a file", "with other documents between them"},
			map[string]string{"a.yaml": called("one", smallest) + "---\n" + world()["label.yaml"] + called("two", smallest)}, []string{"a.yaml"}, "", []string{"one", "two"}, ""},
		{row{"hidden folder", "it is some tool's"}, map[string]string{"a.yaml": smallest, ".git/b.yaml": deeper()}, []string{"."}, "", []string{"a"}, ""},
		{row{"hidden folder by name", "a named folder is read"}, map[string]string{".ci/b.yaml": deeper()}, []string{".ci"}, "", []string{"b"}, ""},
		{row{"files without the word", "they need not even be YAML"},
			map[string]string{"a.yaml": smallest, "chart.yaml": "{{ .Values }}", "notes.txt": "AdmissionTest: {"}, []string{"."}, "", []string{"a"}, ""},
		{row{"files with the word", "a schema, a page and a report are about suites"},
			map[string]string{"a.yaml": smallest, "schema.json": `{"properties": {"kind": {"const": "AdmissionTest"}}`, "page.yaml": "{{ AdmissionTest }}", "report.json": `{"kind": "AdmissionTestReport"`},
			[]string{"."}, "", []string{"a"}, ""},
		{row{"quoted", "as programs write it"}, map[string]string{
			"a.yaml": strings.Replace(smallest, "kind: AdmissionTest", "'kind' : \"AdmissionTest\"", 1), "b.json": `{"apiVersion":"gatehouse/v1alpha1","kind":"AdmissionTest","configurations":["policy.yaml"],` +
				`"cases":[{"name":"a","request":{"object":{"apiVersion":"v1","kind":"ConfigMap"}},"expect":{}}]}`,
		}, []string{"."}, "", []string{"a", "b"}, ""},
		{row{"stdin", "a pipe has no folder: paths are those of the process"},
			nil, []string{"-"}, strings.ReplaceAll(called("piped", smallest), "policy.yaml", "testdata/policy.yaml"), []string{"piped"}, ""},
		{row{"one name twice", "results could not be told apart"}, map[string]string{"a.yaml": smallest, "b/a.yaml": deeper()}, []string{"."}, "", nil,
			`b/a.yaml: name: there is a suite "a" already, in a.yaml`},
		{row{"two paths to a file", "it is one suite, and both paths have one"}, map[string]string{"a.yaml": smallest, "b/b.yaml": deeper()}, []string{"a.yaml", ".", "b", "b/../a.yaml"}, "", []string{"a", "b"}, ""},
		{row{"two paths to a mistake", "it is told once"}, map[string]string{"a.yaml": head + "cases: {"}, []string{"a.yaml", "."}, "", nil,
			"a.yaml: document 1 (line 3): invalid YAML: did not find expected node content"},
		{row{"no suite in a file", "a test of nothing must not pass"}, nil, []string{"policy.yaml"}, "", nil, "policy.yaml: holds no suite: no document of the kind AdmissionTest"},
		{row{"no suite in a folder", "nor one of a wrong folder"}, map[string]string{"a/b.txt": ""}, []string{"a"}, "", nil, "a: holds no suite: no document of the kind AdmissionTest"},
		{row{"nothing on stdin", "the pipe is broken"}, nil, []string{"-"}, "", nil, "standard input: holds no suite: no document of the kind AdmissionTest"},
		{row{"no file", "its name is misspelt"}, nil, []string{"none.yaml"}, "", nil, "none.yaml: cannot be read: no such file or directory"},
		{row{"all mistakes", "mistakes are reported at once"},
			map[string]string{"a.yaml": head + "cases: {", "b.yaml": strings.Replace(smallest, "expect: {}", "expect: {called: [x]}", 1), "c.yaml": smallest},
			[]string{".", "policy.yaml"}, "", nil,
			"a.yaml: document 1 (line 3): invalid YAML: did not find expected node content\n" +
				`b.yaml: document 1 (line 7): cases[0].expect.called[0]: there is no webhook "x", but there is policy.example.com` + "\n" +
				"policy.yaml: holds no suite: no document of the kind AdmissionTest"},
		{row{"other version", "it is a suite all the same"}, map[string]string{"a.yaml": strings.Replace(smallest, "v1alpha1", "v2", 1)}, []string{"."}, "", nil,
			"a.yaml: document 1 (line 1): apiVersion: gatehouse/v2 is unknown: want gatehouse/v1alpha1"},
	}, func(t *testing.T, r loadRow) {
		root := folder(t, r.files)
		suites, err := suite.Load(within(root, r.paths), strings.NewReader(r.stdin))
		if got := strings.TrimSpace(said(err, root)); got != r.problem {
			t.Errorf("got  %s\nwant %s", got, r.problem)
		}
		var names []string
		for _, s := range suites {
			names = append(names, s.Name)
		}
		if diff := cmp.Diff(r.want, names); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// within returns paths in a folder.
func within(root string, paths []string) []string {
	var all []string
	for _, path := range paths {
		if path != "-" {
			path = root + string(filepath.Separator) + path // not clean, as people write them
		}
		all = append(all, path)
	}
	return all
}

// TestLoadLink follows a link to a folder that is named.
func TestLoadLink(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder(t, map[string]string{"a.yaml": smallest}), link); err != nil {
		testenv.Missing(t, err)
	}
	suites, err := suite.Load([]string{link}, nil)
	if err != nil || len(suites) != 1 || suites[0].File != filepath.Join(link, "a.yaml") {
		t.Errorf("got %v, %v", suites, err)
	}
}

// TestLoadDevice does not read from a device, which may never end.
func TestLoadDevice(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{"b.yaml": smallest})
	if err := os.Symlink(os.DevNull, filepath.Join(root, "a.yaml")); err != nil {
		testenv.Missing(t, err)
	}
	_, err := suite.Load([]string{root}, nil)
	if got := said(err, root); !strings.HasSuffix(got, "a.yaml is not a regular file") {
		t.Errorf("got %q", got)
	}
}

// TestLoadUnreadable reports a folder without permissions.
func TestLoadUnreadable(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{"a.yaml": smallest, "b/c.yaml": deeper()})
	if err := os.Chmod(filepath.Join(root, "b"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadDir(filepath.Join(root, "b")); err == nil {
		testenv.Optional(t, "root may read every folder")
	}
	_, err := suite.Load([]string{root}, nil)
	if got := said(err, root); !strings.HasPrefix(got, "looking for suites: ") || !strings.HasSuffix(got, "b: permission denied") {
		t.Errorf("got %q", got)
	}
	if err := os.Chmod(filepath.Join(root, "b"), 0o755); err != nil {
		t.Fatal(err)
	}
}
