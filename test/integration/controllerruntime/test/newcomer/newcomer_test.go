package newcomer

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	backupsv1 "example.com/backups/api/v1"
	"example.com/backups/test/served"
	"example.com/gatehouse/test/integration/findings"
)

// plan is the first object of the user.
const plan = `apiVersion: backups.example.com/v1
kind: Plan
metadata: {name: shop, namespace: shop}
spec: {claim: shop}
`

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	ctrl.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

func TestNewcomer(t *testing.T) {
	certificates := findings.Certify(t, served.Service)
	j := &journey{T: t, command: findings.Command(t), folder: t.TempDir()}
	j.reach = []string{"--ca-file", filepath.Join(certificates, "ca.crt"),
		"--resolve", served.Service + ":443:" + served.Webhooks(t, certificates)}
	j.copyProject()
	j.write("plan.yaml", plan)
	j.write("hasty.yaml", strings.Replace(plan, "claim: shop", `claim: shop, schedule: "@hourly"`, 1))

	j.step("validate", 0, `"validating-webhook-configuration" is valid`, "validate", "-R", "-f", "config")
	j.step("run", 0, "admitted  plans.backups.example.com/shop", j.through("run", "plan.yaml")...)
	j.step("a denial", 1, "denied    plans.backups.example.com/shop", j.through("run", "hasty.yaml")...)
	j.step("explain", 0, `spec.schedule: "0 3 * * *" by mplan-v1.kb.io`, j.through("explain", "plan.yaml", "--field", "spec.schedule")...)
	j.step("report", 0, "admitted", j.through("run", "plan.yaml", "--report", "report.html")...)
	j.step("conformance", 0, "", j.through("conformance", "plan.yaml", "--baseline", "baseline.yaml", "--write-baseline")...)
	j.step("first suite", 0, "", append(j.through("test", "plan.yaml", "hasty.yaml"), "--init", "suite.yaml")...)
	j.step("suites", 0, "2 passed, 0 failed", "test", "suite.yaml")
	j.goTest()
	j.serve()
}

// journey is what the user has.
type journey struct {
	*testing.T
	command, folder string
	// reach are the flags with which the command reaches the webhooks.
	reach []string
}

// through returns the arguments of a command that calls the webhooks.
func (j *journey) through(command string, args ...string) []string {
	return append(append([]string{command, "-R", "-f", "config"}, j.reach...), args...)
}

// step runs the command and checks its exit status and what it prints.
func (j *journey) step(name string, status int, says string, args ...string) {
	j.Helper()
	began := time.Now()
	cmd := j.program(j.command, args...)
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != status || !strings.Contains(string(out), says) {
		j.Fatalf("gatehouse %s: status %d (%v), want %d and %q:\n%s", strings.Join(args, " "), got, err, status, says, out)
	}
	j.Logf("%-12s %6.2fs", name, time.Since(began).Seconds())
}

func (j *journey) program(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(j.Context(), name, args...)
	cmd.Dir = j.folder
	return cmd
}

func (j *journey) write(name, text string) {
	j.Helper()
	if err := os.WriteFile(filepath.Join(j.folder, name), []byte(text), 0o600); err != nil {
		j.Fatal(err)
	}
}

// copyProject copies the project as a user clones it, and tells its go.mod where
// gatehouse is.
func (j *journey) copyProject() {
	j.Helper()
	project, err := filepath.Abs("../..")
	if err != nil {
		j.Fatal(err)
	}
	if err := os.CopyFS(j.folder, os.DirFS(project)); err != nil {
		j.Fatal(err)
	}
	gatehouse := filepath.Join(project, "../../..")
	if out, err := j.program("go", "mod", "edit", "-replace", "example.com/gatehouse="+gatehouse).CombinedOutput(); err != nil {
		j.Fatalf("%v\n%s", err, out)
	}
}

// goTest runs the project's own suite, as kubebuilder scaffolds it.
func (j *journey) goTest() {
	j.Helper()
	began := time.Now()
	if out, err := j.program("go", "test", "-vet=off", "-ldflags=-w", "-run=TestPlans", "./test/suite").CombinedOutput(); err != nil {
		j.Fatalf("go test: %v\n%s", err, out)
	}
	j.Logf("%-12s %6.2fs", "go test", time.Since(began).Seconds())
}

// serve starts an API server and creates a plan in it.
func (j *journey) serve() {
	j.Helper()
	began := time.Now()
	kubeconfig := filepath.Join(j.folder, "kubeconfig")
	cmd := j.program(j.command, j.through("serve", "--skip-unknown", "--write-kubeconfig", kubeconfig)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		j.Fatal(err)
	}
	created, failed := j.create(kubeconfig)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		j.Error(err)
	}
	if err := cmd.Wait(); err != nil || failed != nil {
		j.Fatalf("gatehouse serve: %v, %v\n%s", failed, err, &out)
	}
	if schedule, _, _ := unstructured.NestedString(created.Object, "spec", "schedule"); schedule != "0 3 * * *" {
		j.Errorf("the created plan has the schedule %q, want that of the webhook", schedule)
	}
	j.Logf("%-12s %6.2fs", "serve", time.Since(began).Seconds())
}

// create creates a plan when the server is ready.
func (j *journey) create(kubeconfig string) (*unstructured.Unstructured, error) {
	ready := func(context.Context) (bool, error) {
		_, err := os.Stat(kubeconfig)
		return err == nil, nil
	}
	if err := wait.PollUntilContextTimeout(j.Context(), 10*time.Millisecond, 2*time.Minute, true, ready); err != nil {
		return nil, err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"claim": "shop"}}}
	object.SetAPIVersion(backupsv1.GroupVersion.String())
	object.SetKind("Plan")
	object.SetName("shop")
	return client.Resource(backupsv1.GroupVersion.WithResource("plans")).Namespace("default").
		Create(j.Context(), object, metav1.CreateOptions{})
}
