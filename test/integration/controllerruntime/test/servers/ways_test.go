package servers_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"example.com/gatehouse/test/apiserver"
)

// The project's files, as its Makefile has controller-gen write them, and the
// patch that kubebuilder adds.
const (
	definitions = "../../config/crd/bases"
	patches     = "../../config/crd/patches"
	webhooks    = "../../config/webhook/manifests.yaml"
)

// way is how an API server and the webhooks of the manager come together.
type way func(*testing.T, *runtime.Scheme) (*rest.Config, webhook.Server)

// inProcess has the webhooks called in the process, without ports and
// certificates.
func inProcess(t *testing.T, _ *runtime.Scheme) (*rest.Config, webhook.Server) {
	mux := http.NewServeMux()
	config := apiserver.Start(t, apiserver.Options{Handlers: map[string]http.Handler{"system/webhook-service": mux}})
	apiserver.Install(t, config, definitions, patches, webhooks)
	return config, webhook.NewServer(webhook.Options{Port: -1, WebhookMux: mux})
}

// routed has the webhooks listen on a port with TLS, and leads the connections
// to their service there.
func routed(t *testing.T, _ *runtime.Scheme) (*rest.Config, webhook.Server) {
	port := newPort(t)
	route := fmt.Sprintf("webhook-service.system.svc:443:127.0.0.1:%d", port.number)
	config := apiserver.Start(t, apiserver.Options{Resolve: []string{route}})
	apiserver.Install(t, config, trusting(t, port.ca)...)
	return config, port.server()
}

// service is what tells in the API server where the webhooks listen.
const service = `
apiVersion: v1
kind: Namespace
metadata: {name: system}
---
apiVersion: v1
kind: Service
metadata: {name: webhook-service, namespace: system}
spec:
  ports: [{port: 443, targetPort: %[1]d}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: webhook-service
  namespace: system
  labels: {kubernetes.io/service-name: webhook-service}
addressType: IPv4
ports: [{port: %[1]d}]
endpoints: [{addresses: [127.0.0.1]}]
`

// stored is like routed, but the API server finds the way in a Service and an
// EndpointSlice, as in a cluster.
func stored(t *testing.T, _ *runtime.Scheme) (*rest.Config, webhook.Server) {
	port := newPort(t)
	config := apiserver.Start(t, apiserver.Options{})
	file := write(t, "service.yaml", fmt.Sprintf(service, port.number))
	apiserver.Install(t, config, append(trusting(t, port.ca), file)...)
	return config, port.server()
}

// existing is what a suite does that has been written for envtest, which takes
// the API server for a cluster that is there already. It sets up the webhooks
// with URLs.
func existing(t *testing.T, scheme *runtime.Scheme) (*rest.Config, webhook.Server) {
	env := &envtest.Environment{
		UseExistingCluster:    new(true),
		Config:                apiserver.Start(t, apiserver.Options{}),
		Scheme:                scheme,
		CRDDirectoryPaths:     []string{definitions},
		ErrorIfCRDPathMissing: true,
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{webhooks}},
	}
	config, err := env.Start()
	must(t, err)
	t.Cleanup(func() { must(t, env.Stop()) })
	awaitForce(t, config, env.WebhookInstallOptions)
	return config, webhook.NewServer(webhook.Options{
		Host:    env.WebhookInstallOptions.LocalServingHost,
		Port:    env.WebhookInstallOptions.LocalServingPort,
		CertDir: env.WebhookInstallOptions.LocalServingCertDir,
	})
}

// awaitForce returns when the webhooks that envtest has set up are in force.
// envtest itself does not wait for that.
func awaitForce(t *testing.T, config *rest.Config, o envtest.WebhookInstallOptions) {
	t.Helper()
	clients, err := kubernetes.NewForConfig(config)
	must(t, err)
	ask := func(resource string, hooks client.Object) {
		request := clients.RESTClient().Get().AbsPath("/gatehouse/inforce", resource, hooks.GetName())
		must(t, request.Param("resourceVersion", hooks.GetResourceVersion()).Do(t.Context()).Error())
	}
	for _, hooks := range o.MutatingWebhooks {
		ask("mutatingwebhookconfigurations", hooks)
	}
	for _, hooks := range o.ValidatingWebhooks {
		ask("validatingwebhookconfigurations", hooks)
	}
}

// port is where webhooks are to listen, and a folder with a certificate for
// their service.
type port struct {
	number int
	folder string
	ca     []byte
}

func newPort(t *testing.T) port {
	t.Helper()
	certificate, key, err := cert.GenerateSelfSignedCertKey("webhook-service.system.svc", nil, nil)
	must(t, err)
	// It is below the ports of connections and of listeners that name none, which would
	// take one of these before the webhooks listen.
	var listener net.Listener
	for listener == nil {
		listener, _ = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 15_000+rand.IntN(15_000)))
	}
	must(t, listener.Close())
	folder := filepath.Dir(write(t, "tls.crt", string(certificate)))
	must(t, os.WriteFile(filepath.Join(folder, "tls.key"), key, 0o600))
	return port{listener.Addr().(*net.TCPAddr).Port, folder, certificate}
}

func (p port) server() webhook.Server {
	return webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: p.number, CertDir: p.folder})
}

// trusting returns copies of the project's files with a CA, as cert-manager
// would put it there.
func trusting(t *testing.T, ca []byte) []string {
	t.Helper()
	clientConfig := regexp.MustCompile(`(?m)^( *)clientConfig:\n`)
	bundle := "${0}${1}  caBundle: " + base64.StdEncoding.EncodeToString(ca) + "\n"
	files := []string{definitions}
	for _, file := range []string{filepath.Join(patches, "webhook_in_plans.yaml"), webhooks} {
		text, err := os.ReadFile(file)
		must(t, err)
		files = append(files, write(t, filepath.Base(file), clientConfig.ReplaceAllString(string(text), bundle)))
	}
	return files
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}
