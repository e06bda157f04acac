package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// slowPlugin is the configuration of a credential plugin that takes its time.
func slowPlugin(t *testing.T, seconds string) *clientcmdapi.ExecConfig {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skipf("a credential plugin is a program, and there is no shell to write one in: %v", err)
	}
	script := filepath.Join(t.TempDir(), "plugin.sh")
	const credentials = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"late"}}`
	text := fmt.Sprintf("sleep %s\necho '%s'\n", seconds, credentials)
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return &clientcmdapi.ExecConfig{
		Command: sh, Args: []string{script},
		APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
	}
}

// TestSlowPlugin: the first call does not wait for a credential plugin, and the
// second one has its token.
func TestSlowPlugin(t *testing.T) {
	t.Parallel()
	var token string
	b := startBackend(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { token = r.Header.Get("Authorization") }), "hook.example")
	c := newClient(t, Config{AuthInfo: authInfo(&rest.Config{ExecProvider: slowPlugin(t, "4")}), Dial: b.dial})
	hook := urlHook("https://hook.example", b.ca)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	err := exchange(ctx, c, hook)
	if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > 3*time.Second {
		t.Errorf("error %v after %v, want that time is up after 200ms", err, took)
	}
	if _, err := post(t, c, hook, "{}"); err != nil || token != "Bearer late" {
		t.Errorf("error %v and token %q, want that of the plugin", err, token)
	}
}
