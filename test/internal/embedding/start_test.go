package embedding

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	apiadmission "k8s.io/apiserver/pkg/admission"
	webhookinitializer "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/token/tokenfile"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// environment is what servers under test find.
type environment struct {
	// host leads to the API server that has the configurations.
	host  *rest.Config
	hooks *hooks
	// run makes namespaces unique: the metrics of the process remain when a
	// test runs again.
	run int64
}

// runs counts environments.
var runs atomic.Int64

func newEnvironment(t *testing.T) environment {
	t.Helper()
	return environment{startHost(t), serveHooks(t), runs.Add(1)}
}

// namespaceOf returns the namespace of a scenario in a kind of server with a
// set of plugins.
func (e environment) namespaceOf(kind, scenario, plugins string) string {
	return fmt.Sprintf("%s-%s-%s-%d", kind, scenario, plugins, e.run)
}

// common makes options that all servers under test have: they listen on
// loopback, write an audit log, find the host with a kubeconfig, and have
// credentials for webhooks and static manifests. It sets the audit log of s.
func (e environment) common(t *testing.T, o *genericoptions.RecommendedOptions, p plugins, s *server) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.SecureServing.Listener = listener
	o.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	o.SecureServing.ExternalAddress = net.IPv4(127, 0, 0, 1)
	o.SecureServing.ServerCert.CertDirectory = t.TempDir()
	policy, log := writeAuditPolicy(t, auditPolicy)
	o.Audit.PolicyFile, o.Audit.LogOptions.Path, s.audit = policy, log, log
	o.CoreAPI.CoreAPIKubeconfigPath = writeKubeconfig(t, e.host)
	o.Admission.Plugins, o.Admission.RecommendedPluginOrder = p.chain()
	o.Admission.DefaultOffPlugins = nil
	o.Admission.ConfigFile = admissionConfig(t, e.hooks, s.first.Group, s.static)
	o.ExtraAdmissionInitializers = func(*genericapiserver.RecommendedConfig) ([]apiadmission.PluginInitializer, error) {
		return append(p.initialize, webhookinitializer.NewPluginInitializer(nil, e.hooks)), nil
	}
}

// token is what clients of servers under test show.
const token = "let-me-in"

// letIn authorizes every request that has the bearer token.
func letIn(config *genericapiserver.Config) {
	tokens := tokenfile.New(map[string]*user.DefaultInfo{token: {Name: "ann", Groups: []string{user.AllAuthenticated}}})
	config.Authentication.Authenticator = authenticator.Request(bearertoken.New(tokens))
	config.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
}

// run adds phones to a server and runs it until stop is called. It returns when
// the server is ready.
func (s *server) run(t *testing.T, generic *genericapiserver.GenericAPIServer, serve func(context.Context) error) {
	t.Helper()
	installPhones(t, generic)
	s.id = generic.APIServerID
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx) }()
	s.config = rest.CopyConfig(generic.LoopbackClientConfig)
	s.config.BearerToken, s.config.QPS = token, -1
	s.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		ended <- nil
	}
	awaitReady(t, s.config)
}

func awaitReady(t *testing.T, config *rest.Config) {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	err = wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, 2*time.Minute, true, func(ctx context.Context) (bool, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host+"/readyz", nil)
		if err != nil {
			return false, err
		}
		response, err := client.Do(request)
		if err != nil {
			return false, nil //nolint:nilerr // it does not listen yet
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
	if err != nil {
		t.Fatalf("the server does not become ready: %v", err)
	}
}

// writeKubeconfig returns a file that leads to where config does.
func writeKubeconfig(t *testing.T, config *rest.Config) string {
	t.Helper()
	file := clientcmdapi.NewConfig()
	file.Clusters["host"] = &clientcmdapi.Cluster{
		Server: config.Host, CertificateAuthorityData: config.CAData, TLSServerName: config.ServerName,
	}
	file.AuthInfos["me"] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	file.Contexts["host"] = &clientcmdapi.Context{Cluster: "host", AuthInfo: "me"}
	file.CurrentContext = "host"
	path := filepath.Join(t.TempDir(), "host.kubeconfig")
	if err := clientcmd.WriteToFile(*file, path); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
