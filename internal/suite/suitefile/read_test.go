package suitefile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

// readCase is a suite that can be read, and what it says besides the usual.
type readCase struct {
	row
	input string
	want  []string
}

// What the shortest suite says.
const (
	podText  = `testdata/pod.yaml:2  Pod {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}}`
	usual    = "name: suite|file: testdata/suite.yaml|configs: [testdata/webhooks.yaml]|namespace: default|case: a (line 4): " + podText + " expects {}"
	inlineAs = `{"apiVersion":"gatehouse/v1alpha1","kind":"AdmissionRequest",`
)

func readCases() []readCase {
	return slices.Concat(headCases(), webhookCases(), requestCases(), expectCases())
}

func headCases() []readCase {
	return []readCase{
		{row{"least", "all else has a default"}, whole(""), nil},
		{row{"name", "two suites in files of one name need others"}, whole("name: my suite\n"), []string{"name: my suite"}},
		{row{"settings", "each is taken"}, whole("authorizer: allow\nrecursive: true\nserial: true\ndefaults: {namespace: shop, dryRun: true}\n"),
			[]string{"authorizer: allow", "recursive: true", "serial: true", "namespace: shop", "dryRun: true"}},
		{row{"user", "all of it counts: no group is added"}, whole("defaults: {userInfo: {username: ann, groups: [tea]}}\n"),
			[]string{`user: {"username":"ann","groups":["tea"]}`}},
		{row{"configurations", "files, folders and objects; paths are relative to the suite"},
			head + "configurations: [../read.go, folder, {apiVersion: v1, kind: Namespace}]\n" + cases,
			[]string{"configs: [read.go testdata/folder]", `inline: testdata/suite.yaml:3 configurations[2] Namespace {"apiVersion":"v1","kind":"Namespace"}`}},
		{row{"namespaces", "they become objects, with the lines of what is written"},
			whole("namespaces:\n- name: shop\n- name: lab\n  labels: {tea: green, kubernetes.io/metadata.name: lab}\n"),
			[]string{
				`inline: testdata/suite.yaml:6 namespaces[0] Namespace {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}}`,
				`inline: testdata/suite.yaml:7 namespaces[1] Namespace {"apiVersion":"v1","kind":"Namespace","metadata":{"labels":{"kubernetes.io/metadata.name":"lab","tea":"green"},"name":"lab"}}`,
			}},
		{row{"JSON", "programs write it"}, `{"apiVersion":"gatehouse/v1alpha1","kind":"AdmissionTest","configurations":["webhooks.yaml"],
			"name":"j",` + "\n" + `"cases":[
{"name":"a","request":"pod.yaml","expect":{}}]}`, []string{"name: j"}},
	}
}

func webhookCases() []readCase {
	return []readCase{
		{row{"address", "IPv6 needs brackets"}, whole("webhooks: [{address: '[::1]:8443', caFile: pod.yaml}]\n"),
			[]string{`webhook: {"address":"[::1]:8443","caFile":"testdata/pod.yaml"}`}},
		{row{"several", "with a configuration's name, without, and the rest"},
			whole("webhooks: [{name: shop/a.example.com, address: 'a:1'}, {name: a.example.com, address: 'b:65535'}, {address: 'c:1'}]\n"),
			[]string{`webhook: {"name":"shop/a.example.com","address":"a:1"}`, `webhook: {"name":"a.example.com","address":"b:65535"}`, `webhook: {"address":"c:1"}`}},
		{row{"command", "it runs in the folder of the suite"}, whole("webhooks: [{exec: {command: [./serve]}}]\n"),
			[]string{`webhook: {"exec":{"command":["./serve"],"workingDir":"testdata"}}`}},
		{row{"all of a command", "everything is kept"},
			whole("webhooks:\n- exec:\n    command: [go, run, .]\n    env: [{name: A_B, value: $(PORT)}, {name: c}]\n    workingDir: folder\n" +
				"    port: 9443\n    readiness: {path: /readyz}\n    startSeconds: 600\n    stopSeconds: 60\n"),
			[]string{`webhook: {"exec":{"command":["go","run","."],"env":[{"name":"A_B","value":"$(PORT)"},{"name":"c"}],"workingDir":"testdata/folder",` +
				`"port":9443,"readiness":{"path":"/readyz"},"startSeconds":600,"stopSeconds":60}}`}},
		{row{"log", "a regular expression"}, whole("webhooks: [{exec: {command: [a], readiness: {log: '^ready .*$'}}}]\n"),
			[]string{`webhook: {"exec":{"command":["a"],"workingDir":"testdata","readiness":{"log":"^ready .*$"}}}`}},
	}
}

func requestCases() []readCase {
	inline := func(fields, rest string) string {
		return "case: a (line 5): testdata/suite.yaml:6 cases[0].request AdmissionRequest " + inlineAs + fields + "} expects " + rest
	}
	return []readCase{
		{row{"request in a file", "it is of whatever kind"}, one("request: request.yaml\nexpect: {}\n"),
			[]string{`case: a (line 5): testdata/request.yaml:1  AdmissionRequest {"apiVersion":"gatehouse/v1alpha1","kind":"AdmissionRequest","object":{"apiVersion":"v1","kind":"Pod"}} expects {}`}},
		{row{"request", "what it is follows from where it stands"}, one("request:\n  object: {apiVersion: v1, kind: Pod}\nexpect: {allowed: true}\n"),
			[]string{inline(`"object":{"apiVersion":"v1","kind":"Pod"}`, `{"allowed":true}`)}},
		{row{"request with a kind", "it may be copied from a file"},
			one("request: {apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, object: {apiVersion: v1, kind: Pod}}\nexpect: {}\n"),
			[]string{inline(`"object":{"apiVersion":"v1","kind":"Pod"}`, `{}`)}},
		{row{"objects in files", "they are put where they are named"}, one("request: {oldObject: pod.yaml, object: pod.yaml}\nexpect: {}\n"),
			[]string{inline(`"object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}},"oldObject":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}}`, `{}`)}},
		{row{"apply of a file", "it is about an object"}, one("request: {patch: {type: apply, content: pod.yaml}}\nexpect: {}\n"),
			[]string{inline(`"patch":{"content":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}},"type":"apply"}`, `{}`)}},
		{row{"patch in a file", "it need have no kind"}, one("request: {patch: {type: merge, content: patch.yaml}}\nexpect: {}\n"),
			[]string{inline(`"patch":{"content":{"spec":{"priority":1}},"type":"merge"}`, `{}`)}},
	}
}

func expectCases() []readCase {
	says := func(expect string) []string {
		return []string{"case: a (line 5): " + podText + " expects " + expect}
	}
	return []readCase{
		{row{"denial", "it goes without saying that it is one"}, expecting("code: 403\nreason: ''\nmessage: never\nobject: {spec: {}}\n"),
			says(`{"code":403,"reason":"","message":"never","object":{"spec":{}}}`)},
		{row{"golden", "a path is relative to the suite, and need not lead to anything yet"}, expecting("golden: golden/a.yaml\n"),
			says(`{"golden":"testdata/golden/a.yaml"}`)},
		{row{"nulls that say something", "in objects and operations null is a value, and an annotation that must not be there has none"},
			expecting("object: {a: null}\npatch: [{op: add, path: /a, value: null}]\nauditAnnotations: {a: null}\nwebhooks: [{name: a, patch: [{op: add, path: /a, value: null}], auditAnnotations: {a: null}}]\n"),
			says(`{"patch":[{"op":"add","path":"/a","value":null}],"object":{"a":null},"webhooks":[{"name":"a","patch":[{"op":"add","path":"/a","value":null}],"auditAnnotations":{"a":null}}],"auditAnnotations":{"a":null}}`)},
		{row{"nothing at all", "an empty list says that there is none"},
			expecting("warnings: []\npatch: []\ncalled: []\n"), says(`{"warnings":[],"patch":[],"called":[]}`)},
		{row{"webhooks", "each field is kept"},
			expecting("rounds: 2\ncalled: [a, shop/b]\nauditAnnotations: {a/b: c, d/e: null}\nwebhooks:\n- {name: a, times: 2, outcome: failed open, patch: [], warnings: [w]}\n" +
				"- {name: shop/b, why: '^rules'}\n- {name: c, called: false, times: 0}\n- {name: d, times: 0}\n"),
			says(`{"called":["a","shop/b"],"webhooks":[{"name":"a","times":2,"outcome":"failed open","patch":[],"warnings":["w"]},` +
				`{"name":"shop/b","why":"^rules"},{"name":"c","called":false,"times":0},{"name":"d","times":0}],"rounds":2,"auditAnnotations":{"a/b":"c","d/e":null}}`)},
		{row{"policies", "each field and each outcome is kept"},
			expecting("policies:\n- {name: p, times: 2, outcome: failed, message: '^no'}\n- {name: p/b, why: '^rules'}\n- {name: q, evaluated: false}\n" +
				"- {name: r, evaluated: true, outcome: error}\n- {name: s, outcome: passed}\n- {name: t, outcome: applied}\n- {name: u, outcome: skipped}\n"),
			says(`{"policies":[{"name":"p","times":2,"outcome":"failed","message":"^no"},{"name":"p/b","why":"^rules"},{"name":"q","evaluated":false},` +
				`{"name":"r","evaluated":true,"outcome":"error"},{"name":"s","outcome":"passed"},{"name":"t","outcome":"applied"},{"name":"u","outcome":"skipped"}]}`)},
	}
}

// looseCases can be read, although no schema would advise to write them.
func looseCases() []readCase {
	return []readCase{
		{row{"nulls", "they are as good as absent"}, whole("name:\nnamespaces:\nauthorizer:\nwebhooks:\nserial:\ndefaults:\n"), nil},
		{row{"what else is wrong", "is for package requestfile to say"}, one("request: {object: 7, patch: later}\nexpect: {}\n"),
			[]string{`case: a (line 5): testdata/suite.yaml:6 cases[0].request AdmissionRequest ` + inlineAs + `"object":7,"patch":"later"} expects {}`}},
		{row{"what an expectation cannot mean", "is for those who compare"}, expecting("message: a(\nobject: 7\n"),
			[]string{"case: a (line 5): " + podText + ` expects {"message":"a(","object":7}`}},
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	testtable.Run(t, slices.Concat(readCases(), looseCases()), func(t *testing.T, tc readCase) {
		d := only(t, tc.input)
		if !suitefile.Is(d) {
			t.Fatalf("%s is said to be no suite", d.Kind)
		}
		s, err := suitefile.Read(d)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.DeleteFunc(describe(s), func(line string) bool {
			return !slices.Contains(tc.want, line) && slices.Contains(strings.Split(usual, "|"), line)
		})
		if diff := cmp.Diff(tc.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestIs has kinds that are nearly right, and others.
func TestIs(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		head string
		want bool
	}
	testtable.Run(t, []test{
		{row{"version", "a later one is for a later gatehouse"}, "apiVersion: gatehouse/v1\nkind: AdmissionTest", true},
		{row{"group", "it is easily mistaken"}, "apiVersion: gatehouse.io/v1alpha1\nkind: AdmissionTest", true},
		{row{"case", "it is easily mistaken"}, "apiVersion: gatehouse/v1alpha1\nkind: admissiontest", true},
		{row{"plural", "there are several tests in it"}, "apiVersion: gatehouse/v1alpha1\nkind: AdmissionTests", true},
		{row{"report", "it is about suites"}, "apiVersion: gatehouse/v1alpha1\nkind: AdmissionTestReport", false},
		{row{"request", "it is of the same group"}, "apiVersion: gatehouse/v1alpha1\nkind: AdmissionRequest", false},
	}, func(t *testing.T, tc test) {
		if got := suitefile.Is(only(t, tc.head+"\n")); got != tc.want {
			t.Errorf("got %t", got)
		}
	})
}

// TestLeast is what TestRead leaves out.
func TestLeast(t *testing.T) {
	t.Parallel()
	s, err := suitefile.Read(only(t, whole("")))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(usual, "|"), describe(s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// anchored says twice what it has written once.
const anchored = head + cluster + `cases:
- name: a
  request: &ask
    object: &pod
      apiVersion: v1
      kind: Pod
      spec: {}
  expect: &all {called: [a.example.com]}
- name: b
  request: {<<: *ask, namespace: shop}
  expect: *all
- name: c
  request:
    oldObject: *pod
    object: {<<: *pod, spec: {priority: 1}}
  expect: {<<: *all, rounds: 3}
`

// TestAnchors reads a suite that says nothing twice.
func TestAnchors(t *testing.T) {
	t.Parallel()
	_, err := suitefile.Read(only(t, anchored))
	if got, want := testtable.Text(err), here+": document 1 (line 19): cases[2].expect.rounds: 3: must be 1 or 2"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	s, err := suitefile.Read(only(t, strings.Replace(anchored, "rounds: 3", "rounds: 2", 1)))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"name: suite", "file: " + here, "configs: [testdata/webhooks.yaml]", "namespace: default",
		`case: a (line 5): testdata/suite.yaml:6 cases[0].request AdmissionRequest ` + inlineAs + `"object":{"apiVersion":"v1","kind":"Pod","spec":{}}} expects {"called":["a.example.com"]}`,
		`case: b (line 12): testdata/suite.yaml:13 cases[1].request AdmissionRequest ` + inlineAs + `"namespace":"shop","object":{"apiVersion":"v1","kind":"Pod","spec":{}}} expects {"called":["a.example.com"]}`,
		`case: c (line 15): testdata/suite.yaml:16 cases[2].request AdmissionRequest ` + inlineAs +
			`"object":{"apiVersion":"v1","kind":"Pod","spec":{"priority":1}},"oldObject":{"apiVersion":"v1","kind":"Pod","spec":{}}} expects {"called":["a.example.com"],"rounds":2}`,
	}
	if diff := cmp.Diff(want, describe(s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStandardInput has a file name that is none.
func TestStandardInput(t *testing.T) {
	t.Parallel()
	input := head + "configurations: [testdata]\ncases: [{name: a, request: testdata/pod.yaml, expect: {golden: a.yml}}]\nnamespaces: [{name: b}]\nwebhooks: [{address: 'a:1', caFile: '-'}]\n"
	for d, err := range manifest.Files([]string{"-"}, strings.NewReader(input)) {
		if err != nil {
			t.Fatal(err)
		}
		s, err := suitefile.Read(d)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"name: standard input", "file: standard input", "configs: [testdata]",
			`inline: standard input:5 namespaces[0] Namespace {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"b"}}`,
			`webhook: {"address":"a:1","caFile":"./-"}`,
			"namespace: default", "case: a (line 4): " + podText + ` expects {"golden":"a.yml"}`,
		}
		if diff := cmp.Diff(want, describe(s)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestParts takes objects out of requests: files that many name are read once,
// but belong to each of them.
func TestParts(t *testing.T) {
	t.Parallel()
	s, err := suitefile.Read(only(t, head+cluster+`cases:
- {name: a, request: {object: pod.yaml}, expect: {}}
- {name: b, request: {object: pod.yaml}, expect: {}}
- {name: c, request: pod.yaml, expect: {}}
`))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[*manifest.Document]bool{s.Cases[2].Request: true}
	for _, c := range s.Cases[:2] {
		object, err := c.Request.Part("object")
		if err != nil {
			t.Fatal(err)
		}
		if object.Position.String() != "testdata/pod.yaml: document 1 (line 2)" || object.Item != "" || seen[object] {
			t.Errorf("the object is %s %s, seen before: %t", object.Position, object.Item, seen[object])
		}
		seen[object] = true
	}
}
