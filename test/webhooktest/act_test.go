package webhooktest

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// acted says, in the process that plays a test that fails, which one it is;
// actFolder is a folder for that test.
const (
	acted     = "GATEHOUSE_WEBHOOKTEST_ACT"
	actFolder = "GATEHOUSE_WEBHOOKTEST_FOLDER"
)

// acts are the tests that TestAct runs.
func acts() map[string]func(t *testing.T) {
	return map[string]func(t *testing.T){
		"cases": func(t *testing.T) {
			s := New(t, Objects(labeler, policy), wanted(), Handler(answer(deny)), Handler(answer(label), "label.example.com"))
			s.Run(t,
				Case{"refused", Create(configMap).In("shop"), Allowed().Object("data: {sky: grey}")},
				Case{"as wanted", Create(configMap), Denied()},
				Case{"misspelt", Create("kind: ConfigMap"), Denied()},
				Case{"as wanted", Create(configMap), Denied()},
				Case{"", Create(configMap), Denied()},
			)
		},
		"secret": func(t *testing.T) {
			s := New(t, Objects(policy), Handler(answer(reviewtest.Allow)))
			s.Run(t, Case{"hidden", Create("{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {key: hush}}"), Denied().Object("stringData: {key: quiet}")})
		},
		"no suite": func(t *testing.T) { New(t, Objects(policy), Handler(answer(reviewtest.Allow), "x")) },
		"do": func(t *testing.T) {
			New(t, Objects(policy), Handler(answer(reviewtest.Allow))).Do(t, Create("kind: ConfigMap"))
		},
		"files": func(t *testing.T) { Run(t, os.Getenv(actFolder), Handler(answer(deny)), UpdateGoldens(true)) },
		"files that answer": func(t *testing.T) {
			Run(t, os.Getenv(actFolder), Handler(answer(reviewtest.Allow)), Handler(answer(label), "label.example.com"), UpdateGoldens(true))
		},
		"files that disagree": func(t *testing.T) {
			folder := os.Getenv(actFolder)
			text, err := os.ReadFile(filepath.Join(folder, "labels.yaml"))
			if err == nil {
				red := strings.Replace(string(text), "shop}}", "shop}, data: {sky: red}}", 1)
				err = os.WriteFile(filepath.Join(folder, "labels_red.yaml"), []byte(red), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			Run(t, folder, Handler(answer(reviewtest.Allow)), Handler(answer(label), "label.example.com"), UpdateGoldens(true))
		},
		"files and objects":           func(t *testing.T) { Run(t, "testdata/suites", Objects(policy), Serial(), Authorizer("allow")) },
		"files and unknown webhook":   func(t *testing.T) { Run(t, "testdata/suites", Handler(answer(reviewtest.Allow), "x")) },
		"files without a suite":       func(t *testing.T) { Run(t, "testdata/webhooks") },
		"files with a broken command": func(t *testing.T) { Run(t, "testdata/broken") },
		"remark": func(t *testing.T) {
			New(t, Files("testdata/suites", "testdata/webhooks", "testdata"), Handler(answer(reviewtest.Allow)))
		},
		"no server": func(t *testing.T) {
			New(t, Objects(strings.Replace(policy, "policy.example.com/", "127.0.0.1:1/", 1))).Run(t, Case{"asks", Create(configMap), Allowed()})
		},
		"typed": func(t *testing.T) {
			s := New(t, Objects(policy), Handler(answer(reviewtest.Allow)))
			wrong := pod("web")
			wrong.Spec.Containers[0].Image, wrong.Spec.Hostname = "web:2", "web"
			s.Run(t,
				Case{"set", Create(pod("web")), Allowed().Object(wrong)},
				Case{"items", Create(pod("web")), Allowed().Object(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{}, {}}}})},
				Case{"map", Create(configMap), Allowed().Object(map[string]any{"data": map[string]any{"sky": ""}})},
			)
		},
		"panic": func(t *testing.T) {
			server := Serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("no pods") }))
			New(t, Objects(policy), ServedBy(server)).Run(t, Case{"panics", Create(configMap), Allowed()})
		},
	}
}

// TestAct is what the processes run that TestFailures starts.
func TestAct(t *testing.T) {
	act, ok := acts()[os.Getenv(acted)]
	if !ok {
		t.Skip("it is a part of TestFailures")
	}
	act(t)
}

type actRow struct {
	row
	act   string
	fails bool
	want  []string
	// never is what the output does not match.
	never []string
}

// TestFailures runs tests in processes of their own, because they are meant to
// fail.
func TestFailures(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []actRow{
		{row{"cases", "each fails alone, says why, and where it is written"}, "cases", true, []string{
			"--- FAIL: TestAct/refused", "--- PASS: TestAct/as_wanted", "--- FAIL: TestAct/misspelt",
			"act_test.go:LINE: allowed: want true, got false: ", "act_test.go:LINE: object: data.sky: want \"grey\", got \"blue\"\n",
			"CREATE configmaps/colours in shop by gatehouse: denied\n", "label.example.com (labels) allowed in",
			"act_test.go:LINE: object: document 1 (line 1): apiVersion is missing\n",
			`act_test.go:LINE: there is a case "as wanted" already`, "act_test.go:LINE: case 4 has no name",
		}, []string{"as_wanted#01", "document 0"}},
		{row{"secret", "test logs are read by many"}, "secret", true, []string{"--- FAIL: TestAct/hidden", "(hidden)"}, []string{"hush", "quiet", "aHVzaA"}},
		{row{"no suite", "there is nothing to run"}, "no suite", true, []string{`act_test.go:LINE: making the suite: Handler(…, "x"): there is no such webhook`}, nil},
		{row{"do", "there is no response"}, "do", true, []string{"act_test.go:LINE: act_test.go:LINE: object: document 1 (line 1): apiVersion is missing"}, nil},
		{row{"files", "the lines are those of the suite; what fails is not written"}, "files", true, []string{
			"--- FAIL: TestAct/labels/labelled", "labels.yaml:15: allowed: want true, got false: ", "labels.yaml:16: object: metadata.labels",
			"--- FAIL: TestAct/one_after_the_other/first",
		}, []string{"written: "}},
		{row{"files that answer", "the golden file is written"}, "files that answer", false, []string{
			"--- PASS: TestAct/labels/labelled", "--- PASS: TestAct/labels/left_alone", "--- PASS: TestAct/one_after_the_other/second", "written: ",
		}, nil},
		{row{"files that disagree", "the first case with a golden file writes it, also for other suites"}, "files that disagree", true, []string{
			"--- PASS: TestAct/labels/labelled", "--- FAIL: TestAct/labels_red/labelled", "is also the golden file of an earlier case with another final object",
		}, nil},
		{row{"files and objects", "a suite has one description"}, "files and objects", true, []string{"Objects, Authorizer: the suites say themselves what their clusters are like"}, nil},
		{row{"files and unknown webhook", "its name is misspelt"}, "files and unknown webhook", true, []string{`Handler(…, "x"): there is no such webhook: there are labels/label.example.com, policies/policy.example.com`}, nil},
		{row{"files without a suite", "a test of nothing must not pass"}, "files without a suite", true, []string{"testdata/webhooks: holds no suite"}, nil},
		{row{"files with a broken command", "what it printed may say why"}, "files with a broken command", true, []string{
			"broken.yaml: document 1 (line 7): webhooks[0].exec: ", "the command printed:\n          out of order\n          for good\n",
		}, nil},
		{row{"remark", "it may not be what was meant, and may"}, "remark", false, []string{"act_test.go:LINE: testdata: has no effect, because nothing in it describes the cluster"}, nil},
		{row{"no server", "a handler was forgotten"}, "no server", true, []string{
			"act_test.go:LINE: allowed: want true", " hint: the suite does not say where policy.example.com is: it was called at 127.0.0.1:1, as configured\n",
		}, nil},
		{row{"typed", "what is set is wanted, and the items of lists are counted"}, "typed", true, []string{
			`object: spec.containers[name=web].image: want "web:2", got "web:1"`, `object: spec.hostname: want "web", but it is absent`,
			"object: spec.containers: want 2 items, got 1", `object: data.sky: want "", got "blue"`,
		}, []string{"object: status", "object: metadata"}},
		{row{"panic", "the log has the reason of the failed call"}, "panic", true, []string{"--- FAIL: TestAct/panics", "http: panic serving 127.0.0.1:", ": no pods"}, []string{`(?m)^(http|\d{4}/)`}},
	}, playAct)
}

// playAct runs a test in a process, on a copy of the suites whose golden file
// is missing.
func playAct(t *testing.T, r actRow) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join(folder, "suites", "golden", "labelled.yaml")
	if err := os.Remove(golden); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestAct$", "-test.v")
	cmd.Env = append(os.Environ(), acted+"="+r.act, actFolder+"="+filepath.Join(folder, "suites"))
	out, err := cmd.CombinedOutput()
	if (err != nil) != r.fails {
		t.Errorf("the test ended with %v, want a failure: %t\n%s", err, r.fails, out)
	}
	said := lineNumber.ReplaceAllString(string(out), ".go:LINE")
	for _, text := range r.want {
		if !strings.Contains(said, text) {
			t.Errorf("the output lacks %q:\n%s", text, said)
		}
	}
	for _, pattern := range r.never {
		if regexp.MustCompile(pattern).MatchString(said) {
			t.Errorf("the output matches %q:\n%s", pattern, said)
		}
	}
	if _, err := os.Stat(golden); (err == nil) != strings.Contains(said, "written: ") {
		t.Errorf("looking for the golden file: %v, but the output is\n%s", err, said)
	}
}
