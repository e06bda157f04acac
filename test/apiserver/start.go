package apiserver

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/apiserver"
	"example.com/gatehouse/internal/apiserver/install"
	"example.com/gatehouse/internal/apiserver/serviceresolver"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/resolve"
)

// startTimeout bounds the start of a server on a busy machine.
const startTimeout = time.Minute

// Options configure a server. The zero value is a server with temporary data
// that connects to webhooks on this machine only.
type Options struct {
	// Handlers replace services. The key is NAMESPACE/NAME or, for one port,
	// NAMESPACE/NAME:PORT. The server calls them without TLS, and they need no
	// caBundle.
	Handlers map[string]http.Handler
	// Resolve overrides the addresses of services and URLs: HOST:PORT:ADDR or
	// HOST:PORT:ADDR:PORT. The host of a service is NAME.NAMESPACE.svc. The
	// certificate must be valid for HOST and the caBundle.
	Resolve []string
	// Anywhere allows connections to webhooks on other machines. By default
	// such a call fails, unless the webhook has a handler or a route.
	Anywhere bool
	// AdmissionConfigFile is the path of an AdmissionConfiguration, as for
	// kube-apiserver. The default is none.
	AdmissionConfigFile string
	// AuditPolicyFile and AuditLogFile are the paths of the audit policy and of
	// the audit log. The default is no log; each requires the other.
	AuditPolicyFile, AuditLogFile string
	// CollectGarbage makes the server delete or orphan the dependents of deleted
	// objects. The default is false, as with envtest.
	CollectGarbage bool
	// DataDir is a folder for data that outlives the server. The default is a
	// temporary folder.
	DataDir string
	// RBAC makes the server enforce the stored roles, with the administrator in
	// the group system:masters. The default is false: every client may do
	// everything. If a manager uses the token of its own service account, a
	// test with RBAC shows the rules that its role lacks.
	RBAC bool
	// DefaultServiceAccounts creates the service account "default" in each
	// namespace, as a controller of a cluster does. The default is false, as in
	// envtest.
	DefaultServiceAccounts bool
}

// Start runs a server until the test and its subtests have ended. It returns
// the configuration of an administrator's client. If the server does not start,
// Start ends the test. If it does not stop cleanly, the test fails.
func Start(t testing.TB, o Options) *rest.Config {
	t.Helper()
	config, err := o.config()
	if err != nil {
		t.Fatalf("starting an API server: %v", err)
	}
	ctx, cancel := context.WithTimeoutCause(
		t.Context(), startTimeout, fmt.Errorf("it took longer than %s", startTimeout))
	defer cancel()
	server, err := apiserver.Start(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return server.ClientConfig()
}

// Install applies the objects in files and folders: namespaces and
// CustomResourceDefinitions first, then services and webhook configurations,
// then the rest. It returns when the webhooks are in force and the custom
// resources are served. config must come from Start. It treats Kubebuilder's
// placeholder Cg== for a caBundle as no caBundle. Before it applies anything,
// Install ends the test if a file is invalid or empty or has a kind that the
// server does not serve. It also ends the test if the server rejects an object.
func Install(t testing.TB, config *rest.Config, files ...string) {
	t.Helper()
	objects, err := install.Read(&manifest.Reader{}, files)
	if err != nil {
		t.Fatalf("reading manifests: %v", err)
	}
	objects.Trust(nil) // handlers need no caBundle
	if err := objects.Apply(t.Context(), config, install.Options{}); err != nil {
		t.Fatalf("installing: %v", err)
	}
}

func (o Options) config() (apiserver.Config, error) {
	resolve, err := resolve.Parse(o.Resolve)
	if err != nil {
		return apiserver.Config{}, fmt.Errorf("the route %w", err)
	}
	handlers := map[serviceresolver.Service]http.Handler{}
	for name, handler := range o.Handlers {
		service, err := parseService(name)
		if err != nil {
			return apiserver.Config{}, err
		}
		handlers[service] = handler
	}
	return apiserver.Config{
		DataDir:   o.DataDir,
		Admission: apiserver.DefaultAdmission(o.AdmissionConfigFile),
		Webhooks:  serviceresolver.Config{Handlers: handlers, Routes: resolve, Anywhere: o.Anywhere},
		Audit:     apiserver.Audit{PolicyFile: o.AuditPolicyFile, LogFile: o.AuditLogFile},

		CollectGarbage:         o.CollectGarbage,
		RBAC:                   o.RBAC,
		DefaultServiceAccounts: o.DefaultServiceAccounts,
	}, nil
}

// parseService reads NAMESPACE/NAME or NAMESPACE/NAME:PORT.
func parseService(text string) (serviceresolver.Service, error) {
	namespace, rest, _ := strings.Cut(text, "/")
	name, port, hasPort := strings.Cut(rest, ":")
	number, err := strconv.ParseUint(port, 10, 16)
	badPort := hasPort && (err != nil || number == 0)
	if namespace == "" || name == "" || strings.Contains(name, "/") || badPort {
		const message = "the handler of %q: want NAMESPACE/NAME or NAMESPACE/NAME:PORT"
		return serviceresolver.Service{}, fmt.Errorf(message, text)
	}
	return serviceresolver.Service{Namespace: namespace, Name: name, Port: int32(number)}, nil
}
