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

	"example.com/gatehouse/internal/testutil/testenv"
)

// slowPlugin returns a credential plugin that does not return while file exists
// and the test runs.
func slowPlugin(t *testing.T, file string) *clientcmdapi.ExecConfig {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		testenv.Missing(t, err) // a credential plugin is a program
	}
	script := filepath.Join(t.TempDir(), "plugin.sh")
	const credentials = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"late"}}`
	text := fmt.Sprintf("while test -e '%s' && kill -0 $PPID; do sleep 0.1; done\necho '%s'\n", file, credentials)
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return &clientcmdapi.ExecConfig{
		Command: sh, Args: []string{script},
		APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
	}
}

// TestSlowPlugin: the first call does not wait for a credential plugin, and the
// second one uses its token.
func TestSlowPlugin(t *testing.T) {
	t.Parallel()
	var token string
	b := startBackend(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { token = r.Header.Get("Authorization") }), "hook.example")
	file := filepath.Join(t.TempDir(), "not-yet")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, Config{AuthInfo: authInfo(&rest.Config{ExecProvider: slowPlugin(t, file)}), Dial: b.dial})
	hook := urlHook("https://hook.example", b.ca)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := exchange(ctx, c, hook); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want a deadline error while the plugin runs", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := post(t, c, hook, "{}"); err != nil || token != "Bearer late" {
		t.Errorf("error %v and token %q, want that of the plugin", err, token)
	}
}
