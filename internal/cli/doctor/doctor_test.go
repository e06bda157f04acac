package doctor

import (
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// name is what API servers verify of the webhook in configuration.
const name = "guard.guard.svc"

// configuration returns a webhook with a caBundle. extra are more fields.
func configuration(bundle []byte, extra string) string {
	return fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  clientConfig:
    service: {namespace: guard, name: guard, path: /validate}
    caBundle: %q
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  admissionReviewVersions: [v1]
  sideEffects: None
  %s
`, base64.StdEncoding.EncodeToString(bundle), extra)
}

// execute runs the command with a file.
func execute(t *testing.T, config string, args ...string) (out string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	cmd := New()
	cmd.SetArgs(append([]string{"-f", path}, args...))
	cmd.SetOut(&printed)
	cmd.SetErr(&bytes.Buffer{})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err = cmd.ExecuteContext(t.Context())
	return strings.ReplaceAll(printed.String(), path, "a.yaml"), err
}

// deny refuses everything.
func deny(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: "no pods today"}}
}

// dryRuns is a webhook that fails unless the request is a dry run of a creation.
func dryRuns(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Allowed: r.DryRun != nil && *r.DryRun && r.Operation == admissionv1.Create && r.Resource.Resource == "pods"}
}

func past() certs.Leaf {
	return certs.Leaf{Names: []string{name}, NotAfter: time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC)}
}

// contact is a case of --dial: a server with a certificate, and what doctor says of it.
type contact struct {
	row
	leaf    certs.Leaf
	handler http.Handler
	// unknown says that another CA signed the certificate.
	unknown bool
	extra   string
	want    []string
	err     error
}

func TestDial(t *testing.T) {
	t.Parallel()
	good := certs.Leaf{Names: []string{name}}
	hangs := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that it is seen when the client goes
		<-r.Context().Done()
	})
	testtable.Run(t, []contact{
		{row: row{"allows", "the certificate is right, and the request is a dry run of a creation"},
			leaf: good, handler: reviewtest.Answer(dryRuns),
			want: []string{"ok         connection   TLS 1.3 with http/1.1: CN=", "for guard.guard.svc, valid from 1999-12-31 until 2099-12-31",
				"ok         review       the webhook allowed a dry run of CREATE pods in ", "1 webhook: 0 problems, 3 not known\n"}},
		{row: row{"denies", "a webhook that says no works"},
			leaf: good, handler: reviewtest.Answer(deny),
			want: []string{"ok         review       the webhook denied a dry run of CREATE pods in ", "no pods today", ": 0 problems"}},
		{row: row{"expired", "the date is the one in the certificate"}, leaf: past(), handler: reviewtest.Answer(reviewtest.Allow), err: message.ErrDenied,
			want: []string{"problem    connection ", "certificate has expired", "valid from 1999-12-31 until 2001-02-03", "hint: renew the certificate", ": 1 problem,"}},
		{row: row{"wrong name", "the remedy has both names"}, leaf: certs.Leaf{Names: []string{"guard.other.svc"}},
			handler: reviewtest.Answer(reviewtest.Allow), err: message.ErrDenied,
			want: []string{"problem    connection ", "hint: the certificate is for guard.other.svc: issue one for guard.guard.svc"}},
		{row: row{"unknown CA", "the caBundle is of another installation"}, leaf: good, unknown: true,
			handler: reviewtest.Answer(reviewtest.Allow), err: message.ErrDenied,
			want: []string{"problem    connection ", "hint: no CA in the caBundle signed the certificate"}},
		{row: row{"client certificate", "its usage is not that of a server"}, leaf: certs.Leaf{Names: []string{name}, Client: true},
			handler: reviewtest.Answer(reviewtest.Allow), err: message.ErrDenied,
			want: []string{"problem    connection ", "incompatible key usage"}},
		{row: row{"wrong path", "the connection is right"}, leaf: good, handler: http.NotFoundHandler(), err: message.ErrDenied,
			want: []string{"ok         connection ", "problem    review ", "hint: the server has nothing at /validate: correct the path in clientConfig"}},
		{row: row{"hangs", "until timeoutSeconds"}, leaf: good, handler: hangs, extra: "timeoutSeconds: 10", err: message.ErrDenied,
			want: []string{"ok         connection ", "problem    review ", "hint: the webhook did not answer within its timeoutSeconds, 10"}},
	}, func(t *testing.T, c contact) {
		authority, err := certs.NewAuthority("guard")
		if err != nil {
			t.Fatal(err)
		}
		trusted := authority
		if c.unknown {
			if trusted, err = certs.NewAuthority("guard"); err != nil {
				t.Fatal(err)
			}
		}
		certificate, err := authority.Issue(c.leaf)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewUnstartedServer(onPath(c.handler))
		server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
		server.EnableHTTP2 = true
		server.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes that fail
		server.StartTLS()
		t.Cleanup(server.Close)
		out, err := execute(t, configuration(trusted.Bundle(), c.extra), "--dial", "--resolve", name+":443:"+server.Listener.Addr().String())
		check(t, out, err, c.want, c.err)
	})
}

// TestDialProtocol: doctor offers the protocols that an API server offers.
func TestDialProtocol(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		// host is that of the URL; empty for the service.
		host, want string
	}
	testtable.Run(t, []test{
		{row{"service", "it may have several pods, and a connection leads to one"}, "", "http/1.1"},
		{row{"name", "the same"}, "guard.example.com", "http/1.1"},
		{row{"localhost", "it is one process"}, "localhost", "h2"},
		{row{"address of this machine", "the same"}, "127.0.0.1", "h2"},
	}, func(t *testing.T, tc test) {
		authority, err := certs.NewAuthority("guard")
		if err != nil {
			t.Fatal(err)
		}
		certificate, err := authority.Server(name, "guard.example.com", "localhost", "127.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewUnstartedServer(onPath(reviewtest.Answer(reviewtest.Allow)))
		server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
		server.EnableHTTP2 = true
		server.StartTLS()
		t.Cleanup(server.Close)
		config, host := configuration(authority.Bundle(), ""), name
		if tc.host != "" {
			host = tc.host
			config = strings.Replace(config, "service: {namespace: guard, name: guard, path: /validate}",
				"url: https://"+host+"/validate", 1)
		}
		out, err := execute(t, config, "--dial", "--resolve", host+":443:"+server.Listener.Addr().String())
		check(t, out, err, []string{"TLS 1.3 with " + tc.want + ": CN=", "the webhook allowed"}, nil)
	})
}

// onPath serves the path of the webhook.
func onPath(h http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/validate", h)
	return mux
}

func check(t *testing.T, out string, err error, want []string, wantErr error) {
	t.Helper()
	if !errors.Is(err, wantErr) || wantErr == nil && err != nil {
		t.Errorf("error %v, want %v", err, wantErr)
	}
	for _, text := range want {
		if !strings.Contains(out, text) {
			t.Errorf("%q is not in\n%s", text, out)
		}
	}
}

// TestDialWithoutTLS: servers that do not get as far as a certificate.
func TestDialWithoutTLS(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority("guard")
	if err != nil {
		t.Fatal(err)
	}
	config := configuration(authority.Bundle(), "")
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	// A listener that accepts nothing: the kernel does.
	silent := listen(t)
	const closed = "127.0.0.1:1" // no listener of another test gets this port
	for address, want := range map[string]struct{ hint, extra string }{
		plain.Listener.Addr().String(): {"the server does not speak TLS", ""},
		silent.Addr().String():         {"the webhook did not answer within its timeoutSeconds, 1", "timeoutSeconds: 1"},
		closed:                         {"nothing listens at " + closed, ""},
	} {
		out, err := execute(t, configuration(authority.Bundle(), want.extra), "--dial", "--resolve", name+":443:"+address)
		check(t, out, err, []string{"problem    connection ", "hint: " + want.hint}, message.ErrDenied)
		if strings.Contains(out, " review ") {
			t.Errorf("a review follows:\n%s", out)
		}
	}
	out, err := execute(t, config, "--dial")
	check(t, out, err, []string{"not known  connection ", "guard.guard.svc:443 is not on this machine", "--resolve guard.guard.svc:443:ADDRESS:PORT"}, message.ErrNotReached)
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// TestCAFile: webhooks without a caBundle get the CA of the file, for the connection and
// for the review.
func TestCAFile(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority("guard")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server(name)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(onPath(reviewtest.Answer(reviewtest.Allow)))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(ca, authority.Bundle(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := execute(t, configuration(nil, ""), "--dial", "--resolve", name+":443:"+server.Listener.Addr().String(), "--ca-file", ca)
	check(t, out, err, []string{"ok         connection   TLS 1.3 with http/1.1", "ok         review       the webhook allowed"}, nil)
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"--resolve needs --dial":            {"--resolve", "a:1:b:2"},
		`--output "xml": want text or json`: {"-o", "xml"},
		`--resolve "a": want HOST:PORT`:     {"--dial", "--resolve", "a"},
	} {
		_, err := execute(t, configuration(nil, ""), args...)
		var usage *message.UsageError
		if !errors.As(err, &usage) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", args, err, want)
		}
	}
}

// TestNoPrivateKey: no output has a key, also if a Secret has it in place of the
// certificate, or that of another one.
func TestNoPrivateKey(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority("guard")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server(name)
	if err != nil {
		t.Fatal(err)
	}
	other, err := authority.Server(name)
	if err != nil {
		t.Fatal(err)
	}
	chain, key, err := certs.PEM(certificate)
	if err != nil {
		t.Fatal(err)
	}
	_, wrong, err := certs.PEM(other)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][2][]byte{{chain, key}, {key, chain}, {chain, wrong}, {key, key}, {append(chain, key...), key}, {[]byte("x"), key}} {
		config := configuration(key, "") + fmt.Sprintf(backend, encode(data[0]), encode(data[1]))
		for _, format := range []string{"text", "json"} {
			out, err := execute(t, config, "-o", format)
			if err != nil && !errors.Is(err, message.ErrDenied) {
				t.Fatal(err)
			}
			if !strings.Contains(out, "certificate") {
				t.Errorf("the Secret is not seen:\n%s", out)
			}
			for _, secret := range [][]byte{key, wrong} {
				for line := range strings.Lines(string(secret) + encode(secret)) {
					if line = strings.TrimSpace(line); strings.Contains(out, line) && line != "" {
						t.Errorf("%s has %s:\n%s", format, line, out)
					}
				}
			}
		}
	}
}

func encode(text []byte) string { return base64.StdEncoding.EncodeToString(text) }

// backend is what answers for the webhook, with a certificate and its key in base64.
const backend = `---
apiVersion: v1
kind: Service
metadata: {name: guard, namespace: guard}
spec: {selector: {app: guard}, ports: [{port: 443, targetPort: https}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: guard, namespace: guard}
spec:
  selector: {matchLabels: {app: guard}}
  template:
    metadata: {labels: {app: guard}}
    spec:
      containers: [{name: guard, image: guard, ports: [{name: https, containerPort: 9443}]}]
      volumes: [{name: tls, secret: {secretName: tls}}]
---
apiVersion: v1
kind: Secret
metadata: {name: tls, namespace: guard}
type: Opaque
data: {tls.crt: %q, tls.key: %q}
`

// TestJSON calls a mutating webhook on this machine, for which no flag is needed.
func TestJSON(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority("guard")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server("localhost")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(onPath(reviewtest.Answer(dryRuns)))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	config := strings.NewReplacer("Validating", "Mutating", "service: {namespace: guard, name: guard, path: /validate}",
		"url: https://localhost:"+port+"/validate").Replace(configuration(authority.Bundle(), ""))
	out, err := execute(t, config, "--dial", "-o", "json")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var report Report
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	if report.Kind != "DoctorReport" || report.APIVersion != "gatehouse/v1alpha1" || report.Problems != 0 || report.Unknown != 1 {
		t.Errorf("%s %s has %d problems and %d not known", report.APIVersion, report.Kind, report.Problems, report.Unknown)
	}
	w := report.Webhooks[0]
	if w.Name != "guard/guard.example.com" || w.Phase != "mutating" || w.File != "a.yaml" || w.Line != 5 {
		t.Errorf("%s webhook %s at %s:%d", w.Phase, w.Name, w.File, w.Line)
	}
	last := w.Checks[len(w.Checks)-1]
	if last.Name != "review" || last.Status != "ok" || !strings.HasPrefix(last.Message, "the webhook allowed a dry run of CREATE pods") {
		t.Errorf("the last check is %+v", last)
	}
}
