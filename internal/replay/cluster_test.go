package replay_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/replay"
	"example.com/gatehouse/internal/testutil/reviewtest"
)

// cluster has webhooks that allow everything, behind all Services.
type cluster struct {
	address, bundle string

	mu sync.Mutex // guards the fields below
	// requests are those of the webhooks, and dialled the Services.
	requests []*admissionv1.AdmissionRequest
	dialled  []resolve.Service
	err      error
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	authority, err := certs.NewAuthority("cluster")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server("labels.webhooks.svc", "checks.webhooks.svc")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{bundle: base64.StdEncoding.EncodeToString(authority.Bundle())}
	server := httptest.NewUnstartedServer(reviewtest.Answer(
		func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.requests = append(c.requests, r)
			return &admissionv1.AdmissionResponse{Allowed: true}
		}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	c.address = server.Listener.Addr().String()
	return c
}

// Dial implements replay.Cluster.
func (c *cluster) Dial(ctx context.Context, s resolve.Service) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dialled = append(c.dialled, s)
	if c.err != nil {
		return nil, c.err
	}
	return new(net.Dialer).DialContext(ctx, "tcp", c.address)
}

// Err implements replay.Cluster.
func (c *cluster) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// trusting returns webhooks with the CA of the cluster that are called for all operations.
func (c *cluster) trusting(manifests string) string {
	manifests = strings.ReplaceAll(manifests, "operations: [CREATE]", "operations: ['*']")
	return strings.ReplaceAll(manifests, "clientConfig: {", "clientConfig: {caBundle: "+c.bundle+", ")
}

// dryRunOf returns what a review says about dry runs, in the request and in its options.
func dryRunOf(t *testing.T, r *admissionv1.AdmissionRequest) (request bool, options []string) {
	t.Helper()
	var o metav1.CreateOptions
	if r.Options.Raw != nil {
		if err := json.Unmarshal(r.Options.Raw, &o); err != nil {
			t.Fatal(err)
		}
	}
	return r.DryRun != nil && *r.DryRun, o.DryRun
}

// TestCluster: the webhooks of Services are called in the cluster, in dry runs.
func TestCluster(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	e := newEngine(t, replay.Options{Cluster: c}, c.trusting(configuration))
	for _, operation := range []string{"CREATE", "UPDATE", "DELETE"} {
		c.requests, c.dialled = nil, nil
		r, _, err := e.Admit(t.Context(), operated(operation))
		if err != nil || r.Error != "" {
			t.Fatalf("%s: %v, %s", operation, err, r.Error)
		}
		if len(c.requests) != 1 || !r.Allowed {
			t.Fatalf("%s: the webhooks were called %d times, and the result is %+v", operation, len(c.requests), r)
		}
		if request, options := dryRunOf(t, c.requests[0]); !request || len(options) != 1 || options[0] != "All" {
			t.Errorf("%s: dryRun is %t in the request and %q in its options", operation, request, options)
		}
	}
}

// operated returns an entry of an operation for which one webhook of configuration is called.
func operated(operation string) *corpus.Entry {
	e := entry("web")
	e.NamespaceLabels = nil
	text := strings.ReplaceAll(string(e.Review), `"operation":"CREATE"`, `"operation":"`+operation+`"`)
	text = strings.ReplaceAll(text, "CreateOptions", strings.ToUpper(operation[:1])+strings.ToLower(operation[1:])+"Options")
	switch operation {
	case "UPDATE":
		text = strings.Replace(text, `"object":`, `"oldObject":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"}},"object":`, 1)
	case "DELETE":
		text = strings.Replace(text, `"object":`, `"oldObject":`, 1)
	}
	e.Review = json.RawMessage(text)
	return e
}

// exec returns an entry of a CONNECT.
func exec() *corpus.Entry {
	return &corpus.Entry{ID: "exec", Source: corpus.FromReview, Review: json.RawMessage(`{
"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u",
"kind":{"group":"","version":"v1","kind":"PodExecOptions"},"resource":{"group":"","version":"v1","resource":"pods"},
"subResource":"exec","name":"web","namespace":"shop","operation":"CONNECT","userInfo":{"username":"alice"},
"object":{"apiVersion":"v1","kind":"PodExecOptions","command":["ls"]}}}`)}
}

// TestClusterConnect: no webhook in the cluster is called for a CONNECT, which is never a dry
// run, but one at an address that is given is.
func TestClusterConnect(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	manifests := strings.ReplaceAll(c.trusting(configuration), "[pods]", `[pods, pods/exec]`)
	e := newEngine(t, replay.Options{Cluster: c}, manifests)
	r, _, err := e.Admit(t.Context(), exec())
	const want = "labels/labels.example.com is not called in the cluster, because there are no dry runs of CONNECT"
	if err != nil || r.Error != want || len(c.dialled) > 0 {
		t.Errorf("the result is %+v, %v, and %v was dialled", r, err, c.dialled)
	}

	o := session.NewOptions()
	o.Resolve = []string{"labels.webhooks.svc:443:" + c.address}
	e = newEngine(t, replay.Options{Cluster: c, Session: o}, manifests)
	r, _, err = e.Admit(t.Context(), exec())
	if err != nil || r.Error != "" || len(r.Calls) != 1 || len(c.dialled) > 0 {
		t.Errorf("the result is %+v, %v, and %v was dialled", r, err, c.dialled)
	}
	if request, _ := dryRunOf(t, c.requests[0]); request {
		t.Error("a CONNECT is a dry run")
	}
}

// TestClusterFails: an error of the way to the cluster ends the replay, and is no result.
func TestClusterFails(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.err = errors.New("the user may not do it")
	e := newEngine(t, replay.Options{Cluster: c}, c.trusting(configuration))
	if r, _, err := e.Admit(t.Context(), entry("web")); !errors.Is(err, c.err) {
		t.Errorf("got %+v, %v", r, err)
	}
}

// TestClusterSideEffects: webhooks that do not support dry runs are refused before any is
// called.
func TestClusterSideEffects(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	manifests := strings.Replace(configuration, "v1\nkind: Validating", "v1beta1\nkind: Validating", 1)
	manifests = strings.Replace(manifests, "sideEffects: None", "sideEffects: NoneOnDryRun", 1)
	manifests = strings.Replace(manifests, "sideEffects: None\n", "sideEffects: Some\n", 1)
	if err := os.WriteFile(file, []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	o := session.NewOptions()
	o.Configs, o.Stderr = []string{file}, &bytes.Buffer{}
	_, err := replay.New(&replay.Options{Cluster: c, Session: o})
	const want = "checks/checks.example.com: sideEffects is Some: no webhook was called, because only " +
		"those with None or NoneOnDryRun may be in a cluster"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
