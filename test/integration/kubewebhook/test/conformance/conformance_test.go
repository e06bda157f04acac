package conformance

import (
	"io"
	"log"
	"net"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/gatehouse/test/integration/findings"
	"example.com/images/internal/webhook"
)

// service is where the project's configuration has the webhooks.
const service = "webhooks.images.svc"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestConformance finds what fails that is not known to, and what is known to
// fail but does not.
func TestConformance(t *testing.T) {
	folder := findings.Certify(t, service)
	address := serve(t, folder)
	library().Look(t, "-f", "../../config/webhooks.yaml", "--resolve", service+":443:"+address,
		"--ca-file", filepath.Join(folder, "ca.crt"), "../../config/samples")
}

// TestProcess finds what has changed in the life of the project's process.
func TestProcess(t *testing.T) {
	findings.Live(t, "net/http with handlers of kubewebhook", "-f", "../../config/webhooks.yaml", "../../config/samples",
		"--exec", "exec "+findings.Build(t, "../../cmd")+
			" --address 127.0.0.1:$PORT --tls-cert-file $TLS_CERT_FILE --tls-key-file $TLS_KEY_FILE")
}

// TestFindings keeps the table and the page together.
func TestFindings(t *testing.T) { library().Tell(t) }

// serve serves the project's webhooks until the test ends, and returns their
// address.
func serve(t *testing.T, folder string) string {
	t.Helper()
	handler, err := webhook.Handler(nil)
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	// What it logs is that handlers panic and clients hang up, and the report
	// has that.
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	ended := make(chan error)
	go func() {
		ended <- server.ServeTLS(listener, filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
	}()
	t.Cleanup(func() {
		must(t, server.Close())
		<-ended
	})
	return listener.Addr().String()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
