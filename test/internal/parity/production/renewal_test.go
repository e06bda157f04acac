package production

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/testutil/dialtest"
	"example.com/gatehouse/internal/testutil/memorynet"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/parity/harness"
)

// server is a webhook in memory that remembers when each credential was last
// sent with a review.
type server struct {
	// name is that of its service, and path that of its webhook.
	name, path string
	listener   *memorynet.Listener
	bundle     []byte
	// handling is how long a review takes, and answer what answers it.
	handling time.Duration
	answer   http.Handler

	mu    sync.Mutex
	last  map[string]time.Time
	conns int
}

// serve runs a webhook that allows everything until the end of the test.
func serve(t *testing.T) *server {
	t.Helper()
	return serveAs(t, "hook", reviewtest.Answer(reviewtest.Allow))
}

// serveAs runs a webhook for a service until the end of the test.
func serveAs(t *testing.T, name string, answer http.Handler) *server {
	t.Helper()
	authority, err := certs.NewAuthority("webhooks")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server(name + ".test.svc")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{name: name, answer: answer, listener: memorynet.Listen(8443),
		bundle: authority.Bundle(), last: map[string]time.Time{}}
	web := &http.Server{
		Handler: s, ConnState: s.count,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequestClientCert},
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = web.ServeTLS(s.listener, "", "") })
	t.Cleanup(func() {
		_ = web.Close()
		serving.Wait()
	})
	return s
}

// ServeHTTP implements http.Handler. A credential is a token, or the name in a
// client certificate.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	credential := r.Header.Get("Authorization")
	for _, c := range r.TLS.PeerCertificates {
		credential = c.DNSNames[0]
	}
	s.mu.Lock()
	s.last[credential] = time.Now()
	s.mu.Unlock()
	time.Sleep(s.handling)
	s.answer.ServeHTTP(w, r)
}

func (s *server) count(_ net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.conns++
	case http.StateClosed:
		s.conns--
	}
}

// lastSent returns how long after a time a credential was last sent; negative if
// before, or never.
func (s *server) lastSent(credential string, after time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[credential].Sub(after)
}

// sent reports whether a review was sent with a credential.
func (s *server) sent(credential string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.last[credential].IsZero()
}

// connect opens a side's plugin with a user for the webhook.
func (s *server) connect(t *testing.T, side harness.Side, user map[string]any) *host {
	t.Helper()
	return s.open(t, side, kubeconfig(t, user), func(ctx context.Context, _, _ string) (net.Conn, error) {
		return s.listener.Dial(ctx)
	})
}

// kubeconfig writes a file with a user for the webhook.
func kubeconfig(t *testing.T, user map[string]any) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	writeJSON(t, file, map[string]any{
		"apiVersion": "v1", "kind": "Config",
		"users": []any{map[string]any{"name": "hook.test.svc", "user": user}},
	})
	return file
}

// open opens a side's plugin that reaches s by dial.
func (s *server) open(t *testing.T, side harness.Side, kubeconfig string, dial dialtest.Dial) *host {
	t.Helper()
	return s.with(t, side, setup{
		kubeconfig: kubeconfig,
		wrap: func(next webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
			return dialtest.Through(dial, next)
		},
		services: webhookutil.NewDefaultServiceResolver(),
	})
}

// with opens a side's plugin that trusts s.
func (s *server) with(t *testing.T, side harness.Side, settings setup) *host {
	t.Helper()
	settings.webhook = registrationv1.WebhookClientConfig{
		Service:  &registrationv1.ServiceReference{Namespace: "test", Name: s.name, Path: &s.path},
		CABundle: s.bundle,
	}
	return open(t, side, settings)
}

func writeJSON(t *testing.T, file string, value any) {
	t.Helper()
	content, err := json.Marshal(value)
	if err == nil {
		err = os.WriteFile(file, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// sides are those that are compared.
var sides = []harness.Side{harness.Upstream, harness.Gatehouse}

type renewedRow struct {
	row
	// scheme is before the secret's name in what the server sees.
	scheme string
	// user is a kubeconfig's user with its secret in a file, and write writes
	// one that expires.
	user  func(file string) map[string]any
	write func(t *testing.T, file, token string, expires time.Time)
	// within is how long after its renewal the old secret may be sent.
	within time.Duration
}

// execUser has cat as its credential plugin.
func execUser(file string) map[string]any {
	return map[string]any{"exec": map[string]any{
		"apiVersion": execVersion, "command": "cat", "args": []string{file}, "interactiveMode": "Never",
	}}
}

const execVersion = "client.authentication.k8s.io/v1"

func writeExec(t *testing.T, file string, status map[string]any, expires time.Time) {
	t.Helper()
	status["expirationTimestamp"] = metav1.NewTime(expires)
	writeJSON(t, file, map[string]any{"apiVersion": execVersion, "kind": "ExecCredential", "status": status})
}

var renewedRows = []renewedRow{
	{
		row{"token file", "read again after 50 s"}, "Bearer ",
		func(file string) map[string]any { return map[string]any{"tokenFile": file} },
		func(t *testing.T, file, token string, _ time.Time) {
			if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		time.Minute,
	},
	{
		row{"exec plugin", "run again when the token expires, 30 s after the plugin has another"}, "Bearer ",
		execUser,
		func(t *testing.T, file, token string, expires time.Time) {
			writeExec(t, file, map[string]any{"token": token}, expires)
		},
		30 * time.Second,
	},
	{
		row{"exec plugin's certificate", "the same; then client-go closes all connections"}, "",
		execUser,
		func(t *testing.T, file, name string, expires time.Time) {
			cert, key := pair(t, name)
			writeExec(t, file, map[string]any{
				"clientCertificateData": string(cert), "clientKeyData": string(key),
			}, expires)
		},
		30 * time.Second,
	},
}

// TestRenewedTokens renews a secret in a file under load.
func TestRenewedTokens(t *testing.T) {
	testtable.Run(t, renewedRows, func(t *testing.T, r renewedRow) {
		for _, side := range sides {
			synctest.Test(t, func(t *testing.T) {
				s, file := serve(t), filepath.Join(t.TempDir(), "secret")
				start := time.Now()
				r.write(t, file, "old", start.Add(90*time.Second))
				h := s.connect(t, side, r.user(file))
				for range 60 {
					mustCall(t, h)
				}
				r.write(t, file, "new", start.Add(time.Hour))
				renewed := time.Now()
				for range 90 {
					mustCall(t, h)
				}
				late := s.lastSent(r.scheme+"old", renewed)
				t.Logf("%v: the old secret was last sent %v after its renewal", side, late)
				if late < 0 || late > r.within || s.lastSent(r.scheme+"new", renewed) < 0 {
					t.Errorf("%v: the old secret was last sent %v after its renewal, want at most %v",
						side, late, r.within)
				}
			})
		}
	})
}

// mustCall makes a call that has to succeed, and waits a second.
func mustCall(t *testing.T, h *host) {
	t.Helper()
	if err := h.call(t.Context()); err != nil {
		t.Error(err)
	}
	time.Sleep(time.Second)
}
