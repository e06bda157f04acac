package envtest

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"example.com/gatehouse/internal/apiserver"
	"example.com/gatehouse/internal/apiserver/inforce"
)

// hideLog makes klog print errors only. The flags are those of the process, so
// it changes them once.
var hideLog = sync.OnceFunc(func() {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{
		"legacy_stderr_threshold_behavior": "false", "stderrthreshold": "ERROR",
	} {
		if err := flags.Set(name, value); err != nil {
			klog.ErrorS(err, "Hiding the log failed", "flag", name)
		}
	}
})

// serverConfig returns the configuration that a suite has chosen for its
// server.
func serverConfig(s *APIServer) (apiserver.Config, error) {
	if s.SecureServing.Authn != nil {
		return apiserver.Config{}, errors.New(
			"SecureServing.Authn has a value: the server authenticates client certificates only")
	}
	//lint:ignore SA1019 Suites may still set it.
	port := cmp.Or(s.SecureServing.Port, strconv.Itoa(s.SecurePort))
	host := cmp.Or(s.SecureServing.Address, "127.0.0.1")
	config := apiserver.Config{
		Listen: net.JoinHostPort(host, port), Admission: apiserver.DefaultAdmission(""),
		RBAC: true, // as with envtest
		// Specs count the goroutines of the process.
		OpenStorage: true,
	}
	known := map[string]*string{
		"admission-control-config-file": &config.Admission.ConfigFile,
		"audit-policy-file":             &config.Audit.PolicyFile,
		"audit-log-path":                &config.Audit.LogFile,
	}
	//lint:ignore SA1019 Suites may still set Args.
	for _, flag := range append(s.Configure().AsStrings(nil), s.Args...) {
		name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if field := known[name]; field != nil {
			*field = value
		} else {
			log.Log.WithName("test-env").Info("the API server has no such flag", "flag", name)
		}
	}
	return config, nil
}

// describe writes what controller-runtime's methods of ControlPlane read.
func (te *Environment) describe(server *apiserver.Server) error {
	config := server.ClientConfig()
	address, err := url.Parse(config.Host)
	if err != nil {
		return fmt.Errorf("the server's address: %w", err)
	}
	s := te.ControlPlane.GetAPIServer()
	a := &users{server: server, apiServer: s}
	if s.CertDir == "" {
		if s.CertDir, err = os.MkdirTemp("", "gatehouse-envtest-"); err != nil {
			return err
		}
		a.temporary = s.CertDir
	}
	s.SecureServing = SecureServing{
		ListenAddr: ListenAddr{Address: address.Hostname(), Port: address.Port()},
		CA:         config.CAData, Authn: a,
	}
	if te.ControlPlane.Etcd == nil {
		te.ControlPlane.Etcd = &Etcd{}
	}
	if te.ControlPlane.KubectlPath == "" {
		te.ControlPlane.KubectlPath = kubectlPath(te.BinaryAssetsDirectory)
	}
	return nil
}

// kubectlPath returns where kubectl is, as controller-runtime looks for it, but
// that the last resort is the PATH.
func kubectlPath(folder string) string {
	if path := os.Getenv("TEST_ASSET_KUBECTL"); path != "" {
		return path
	}
	folder = cmp.Or(os.Getenv("KUBEBUILDER_ASSETS"), folder)
	return filepath.Join(folder, "kubectl")
}

// users implements Authn: it issues client certificates of a server. Because
// ControlPlane.Stop ends with Authn.Stop, it also stops the server.
type users struct {
	server    *apiserver.Server
	apiServer *APIServer
	temporary string // the folder to remove
}

// Configure implements Authn.
func (*users) Configure(string, *Arguments) error { return nil }

// Start implements Authn.
func (*users) Start() error { return nil }

// AddUser implements Authn.
func (u *users) AddUser(user User, base *rest.Config) (*rest.Config, error) {
	issued, err := u.server.UserConfig(user.Name, user.Groups...)
	if err != nil {
		return nil, err
	}
	config := rest.CopyConfig(base)
	config.CertData, config.KeyData = issued.CertData, issued.KeyData
	return config, nil
}

// Stop implements Authn. Afterwards the environment can be started again, at the
// same port as with controller-runtime.
func (u *users) Stop() error {
	u.apiServer.Authn = nil
	err := u.server.Stop()
	if u.temporary == "" {
		return err
	}
	u.apiServer.CertDir = ""
	return errors.Join(err, os.RemoveAll(u.temporary))
}

// waitInForce returns when the server calls the webhooks that Start has
// installed.
func (te *Environment) waitInForce(ctx context.Context) error {
	clients, err := discovery.NewDiscoveryClientForConfig(te.Config)
	if err != nil {
		return err
	}
	wait := func(resource string, o client.Object) error {
		return clients.RESTClient().Get().AbsPath(inforce.Path+resource, o.GetName()).
			Param("resourceVersion", o.GetResourceVersion()).Do(ctx).Error()
	}
	var errs []error
	for _, o := range te.WebhookInstallOptions.MutatingWebhooks {
		errs = append(errs, wait("mutatingwebhookconfigurations", o))
	}
	for _, o := range te.WebhookInstallOptions.ValidatingWebhooks {
		errs = append(errs, wait("validatingwebhookconfigurations", o))
	}
	return errors.Join(errs...)
}
