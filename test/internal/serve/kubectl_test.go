package serve_test

import (
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testenv"
)

var update = flag.Bool("update", false, "rewrite the expectations of the scripts")

// kubectls are the commands that are tried out, each with how to find it. What
// they print differs little in all the years between them.
var kubectls = map[string]func() (string, error){
	"path": func() (string, error) { return exec.LookPath("kubectl") },
	"debian": func() (string, error) {
		path, err := filepath.Abs("../../../bin/kubernetes-client/usr/bin/kubectl")
		if err != nil {
			return "", err
		}
		if _, err := os.Stat(path); err != nil {
			return "", errors.New("there is no old kubectl: .ci/kubectl-old fetches the one of Debian")
		}
		return path, nil
	},
}

// eachKubectl runs a test with every kubectl that there is. One of them is
// enough for CI: Debian's is always to be had.
func eachKubectl(t *testing.T, test func(t *testing.T, kubectl string)) {
	t.Helper()
	t.Parallel()
	found := 0
	for name, find := range kubectls {
		kubectl, err := find()
		if err == nil {
			found++
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err != nil {
				testenv.Optional(t, err)
			}
			test(t, kubectl)
		})
	}
	if found == 0 {
		testenv.Missing(t, "there is no kubectl")
	}
}

// anyKubectl returns the first kubectl that there is, for tests of what does not depend on
// its version.
func anyKubectl(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"path", "debian"} {
		if kubectl, err := kubectls[name](); err == nil {
			return kubectl
		}
	}
	testenv.Missing(t, "there is no kubectl")
	return ""
}

// TestKubectl runs the scripts in testdata/kubectl on one server for each
// kubectl. Every script has its own namespace, with the script's name.
func TestKubectl(t *testing.T) {
	eachKubectl(t, func(t *testing.T, kubectl string) { runScripts(t, kubectl, "testdata/kubectl") })
}

// TestKubectlCustom runs the script in testdata/kubectl_custom on a server of its own:
// kubectl fails if a group ends while it discovers all groups.
func TestKubectlCustom(t *testing.T) {
	eachKubectl(t, func(t *testing.T, kubectl string) { runScripts(t, kubectl, "testdata/kubectl_custom") })
}

// TestKubectlRBAC runs the scripts in testdata/kubectl_rbac, on a server that
// enforces roles.
func TestKubectlRBAC(t *testing.T) {
	eachKubectl(t, func(t *testing.T, kubectl string) {
		runScripts(t, kubectl, "testdata/kubectl_rbac", "--authorization=RBAC", "--default-service-accounts")
	})
}

// runScripts runs the scripts in a folder on a new server.
func runScripts(t *testing.T, kubectl, folder string, args ...string) {
	t.Helper()
	hooks := process.ServeTLS(t, kubectlHooks(), "hooks.system.svc")
	s := process.Start(t, binary, append(args, "--quiet", "--resolve", "hooks.system.svc:443:"+hooks.Address)...)
	s.Config(t)
	testscript.Run(t, testscript.Params{
		Dir:                 folder,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CA_BUNDLE", base64.StdEncoding.EncodeToString(hooks.CA))
			env.Setenv("PATH", filepath.Dir(kubectl)+string(filepath.ListSeparator)+env.Getenv("PATH"))
			return enter(env, s)
		},
		Condition: func(condition string) (bool, error) {
			if condition != "tokens" {
				return false, fmt.Errorf("unknown condition %q", condition)
			}
			// kubectl before v1.24 requests no tokens.
			text, err := exec.CommandContext(t.Context(), kubectl, "create", "--help").Output()
			return strings.Contains(string(text), "\n  token "), err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"expand": expand, "inforce": inForce, "steady": steady,
		},
	})
}

// enter gives a script its own kubeconfig and home directory, because kubectl
// writes to both. It is started too often for collecting its garbage.
func enter(env *testscript.Env, s *process.Process) error {
	text, err := os.ReadFile(s.Kubeconfig)
	if err != nil {
		return err
	}
	kubeconfig, home := filepath.Join(env.WorkDir, "kubeconfig"), filepath.Join(env.WorkDir, "home")
	env.Setenv("KUBECONFIG", kubeconfig)
	env.Setenv("HOME", home)
	env.Setenv("GOGC", "400")
	return errors.Join(os.WriteFile(kubeconfig, text, 0o600), os.Mkdir(home, 0o700))
}

// kubectlHooks are the webhooks of the scripts.
func kubectlHooks() http.Handler {
	deny := func(status metav1.Status) http.Handler {
		return reviewtest.Answer(func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			return &admissionv1.AdmissionResponse{Result: &status}
		})
	}
	mux := http.NewServeMux()
	mux.Handle("/deny", deny(metav1.Status{Message: "no owner"}))
	mux.Handle("/forbid", deny(metav1.Status{Message: "not yours", Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden}))
	mux.Handle("/silent", deny(metav1.Status{}))
	mux.Handle("/broken", http.NotFoundHandler())
	mux.Handle("/warn", reviewtest.Answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{Allowed: true, Warnings: []string{"the " + strings.ToLower(string(r.Operation)) + " was noticed", "and so was the user"}}
	}))
	mux.Handle("/label", reviewtest.Answer(func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		kind := admissionv1.PatchTypeJSONPatch
		return &admissionv1.AdmissionResponse{Allowed: true, PatchType: &kind, Patch: []byte(`[{"op": "add", "path": "/metadata/labels", "value": {"by": "webhook"}}]`)}
	}))
	return mux
}

// expand replaces the variables in a file by their values.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: expand file")
	}
	text := os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// inForce waits until objects, which are given as RESOURCE/NAME, are in force,
// in the way that docs/serve.md shows.
func inForce(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: inforce resource/name...")
	}
	for _, object := range args {
		ts.Check(ts.Exec("kubectl", "get", object, "-o", "jsonpath={.metadata.resourceVersion}"))
		ts.Check(ts.Exec("kubectl", "get", "--raw", fmt.Sprintf("/gatehouse/inforce/%s?resourceVersion=%s", object, ts.ReadFile("stdout"))))
	}
}

// steady rewrites stdout or stderr into the file of its second argument,
// without what differs from run to run or from kubectl to kubectl: ages, the
// widths of columns, and blanks at the end of lines.
func steady(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: steady stdout|stderr file")
	}
	text := ts.ReadFile(args[0])
	for _, r := range []struct{ pattern, with string }{
		{`\b([0-9]+[smh])+\b`, "0s"},
		{` {3,}`, "   "},
		{`(?m) +$`, ""},
	} {
		text = regexp.MustCompile(r.pattern).ReplaceAllString(text, r.with)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}
