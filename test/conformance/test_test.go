package conformance_test

import (
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/conformance"
)

// acted is set in the process that plays a test which fails.
const acted = "GATEHOUSE_CONFORMANCE_ACT"

// acts are the tests that TestAct runs.
func acts() map[string]conformance.Subject {
	pods := []runtime.Object{probetest.Wanting("a", "pods")}
	pod := []*admission.Request{probetest.Pod(admissionv1.Create)}
	return map[string]conformance.Subject{
		"good":      {Configurations: pods, Handler: probetest.Good(), Only: []string{"C-UID"}},
		"must":      {Configurations: pods, Handler: probetest.Forgetful(), Only: []string{"C-UID"}},
		"panic":     {Configurations: pods, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("no pods") }), Requests: pod, Only: []string{"C-UID"}},
		"should":    {Configurations: pods, Handler: probetest.Wordy(), Only: []string{"C-WARNINGS"}},
		"unvisited": {Configurations: []runtime.Object{probetest.Wanting("a", "services")}, Handler: probetest.Good(), Requests: pod, Only: []string{"C-UID"}},
		"mistake":   {},
	}
}

// TestAct is what the processes run that TestTest starts.
func TestAct(t *testing.T) {
	s, ok := acts()[os.Getenv(acted)]
	if !ok {
		t.Skip("it is a part of TestTest")
	}
	conformance.Test(t, s)
}

type actCase struct {
	testtable.Row
	act   string
	fails bool
	want  []string
	// never is what the output does not match.
	never []string
}

// TestTest runs Test in processes of their own, because it is meant to fail.
func TestTest(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []actCase{
		{testtable.Row{"good", "each check is a subtest"}, "good", false, []string{"--- PASS: TestAct/C-UID", "--- PASS: TestAct"}, nil},
		{testtable.Row{"must", "it fails, and says where"}, "must", true, []string{"--- FAIL: TestAct/C-UID", `a/a.example.com: CREATE pods/sample in sample: the answer has the uid "1"`,
			"C-UID (must): echoes the uid\n", "why: In v1, kube-apiserver", "fix: Copy request.uid", "see: docs/conformance.md#c-uid-echoes-the-uid\n"}, []string{`\n\s*\n`}},
		{testtable.Row{"panic", "it is told like all the rest, within the output of the test"}, "panic", true, []string{"--- FAIL: TestAct", "http: panic serving 127.0.0.1:", ": no pods"}, []string{`(?m)^(http|\d{4}/)`}},
		{testtable.Row{"should", "it passes, and says what is wrong"}, "should", false, []string{"--- PASS: TestAct/C-WARNINGS", "a/a.example.com: CREATE pods/sample in sample: ",
			"C-WARNINGS (should): keeps warnings short\n", "fix: Write warnings of", "see: docs/conformance.md#c-warnings-keeps-warnings-short\n"}, []string{`\n\s*\n`}},
		{testtable.Row{"unvisited", "a webhook that was not checked has not passed"}, "unvisited", true, []string{"--- FAIL: TestAct", "--- SKIP: TestAct/C-UID", "a/a.example.com: no sample visits it"}, []string{`\n\s*\n`}},
		{testtable.Row{"mistake", "there is nothing to run"}, "mistake", true, []string{"--- FAIL: TestAct", "there is no webhook: give configurations or a URL"}, nil},
	}, func(t *testing.T, tc actCase) {
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestAct$", "-test.v")
		cmd.Env = append(os.Environ(), acted+"="+tc.act)
		out, err := cmd.CombinedOutput()
		if (err != nil) != tc.fails {
			t.Errorf("the test ended with %v, want a failure: %t\n%s", err, tc.fails, out)
		}
		for _, line := range tc.want {
			if !strings.Contains(string(out), line) {
				t.Errorf("the output lacks %q:\n%s", line, out)
			}
		}
		for _, pattern := range tc.never {
			if regexp.MustCompile(pattern).Match(out) {
				t.Errorf("the output matches %q:\n%s", pattern, out)
			}
		}
	})
}
