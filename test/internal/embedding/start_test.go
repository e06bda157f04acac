package embedding

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
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

// common makes options that all servers under test have: they listen on
// loopback, write an audit log, and find the host with a kubeconfig. It returns
// the audit log.
func common(t *testing.T, o *genericoptions.RecommendedOptions, p plugins, host *rest.Config) (auditLog string) {
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
	o.Audit.PolicyFile, o.Audit.LogOptions.Path = policy, log
	o.CoreAPI.CoreAPIKubeconfigPath = writeKubeconfig(t, host)
	o.Features.EnablePriorityAndFairness = false // its configuration would be on the host
	o.Admission.Plugins, o.Admission.RecommendedPluginOrder = p.chain()
	o.Admission.DefaultOffPlugins = nil
	return log
}

// token is what clients of servers under test show.
const token = "let-me-in"

// letIn authorizes every request that has the bearer token.
func letIn(config *genericapiserver.Config) {
	tokens := tokenfile.New(map[string]*user.DefaultInfo{token: {Name: "ann", Groups: []string{user.AllAuthenticated}}})
	config.Authentication.Authenticator = authenticator.Request(bearertoken.New(tokens))
	config.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
}

// run runs a server until stop is called, or the test ends. It returns when the
// server is ready.
func run(t *testing.T, name string, loopback *rest.Config, serve func(context.Context) error) *server {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx) }()
	config := rest.CopyConfig(loopback)
	config.BearerToken, config.QPS = token, -1
	stop := func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", name, err)
		}
		ended <- nil
	}
	awaitReady(t, config)
	return &server{name: name, config: config, stop: stop}
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
