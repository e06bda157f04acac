package embedding

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"example.com/gatehouse/dispatcher/plugin"
	robots "example.com/gatehouse/examples/aggregated-apiserver/server"
	"example.com/gatehouse/internal/apiserver"
)

// isExample is set in the environment of a process that is the example.
const isExample = "EMBEDDING_EXAMPLE"

func TestMain(m *testing.M) {
	if os.Getenv(isExample) == "" {
		os.Exit(m.Run())
	}
	if err := runExample(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runExample runs the example with flags, as its command does, until standard
// input ends. It prints the address on which the example listens.
func runExample(args []string) error {
	options, err := robots.NewOptions(func(plugins *apiadmission.Plugins) { plugin.Register(plugins) })
	if err != nil {
		return err
	}
	flags := pflag.NewFlagSet("example", pflag.ContinueOnError)
	options.AddFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	options.Recommended.SecureServing.Listener = listener
	options.Recommended.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	fmt.Println(listener.Addr())
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	return options.Run(ctx)
}

// TestBehindServe starts the example with no more than the kubeconfig of
// gatehouse's API server. It becomes ready, accepts the credentials in the
// kubeconfig and no others, and has nothing to complain about.
func TestBehindServe(t *testing.T) {
	host, err := apiserver.Start(t.Context(), apiserver.Config{Admission: apiserver.DefaultAdmission("")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := host.Stop(); err != nil {
			t.Error(err)
		}
	}()
	text, err := host.Kubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, text, 0o600); err != nil {
		t.Fatal(err)
	}
	e := startExample(t, kubeconfig)
	byToken, byCertificate := e.config(t, "gatehouse"), e.config(t, "gatehouse-certificate")
	awaitReady(t, byToken)
	awaitConfigured(t, byToken)
	for name, config := range map[string]*rest.Config{"token": byToken, "certificate": byCertificate} {
		if err := listRobots(t, config); err != nil {
			t.Errorf("with the %s of the kubeconfig: %v", name, err)
		}
	}
	stranger := rest.CopyConfig(byToken)
	stranger.BearerToken = ""
	if err := listRobots(t, stranger); err == nil || !strings.Contains(err.Error(), "forbidden") {
		t.Errorf("without credentials: %v, want it forbidden", err)
	}
	if wrong := regexp.MustCompile(`(?m)^[EF]\d{4} .*`).FindAllString(e.log(t), -1); len(wrong) > 0 {
		t.Errorf("it has logged:\n%s", strings.Join(wrong, "\n"))
	}
	e.stop(t)
}

// awaitConfigured returns when the example has read all that it needs of its
// host, which is a moment after it is ready, and did not have to retry.
func awaitConfigured(t *testing.T, config *rest.Config) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	err = wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, 2*time.Minute, true, func(context.Context) (bool, error) {
		response, err := client.Get(config.Host + "/metrics")
		if err != nil {
			return false, err
		}
		body, err := io.ReadAll(response.Body)
		text = string(body)
		// Each of the two certificate authorities is read when it is found and when its
		// controller starts, which may be at once.
		authorities := regexp.MustCompile(`workqueue_work_duration_seconds_count\{name="DynamicConfigMapCABundle-client-ca"\} ([2-9]|\d\d)`)
		return strings.Contains(text, `apiserver_flowcontrol_nominal_limit_seats{priority_level="global-default"}`) &&
			strings.Contains(text, `workqueue_work_duration_seconds_count{name="RequestHeaderAuthRequestController"} 1`) &&
			strings.Contains(text, `workqueue_depth{name="DynamicConfigMapCABundle-client-ca"} 0`) &&
			authorities.MatchString(text), errors.Join(err, response.Body.Close())
	})
	retries := regexp.MustCompile(`workqueue_retries_total\{name="(RequestHeaderAuthRequestController|DynamicConfigMapCABundle-client-ca)"\} [1-9].*`)
	if again := retries.FindAllString(text, -1); err != nil || len(again) > 0 {
		t.Fatalf("the example has not read its configuration: %v; retries: %q", err, again)
	}
}

// example is a process that runs the example.
type example struct {
	command *exec.Cmd
	input   io.Closer
	// logFile has what it has logged.
	logFile *os.File
	// address is HOST:PORT, and kubeconfig leads to the host.
	address, kubeconfig string
}

// startExample starts the example with the kubeconfig of its host. The test
// must stop it.
func startExample(t *testing.T, kubeconfig string) *example {
	t.Helper()
	logFile, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	e := &example{kubeconfig: kubeconfig, logFile: logFile}
	e.command = exec.CommandContext(t.Context(), os.Args[0],
		"--kubeconfig", kubeconfig, "--bind-address", "127.0.0.1", "--data-dir", t.TempDir())
	e.command.Env = append(os.Environ(), isExample+"=yes")
	e.command.Stderr = logFile
	input, err := e.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := e.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	e.input, e.address = input, strings.TrimSpace(line)
	if err != nil {
		e.stop(t)
		t.Fatalf("the example has not printed its address: %v\n%s", err, e.log(t))
	}
	return e
}

// config returns how a client reaches the example with the credentials of a
// context of the kubeconfig.
func (e *example) config(t *testing.T, context string) *rest.Config {
	t.Helper()
	rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: e.kubeconfig}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{
		CurrentContext: context,
	}).ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	config.Host = "https://" + e.address
	// The example has made its own certificate.
	config.Insecure, config.CAData = true, nil
	return config
}

// log returns what the process has logged.
func (e *example) log(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(e.logFile.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// stop ends the process.
func (e *example) stop(t *testing.T) {
	t.Helper()
	if err := errors.Join(e.input.Close(), e.command.Wait(), e.logFile.Close()); err != nil {
		t.Errorf("the example has ended with %v", err)
	}
}

func listRobots(t *testing.T, config *rest.Config) error {
	t.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Resource(robotResource().first).List(t.Context(), metav1.ListOptions{})
	return err
}
