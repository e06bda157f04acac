package envtest_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/envtest"
)

type row = testtable.Row

// start starts an environment until the test ends.
func start(t *testing.T, env *envtest.Environment) client.Client {
	t.Helper()
	t.Cleanup(func() {
		if err := env.Stop(); err != nil {
			t.Error(err)
		}
	})
	config, err := env.Start()
	if err != nil {
		t.Fatal(err)
	}
	return newClient(t, config)
}

func newClient(t *testing.T, config *rest.Config) client.Client {
	t.Helper()
	c, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestEnvironmentsAreSeparate runs two servers with the same object at a time.
func TestEnvironmentsAreSeparate(t *testing.T) {
	t.Parallel()
	for range 2 {
		c := start(t, &envtest.Environment{})
		settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"}}
		if err := c.Create(t.Context(), settings); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUsers: the administrator and the users that a suite adds.
func TestUsers(t *testing.T) {
	t.Parallel()
	env := &envtest.Environment{}
	if _, err := env.AddUser(envtest.User{Name: "early"}, nil); err == nil {
		t.Error("a user was added before Start")
	}
	admin := start(t, env)
	if got := username(t, admin); got != "admin" {
		t.Errorf("Start returns a client of %s", got)
	}
	jane, err := env.AddUser(envtest.User{Name: "jane", Groups: []string{"writers"}}, &rest.Config{QPS: 7})
	if err != nil {
		t.Fatal(err)
	}
	if got := username(t, newClient(t, jane.Config())); got != "jane" || jane.Config().QPS != 7 {
		t.Errorf("AddUser returns a client of %s with %v QPS", got, jane.Config().QPS)
	}
}

func username(t *testing.T, c client.Client) string {
	t.Helper()
	var review authenticationv1.SelfSubjectReview
	if err := c.Create(t.Context(), &review); err != nil {
		t.Fatal(err)
	}
	return review.Status.UserInfo.Username
}

// TestKubectl: a suite finds kubectl in a folder of its own.
func TestKubectl(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	echo, err := exec.LookPath("echo")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(echo, filepath.Join(folder, "kubectl")); err != nil {
		t.Fatal(err)
	}
	env := &envtest.Environment{BinaryAssetsDirectory: folder}
	start(t, env)
	user, err := env.AddUser(envtest.User{Name: "jane"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kubectl, err := user.Kubectl()
	if err != nil {
		t.Fatal(err)
	}
	stdout, _, err := kubectl.Run("get", "pods")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(stdout)
	if err != nil {
		t.Fatal(err)
	}
	flag, rest, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	path := strings.TrimPrefix(flag, "--kubeconfig=")
	if _, err := os.Stat(path); err != nil || rest != "get pods" {
		t.Errorf("kubectl was called with %s: %v", text, err)
	}
}

// TestRestart: an environment that was stopped starts again at the same port.
func TestRestart(t *testing.T) {
	t.Parallel()
	env := &envtest.Environment{}
	first, err := env.Start()
	if err != nil {
		t.Fatal(err)
	}
	if err := env.Stop(); err != nil {
		t.Fatal(err)
	}
	env.KubeConfig = nil
	start(t, env)
	if first.Host != env.Config.Host {
		t.Errorf("the server moved from %s to %s", first.Host, env.Config.Host)
	}
}

// TestWebhooksAreInForce: the first request after Start calls the webhooks.
func TestWebhooksAreInForce(t *testing.T) {
	t.Parallel()
	path := "admit"
	none := admissionregistrationv1.SideEffectClassNone
	env := &envtest.Environment{WebhookInstallOptions: envtest.WebhookInstallOptions{
		ValidatingWebhooks: []*admissionregistrationv1.ValidatingWebhookConfiguration{{
			ObjectMeta: metav1.ObjectMeta{Name: "all"},
			Webhooks: []admissionregistrationv1.ValidatingWebhook{{
				Name: "all.example.com",
				ClientConfig: admissionregistrationv1.WebhookClientConfig{
					Service: &admissionregistrationv1.ServiceReference{Namespace: "a", Name: "a", Path: &path},
				},
				Rules: []admissionregistrationv1.RuleWithOperations{{
					Operations: []admissionregistrationv1.OperationType{"CREATE"},
					Rule: admissionregistrationv1.Rule{
						APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"},
					},
				}},
				SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
			}},
		}},
	}}
	c := start(t, env)
	webhooks := &env.WebhookInstallOptions
	listener, err := net.Listen("tcp", net.JoinHostPort(
		webhooks.LocalServingHost, strconv.Itoa(webhooks.LocalServingPort)))
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan string, 1)
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		called <- r.URL.Path
		http.Error(w, "", http.StatusTeapot)
	})}
	t.Cleanup(func() { _ = server.Close() })
	go func() {
		folder := webhooks.LocalServingCertDir
		_ = server.ServeTLS(listener, filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
	}()
	err = c.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"}})
	if !apierrors.IsInternalError(err) || !strings.Contains(err.Error(), "status code 418") {
		t.Errorf("got %v, want the error of the webhook", err)
	}
	if got := <-called; got != "/admit" {
		t.Errorf("the webhook was called at %s", got)
	}
}

// TestExistingCluster: an environment with the cluster of another one starts no
// server, and leaves the other one running.
func TestExistingCluster(t *testing.T) {
	t.Parallel()
	server := &envtest.Environment{}
	c := start(t, server)
	existing := true
	env := &envtest.Environment{UseExistingCluster: &existing, Config: server.Config}
	config, err := env.Start()
	if err != nil {
		t.Fatal(err)
	}
	if config.Host != server.Config.Host || len(env.KubeConfig) == 0 {
		t.Errorf("the cluster is at %s, with a kubeconfig of %d bytes", config.Host, len(env.KubeConfig))
	}
	if err := env.Stop(); err != nil {
		t.Error(err)
	}
	if got := username(t, c); got != "admin" {
		t.Errorf("afterwards the client is %s", got)
	}
}

// TestAuditFlags: the server has the flags that Start knows.
func TestAuditFlags(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	policy, log := filepath.Join(folder, "policy.yaml"), filepath.Join(folder, "log")
	const rules = "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n"
	if err := os.WriteFile(policy, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	env := &envtest.Environment{}
	env.ControlPlane.GetAPIServer().Configure().
		Set("audit-policy-file", policy).Set("audit-log-path", log).Set("feature-gates", "A=true")
	start(t, env)
	if text, err := os.ReadFile(log); err != nil || !strings.Contains(string(text), "namespaces/default") {
		t.Errorf("the audit log has %s: %v", text, err)
	}
}

func TestRefused(t *testing.T) {
	t.Setenv("KUBEBUILDER_CONTROLPLANE_START_TIMEOUT", "soon")
	type test struct {
		row
		env  envtest.Environment
		want string
	}
	authn := envtest.Environment{ControlPlaneStartTimeout: time.Minute}
	authn.ControlPlane.GetAPIServer().SecureServing.Authn = other{}
	testtable.Run(t, []test{
		{row{"timeout", "the variable is a duration"}, envtest.Environment{}, "KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: time: invalid duration"},
		{row{"too late", "the field bounds the start"}, envtest.Environment{ControlPlaneStartTimeout: 1}, "context deadline exceeded"},
		{row{"authenticator", "its users would be refused"}, authn, "SecureServing.Authn has a value"},
	}, func(t *testing.T, r test) {
		if _, err := r.env.Start(); err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("got %v, want %s", err, r.want)
		}
	})
}

// TestMissingFolder: as in controller-runtime, the server runs until Stop.
func TestMissingFolder(t *testing.T) {
	t.Parallel()
	env := &envtest.Environment{ErrorIfCRDPathMissing: true, CRDDirectoryPaths: []string{"missing"}}
	if _, err := env.Start(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if err := env.Stop(); err != nil {
		t.Error(err)
	}
}

// other is an authenticator of a suite.
type other struct{ envtest.Authn }
