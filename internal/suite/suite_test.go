package suite_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

type mistakeRow struct {
	row
	// text stands between the head and the cases, of which there is one that is
	// good, and cases after that.
	text, cases string
	want        []string
}

// TestMistakes knows what is said of suites that can be read but not be meant.
// Line 3 is the first of text.
func TestMistakes(t *testing.T) {
	t.Parallel()
	const both = "configurations: [label.yaml, policy.yaml]\n"
	policy := hook("Validating", "others", "other.example.com", `{url: "https://policy.example.com/other"}`, "")
	testtable.Run(t, []mistakeRow{
		{row{"no configuration", "a file is misspelt"}, "configurations: [none.yaml]\n", "", []string{"suite.yaml: document 1 (line 3): configurations[0]: none.yaml: cannot be read: no such file or directory"}},
		{row{"bad configuration", "the mistake is in its file"}, "configurations: [bad.yaml]\n", "",
			[]string{`bad.yaml: document 1 (line 9): webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"`}},
		{row{"bad configuration inside", "the mistake is in the suite"}, "configurations:\n- policy.yaml\n- {apiVersion: v1, kind: Namespace, metadata: {lables: {}}}\n", "",
			[]string{`suite.yaml: document 1 (line 5): configurations[1]: unknown field "metadata.lables"`}},
		{row{"no webhook", "nothing would be called"}, "configurations: [{apiVersion: v1, kind: Namespace, metadata: {name: a}}]\n", "",
			[]string{"suite.yaml: document 1 (line 3): configurations: they have no webhook and no policy"}},
		{row{"objects", "they belong to requests"}, "configurations:\n- policy.yaml\n- {apiVersion: v1, kind: Pod}\n- {apiVersion: v1, kind: Service}\n", "", []string{
			"suite.yaml: document 1 (line 5): configurations[1]: kind: Pod does not describe the cluster: put objects to admit into the requests of cases",
			"suite.yaml: document 1 (line 6): configurations[2]: kind: Service does not describe the cluster: put objects to admit into the requests of cases",
		}},
		{row{"objects of a file", "it was named because of them"}, "configurations: [policy.yaml, objects/pod.yaml]\n", "",
			[]string{"objects/pod.yaml: document 1 (line 1): kind: Pod does not describe the cluster: put objects to admit into the requests of cases"}},
		{row{"namespace twice", "in a file and in short"}, "configurations: [policy.yaml, {apiVersion: v1, kind: Namespace, metadata: {name: shop}}]\nnamespaces: [{name: shop, labels: {a: b}}]\n", "",
			[]string{`suite.yaml: document 1 (line 4): namespaces[0]: metadata.name: Namespace "shop" is already given in suite.yaml: document 1 (line 3)`}},

		{row{"no CA", "its file is misspelt"}, both + "webhooks:\n- {address: 127.0.0.1:1, caFile: none.crt}\n", "",
			[]string{"suite.yaml: document 1 (line 5): webhooks[0].caFile: open none.crt: no such file or directory"}},
		{row{"no certificate", "its file is another one"}, both + "webhooks:\n- {address: 127.0.0.1:1, caFile: policy.yaml}\n", "",
			[]string{"suite.yaml: document 1 (line 5): webhooks[0].caFile: policy.yaml: holds no certificate in PEM"}},
		{row{"unknown webhook", "its name is misspelt"}, both + "webhooks:\n- {name: label, address: 127.0.0.1:1}\n", "",
			[]string{`suite.yaml: document 1 (line 5): webhooks[0].name: there is no webhook "label": there are labels/label.example.com, policies/policy.example.com`}},
		{row{"entry for no webhook", "it would never be used"}, both + "webhooks:\n- {name: policy.example.com, address: 127.0.0.1:1}\n- {name: labels/label.example.com, address: 127.0.0.1:1}\n- {address: 127.0.0.1:2}\n", "",
			[]string{"suite.yaml: document 1 (line 7): webhooks[2]: all webhooks have other entries"}},

		{row{"unknown field", "the line is that of the object"}, both, "- name: b\n  request:\n    object:\n      apiVersion: v1\n      kind: Pod\n      sepc: {}\n  expect: {}\n",
			[]string{`suite.yaml: document 1 (line 13): cases[1].request.object: unknown field "sepc"`}},
		{row{"unknown kind", "its definition is missing"}, both, "- name: b\n  request:\n    object: {apiVersion: example.com/v1, kind: Widget}\n  expect: {}\n",
			[]string{`suite.yaml: document 1 (line 10): cases[1].request.object: kind: unknown kind "Widget" in example.com/v1: add the CustomResourceDefinition that defines it to the inputs`}},
		{row{"patch that does not apply", "it is found before anything runs"}, both,
			"- name: b\n  request:\n    oldObject: {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n    patch: {type: json, content: [{op: remove, path: /data}]}\n  expect: {}\n",
			[]string{"suite.yaml: document 1 (line 11): cases[1].request: making a request to UPDATE configmaps: patch: "}},
		{row{"expectations", "all that is wrong with one case"}, both, "- name: b\n  request: {object: {apiVersion: v1, kind: Pod, sepc: {}}}\n  expect:\n    message: (\n    called:\n    - label.example.com\n    - x\n", []string{
			`suite.yaml: document 1 (line 9): cases[1].request.object: unknown field "sepc"`,
			"suite.yaml: document 1 (line 11): cases[1].expect.message: error parsing regexp: missing closing ): `(`",
			`suite.yaml: document 1 (line 14): cases[1].expect.called[1]: there is no webhook "x", but there is label.example.com, policy.example.com`,
		}},
		{row{"several cases", "one mistake does not hide another"}, both, caseOf("b", "{called: [x]}") + caseOf("c", "{called: [y.z]}"), []string{
			`suite.yaml: document 1 (line 10): cases[1].expect.called[0]: there is no webhook "x"`,
			`suite.yaml: document 1 (line 13): cases[2].expect.called[0]: there is no webhook "y.z"`,
		}},
	}, func(t *testing.T, r mistakeRow) {
		root := folder(t, map[string]string{
			"suite.yaml": head + r.text + "cases:\n" + caseOf("a", "{}") + r.cases,
			"bad.yaml":   strings.Replace(policy, "sideEffects: None", "sideEffects: Some", 1),
			"other.yaml": policy, "objects/pod.yaml": "{apiVersion: v1, kind: Pod}\n",
		})
		_, err := suite.Load([]string{root}, nil)
		got := strings.Split(said(err, root), "\n")
		if len(got) != len(r.want) {
			t.Fatalf("got %d lines, want %d:\n%s", len(got), len(r.want), strings.Join(got, "\n"))
		}
		for i := range got {
			if !strings.HasPrefix(got[i], r.want[i]) {
				t.Errorf("got  %s\nwant %s", got[i], r.want[i])
			}
		}
	})
}

// TestSuite looks at what a suite says of itself.
func TestSuite(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{"suite.yaml": head + "serial: true\nconfigurations: [policy.yaml, label.yaml]\ncases:\n" + caseOf("a", "{}") + caseOf("b", "\n    warnings: []")})
	var names []string
	for _, w := range s.Webhooks() {
		names = append(names, w.Configuration+"/"+w.Name)
	}
	if diff := cmp.Diff([]string{"policies/policy.example.com", "labels/label.example.com"}, names); diff != "" {
		t.Errorf("webhooks (-want +got):\n%s", diff)
	}
	if !s.Serial() || s.Name != "suite" || !strings.HasSuffix(s.File, "suite.yaml") || len(s.Cases) != 2 {
		t.Errorf("got %+v", s)
	}
	for field, line := range map[string]int{"": 9, "request": 10, "expect.warnings": 12, "expect.object": 11} {
		if at := s.Cases[1].At(field); at.Line != line || at.File != s.File {
			t.Errorf("%q is at %s, want line %d", field, at, line)
		}
	}
}

// TestRemarks has a word for folders in which nothing describes the cluster. A
// folder with everything that is deployed is none.
func TestRemarks(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{
		"suites/suite.yaml":    head + "configurations: [../deployed, ../objects]\ncases:\n" + caseOf("a", "{}"),
		"deployed/all.yaml":    world()["policy.yaml"] + "{apiVersion: v1, kind: Service, metadata: {name: s}}\n---\n" + smallest,
		"objects/service.yaml": "{apiVersion: v1, kind: Service, metadata: {name: s}}\n",
	})
	suites, err := suite.Load([]string{filepath.Join(root, "suites")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"objects: has no effect, because nothing in it describes the cluster"}
	for i, remark := range suites[0].Remarks {
		suites[0].Remarks[i] = strings.ReplaceAll(remark, root+string(filepath.Separator), "")
	}
	if diff := cmp.Diff(want, suites[0].Remarks); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCasesOfPrograms adds cases to a suite that was not read.
func TestCasesOfPrograms(t *testing.T) {
	t.Parallel()
	s, err := suite.New(&suitefile.Suite{Name: "go", Namespace: "default", Configs: []string{"testdata/policy.yaml"}})
	if err != nil {
		t.Fatal(err)
	}
	documents := map[string]*manifest.Document{}
	for d, err := range manifest.Documents("text", strings.NewReader("{apiVersion: v1, kind: Pod, metadata: {name: p}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n")) {
		if err != nil {
			t.Fatal(err)
		}
		documents[d.Kind.Kind] = d
	}
	made, err := s.Make("made", documents["ConfigMap"], suitefile.Expect{})
	if err != nil || made.Name != "made" || len(s.Cases) != 0 {
		t.Fatalf("made %v, %v, and the suite has %d cases", made, err, len(s.Cases))
	}
	if at := made.At("expect"); at != (manifest.Position{}) {
		t.Errorf("it stands at %s", at)
	}
	_, err = s.Make("bad", documents["ConfigMap"], suitefile.Expect{Rounds: new(int32(3)), Called: []string{"x"}})
	want := "bad: expect.rounds: 3: must be 1 or 2\n" + `bad: expect.called[0]: there is no webhook "x", but there is policy.example.com`
	if got := said(err, ""); got != want || len(s.Cases) != 0 {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	_, err = suite.New(&suitefile.Suite{Name: "empty", Namespace: "default"})
	if got, want := said(err, ""), "configurations: they have no webhook and no policy"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
