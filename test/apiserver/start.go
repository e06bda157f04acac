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
	"example.com/gatehouse/internal/offline/resolve"
)

// limit is how long a server may take to come up, on a machine that is busy.
const limit = time.Minute

// Options are what servers differ in. The zero value is a server whose data is
// temporary, and which calls webhooks on this machine only.
type Options struct {
	// Handlers stand for services, by NAMESPACE/NAME, or NAMESPACE/NAME:PORT for one
	// port. A handler is called without TLS, so that no caBundle is needed.
	Handlers map[string]http.Handler
	// Resolve has connections to services, and to the hosts of URLs, go elsewhere:
	// HOST:PORT:ADDR or HOST:PORT:ADDR:PORT, where the host of a service is
	// NAME.NAMESPACE.svc. They are made with TLS, as the caBundle wants it.
	Resolve []string
	// Anywhere lets webhooks that have neither a handler nor a route be called if
	// they are not on this machine. By default such a call fails.
	Anywhere bool
	// AdmissionConfigFile is the path of an AdmissionConfiguration, as kube-apiserver
	// takes it; the default is none.
	AdmissionConfigFile string
	// AuditPolicyFile and AuditLogFile are the paths of an audit policy and of the
	// log that is to be written. The default is no log; one needs the other.
	AuditPolicyFile, AuditLogFile string
	// DataDir is a folder for the data, which outlives the server there. The default
	// is a temporary one.
	DataDir string
}

// Start runs a server until the test and its subtests have ended, and returns how a
// client reaches it that may do everything. If the server does not start, the test
// ends; if it does not stop as it should, the test fails.
func Start(t testing.TB, o Options) *rest.Config {
	t.Helper()
	config, err := o.config()
	if err != nil {
		t.Fatalf("starting an API server: %v", err)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), limit, fmt.Errorf("it took longer than %s", limit))
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
// CustomResourceDefinitions first, then services and webhook configurations, then the
// rest. It returns when the webhooks are in force and the custom resources can be
// used. The config must be one that Start has returned, or a copy. The caBundle Cg==,
// with which kubebuilder keeps a place free, counts as none. The test ends if there is
// anything wrong with a file, before anything is applied, or if the server refuses an
// object.
func Install(t testing.TB, config *rest.Config, files ...string) {
	t.Helper()
	objects, err := install.Read(files, strings.NewReader(""))
	if err != nil {
		t.Fatalf("reading what is to be installed: %v", err)
	}
	objects.Trust(nil) // a handler has no certificate
	if err := objects.Apply(t.Context(), config); err != nil {
		t.Fatalf("installing: %v", err)
	}
}

func (o Options) config() (apiserver.Config, error) {
	resolve, err := resolve.Parse(o.Resolve)
	if err != nil {
		return apiserver.Config{}, fmt.Errorf("the route %w", err)
	}
	handlers := map[apiserver.Service]http.Handler{}
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
		Webhooks:  apiserver.Webhooks{Handlers: handlers, Routes: resolve, Anywhere: o.Anywhere},
		Audit:     apiserver.Audit{PolicyFile: o.AuditPolicyFile, LogFile: o.AuditLogFile},
	}, nil
}

// parseService reads NAMESPACE/NAME or NAMESPACE/NAME:PORT.
func parseService(text string) (apiserver.Service, error) {
	namespace, rest, _ := strings.Cut(text, "/")
	name, port, hasPort := strings.Cut(rest, ":")
	number, err := strconv.ParseUint(port, 10, 16)
	if namespace == "" || name == "" || strings.Contains(name, "/") || hasPort && (err != nil || number == 0) {
		return apiserver.Service{}, fmt.Errorf("the handler of %q: want NAMESPACE/NAME or NAMESPACE/NAME:PORT", text)
	}
	return apiserver.Service{Namespace: namespace, Name: name, Port: int32(number)}, nil
}
