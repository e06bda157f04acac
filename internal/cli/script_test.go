package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"

	"example.com/gatehouse/examples/quickstart"
	"example.com/gatehouse/internal/cli/demo/server"
	"example.com/gatehouse/internal/cli/program"
	"example.com/gatehouse/internal/testutil/forwardtest"
	"example.com/gatehouse/internal/testutil/leaktest"
)

var update = flag.Bool("update", false, "rewrite the expectations of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(leakChecked{m}, map[string]func(){
		"gatehouse": func() { program.Main(context.Background(), New()) },
		"webhook":   serveWebhook,
	})
}

// leakChecked looks for goroutines that are left when all tests have passed.
// goleak's own VerifyTestMain cannot be combined with testscript's Main.
type leakChecked struct{ m *testing.M }

func (l leakChecked) Run() int {
	// Most of what commands allocate is garbage when they end.
	debug.SetGCPercent(400)
	// Some tests wait for timeouts of up to 30 s: others have the processors meanwhile.
	if err := flag.Set("test.parallel", "4"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := l.m.Run()
	if code != 0 {
		return code
	}
	// It offers an error for a second that only a caller of Wait receives.
	offers := goleak.IgnoreTopFunction("github.com/moby/spdystream.(*Connection).shutdown")
	if err := leaktest.Find(offers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// TestScripts runs the scripts in testdata. They find the quickstart's files in
// $WORK/quickstart, the webhooks of real projects in $WORK/incident, the policies of
// Kubernetes' documentation in $WORK/pages, the CA of its running webhooks in $WORK/ca.crt, and in
// $LABEL, $INJECT, $IMAGES and $SLOW the values for --resolve. $HOOKS, or the
// address $HOOKS_ADDRESS, and hooks.crt lead to further webhooks (see
// hookServer), and the command webhook serves webhooks itself (see
// serveWebhook). $CLUSTER is the API server of a cluster whose Services all lead to
// $HOOKS_ADDRESS.
func TestScripts(t *testing.T) {
	server, err := server.Start()
	if err != nil {
		t.Fatalf("starting the webhooks: %v", err)
	}
	// The scripts run in parallel and end before the cleanup.
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("closing the webhooks: %v", err)
		}
	})
	hooks := serveHooks(t)
	t.Cleanup(hooks.Close)
	cluster := &forwardtest.Server{Backend: hooks.Listener.Addr().String()}
	cluster.Start(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CLUSTER", cluster.URL)
			return setUp(env, server, hooks)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"normal": normal, "valid": valid, "expand": expand, "await": await, "gone": gone,
			"status": status, "page": page, "tutorial": tutorial,
			"readme": readme, "step": step,
		},
	})
}

func setUp(env *testscript.Env, server *server.Server, hooks *hookServer) error {
	dir := filepath.Join(env.WorkDir, "quickstart")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"webhooks.yaml", "objects.yaml"} {
		content, err := quickstart.Files().ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	if err := copyProjects(env.WorkDir); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(env.WorkDir, "pages"), os.DirFS("testdata/pages")); err != nil {
		return err
	}
	for variable, host := range map[string]string{
		"LABEL": "label-defaulter", "INJECT": "sidecar-injector", "IMAGES": "image-policy", "SLOW": "slow",
	} {
		env.Setenv(variable, host+".webhooks.svc:443:"+server.Addr())
	}
	env.Setenv("HOOKS", "hooks.webhooks.svc:443:"+hooks.Listener.Addr().String())
	env.Setenv("HOOKS_ADDRESS", hooks.Listener.Addr().String())
	if err := os.WriteFile(filepath.Join(env.WorkDir, "hooks.crt"), hooks.caBundle, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(env.WorkDir, "ca.crt"), server.CABundle(), 0o600)
}

// projects are the projects whose webhooks are in the folder "incident" of
// scripts: those that a cluster often has, and that many incidents are about.
var projects = []string{"cert-manager", "gatekeeper", "istio", "kyverno", "linkerd", "vault"}

func copyProjects(workDir string) error {
	dir := filepath.Join(workDir, "incident")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, name := range projects {
		content, err := os.ReadFile("../../admission/registration/testdata/projects/" + name + ".yaml")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// normal rewrites stdout or stderr into the file of its second argument,
// without what differs from run to run or between machines: times, ports, uids,
// whether a connection was there already, ciphers, and the column widths that
// follow from them.
func normal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: normal stdout|stderr file")
	}
	text := withoutTimes(ts.ReadFile(args[0]))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// withoutTimes replaces what differs, as normal says.
func withoutTimes(text string) string {
	for _, r := range []struct{ pattern, with string }{
		{`\b[0-9.]+(µs|ms|s)( +)(yes|no|-) `, "T$2$3 "},
		{`"(seconds|begin|connect|tls|wait|read|milliseconds)": [0-9.e-]+`, `"$1": T`},
		{`\n *"reused": true,`, ""},
		{`(connection reused|(connect|TLS|wait|read) [0-9.]+[µm]?s)(, (TLS|wait|read) [0-9.]+[µm]?s)*`, "TIMES"},
		{` in [0-9.]+[µm]?s([\n: ])`, " in T$1"},
		{`(\(|\t)[0-9]+\.[0-9]{2,3}s([)\n])`, "${1}T$2"},
		{`\t\(cached\)\n`, "\tT\n"},
		{` time="[0-9.]+"`, ` time="T"`},
		{`TLS_[A-Z0-9_]+`, "CIPHER"},
		{`127\.0\.0\.1:[0-9]+`, "ADDR"},
		{`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`, "UID"},
		{`([^\s│]) {3,}`, "$1   "},
	} {
		text = regexp.MustCompile(r.pattern).ReplaceAllString(text, r.with)
	}
	return text
}

// status runs a command that must end with a status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	got := 0
	var ended *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
		got = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("status %d, want %s", got, want)
	}
}
