package plugin_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/plugin"
)

type exactRow struct {
	row
	options []plugin.Option
	// authorization is what the webhook is shown.
	authorization string
}

// TestExact: the current context of kubeConfigFile belongs to an API server,
// not to any webhook that no user is named after.
func TestExact(t *testing.T) {
	t.Parallel()
	rows := []exactRow{
		{row{"default", "an administrator's token is not for webhooks"}, nil, ""},
		{row{"exact", "kube-apiserver shows it to every webhook (S-280)"}, []plugin.Option{plugin.WithExact()}, "Bearer admin"},
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	content := "{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: c, user: admin}}], users: [{name: admin, user: {token: admin}}]}"
	if err := os.WriteFile(kubeconfig, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	runTable(t, rows, func(t *testing.T, name string, r exactRow) {
		var shown atomic.Value
		webhook := backend(t, func(w http.ResponseWriter, req *http.Request) {
			shown.Store(req.Header.Get("Authorization"))
			allows()(w, req)
		})
		h := host{
			cluster: newCluster(configured(name, "hook", webhook)),
			config: strings.NewReader(fmt.Sprintf(
				"apiVersion: apiserver.config.k8s.io/v1\nkind: WebhookAdmissionConfiguration\nkubeConfigFile: %q\n", kubeconfig)),
			options: r.options,
		}
		if err := admit(t.Context(), h.open(t, name)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(any(r.authorization), shown.Load()); diff != "" {
			t.Errorf("Authorization (-want +got):\n%s", diff)
		}
	})
}

// TestConnectionsOfDeletedWebhooks: connections to a webhook are closed as soon
// as its configuration is deleted, without another request.
func TestConnectionsOfDeletedWebhooks(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			closed := make(chan struct{}, 1)
			webhook := watchedBackend(t, closed)
			h := host{cluster: newCluster(configured(name, "hook", webhook))}
			if err := admit(t.Context(), h.open(t, name)); err != nil {
				t.Fatal(err)
			}
			if err := h.remove(t.Context(), name, "hook"); err != nil {
				t.Fatal(err)
			}
			select {
			case <-closed:
			case <-time.After(2 * time.Minute):
				t.Error("the connection is still open")
			}
		})
	}
}

// remove deletes a configuration of the plugin's kind, when the informer
// watches.
func (c cluster) remove(ctx context.Context, name, configuration string) error {
	registrations, resource := c.kube.AdmissionregistrationV1(), "validatingwebhookconfigurations"
	if name == plugin.MutatingName {
		resource = "mutatingwebhookconfigurations"
	}
	for watched := ""; watched != resource; {
		select {
		case watched = <-c.watched:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if name == plugin.MutatingName {
		return registrations.MutatingWebhookConfigurations().Delete(ctx, configuration, metav1.DeleteOptions{})
	}
	return registrations.ValidatingWebhookConfigurations().Delete(ctx, configuration, metav1.DeleteOptions{})
}

// watchedBackend is a webhook that admits, and reports when a connection is
// closed.
func watchedBackend(t *testing.T, closed chan<- struct{}) registrationv1.WebhookClientConfig {
	t.Helper()
	server := httptest.NewUnstartedServer(allows())
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state != http.StateClosed {
			return
		}
		select {
		case closed <- struct{}{}:
		default: // one is enough
		}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return registrationv1.WebhookClientConfig{
		URL:      &server.URL,
		CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}),
	}
}

// TestExactAsksAgain requires the client to obey Retry-After, as in
// kube-apiserver (S-285), only with WithExact.
func TestExactAsksAgain(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		for _, options := range [][]plugin.Option{nil, {plugin.WithExact()}} {
			var calls atomic.Int32
			webhook := backend(t, func(w http.ResponseWriter, req *http.Request) {
				if calls.Add(1) > 1 {
					allows()(w, req)
					return
				}
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
			})
			h := host{cluster: newCluster(configured(name, "hook", webhook)), options: options}
			err := admit(t.Context(), h.open(t, name))
			if want := int32(1 + len(options)); calls.Load() != want || (err == nil) != (want > 1) {
				t.Errorf("%s: %d calls and error %v, want %d calls", name, calls.Load(), err, want)
			}
		}
	}
}
